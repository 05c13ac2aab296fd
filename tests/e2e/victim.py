"""A tenant at work in a process that is to be killed.

Run as ``python -m tests.e2e.victim`` it imports everything once, and then forks a child for each line
``{"profile": FILE, "data": FOLDER}`` that it reads, so that a new victim starts in moments. The child answers
``{"pid"}`` before it opens the tenant and ``{"seen"}`` once it has; from then on each line it reads is a step, to which
it answers ``{"begun"}`` and then ``{"done"}``. When it has ended, however that came, its parent says ``{"gone"}``.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from pipelines.engine import Engine, open_engine
from pipelines.jobs.runner import run_jobs
from pipelines.types import DocumentInput
from tests.congruence.wholeness import problems_of, readable, settle, texts_of
from tests.fakes.on_server import VARIABLE, redirect

_READ_BY_EVERY_ROAD = 8


def text_of(document_id: str, edition: int) -> str:
    """The text of an edition of a document: it names both, so that a mixture cannot pass for either."""
    sentences = (
        f"Sentence {n} of {document_id} tells of beagles in edition {edition}." for n in range(2 + edition % 3)
    )
    return " ".join(sentences)


def offer(document_id: str, edition: int) -> DocumentInput:
    """An edition, as it is offered."""
    return DocumentInput(text_of(document_id, edition), document_id, metadata={"name": document_id})


def do(engine: Engine, step: list[Any], data: Path) -> int:
    """Carries a step out: its name, and what it is to be done to. Gives how many jobs there were by then."""
    match step:
        case ["ingest", editions]:
            results = engine.ingest([offer(*edition) for edition in editions])
            assert all(result.state != "failed" for result in results), results
        case ["delete" | "erase" as how, document_id]:
            engine.delete(document_id, purge=how == "erase")
        case ["purge"]:
            engine.purge()
        case ["reembed"]:
            engine.reembed()
        case ["sync"]:
            engine.sync()
        case ["job", editions]:
            engine.jobs.submit("ingest", [offer(*edition) for edition in editions])
            carry_out_jobs(engine, data)
        case ["jobs"]:
            carry_out_jobs(engine, data)
        case _:
            raise ValueError(step)
    return len(engine.jobs.list(limit=1000).jobs)


def carry_out_jobs(engine: Engine, data: Path) -> None:
    """Carries jobs out until none is left."""
    with run_jobs([engine.work], data):
        while any(job.state in ("queued", "running") for job in engine.jobs.list(limit=1000).jobs):
            time.sleep(0.02)
    assert {job.state for job in engine.jobs.list(limit=1000).jobs} <= {"done"}


def seen(engine: Engine, generator: random.Random) -> dict[str, Any]:
    """What a tenant holds now, and what is wrong with it."""
    settle(engine)
    documents = {name: [version, text.strip()] for name, (version, text) in texts_of(engine).items()}
    problems = problems_of(engine)
    for document_id in generator.sample(sorted(documents), min(_READ_BY_EVERY_ROAD, len(documents))):
        version, text = readable(engine, document_id) or (0, "")
        if [version, text.strip()] != documents[document_id]:
            problems.append(f"{document_id}: what is read is not what is listed")
    stats = engine.stats()
    return {"documents": documents, "problems": problems, "snapshot": stats.snapshot, "horizon": stats.horizon}


def seen_at(engine: Engine, snapshot: int, document_ids: list[str]) -> dict[str, list[Any] | None]:
    """What could be read of some documents at ``snapshot``."""
    found = {document_id: readable(engine, document_id, snapshot) for document_id in document_ids}
    return {name: None if one is None else [one[0], one[1].strip()] for name, one in found.items()}


def _live(profile: Path, data: Path) -> None:
    _say(pid=os.getpid())
    with open_engine(profile, data) as engine:
        _say(seen=seen(engine, random.Random(0)))
        while line := sys.stdin.readline():
            step = json.loads(line)
            if step[0] == "look back":
                _say(past=seen_at(engine, *step[1:]))
                continue
            _say(begun=step)
            _say(done=do(engine, step, data))


def _say(**said: Any) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Makes one child after the other."""
    if VARIABLE in os.environ:
        redirect()
    _say(ready=True)
    while line := sys.stdin.readline():
        asked = json.loads(line)
        pid = os.fork()
        if pid == 0:
            try:
                _live(Path(asked["profile"]), Path(asked["data"]))
            except BaseException:  # noqa: BLE001 - the reader of the other end must know of it
                _say(failed=traceback.format_exc())
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        _say(gone=os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
