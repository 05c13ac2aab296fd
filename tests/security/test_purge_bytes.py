"""After a purge no file under the data folder holds the document: its text, its title, its source or its id."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pipelines.engine import Engine, open_engine
from pipelines.errors import DocumentNotFound
from pipelines.ingestion.tickets import ticket
from pipelines.jobs.runner import run_jobs
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant
from tests.e2e.killing import Executioner, executioner
from tests.pipelines.jobs.tenants import wait_until
from tests.pipelines.reading.picture_files import image, word_file
from tests.pipelines.reading.reader_files import pdf

PROFILE = """
tenant: vault
metadata: {fields: {name: {type: keyword}}}
chunking: {size: 32, overlap: 0}
embedding: {quantize: int8, threads: 1}
"""
ID, SOURCE, TITLE, WORD = "vault-id-4711", "minutes-quokka.md", "The Numbat Papers", "zyzzyva-88"
TEXT = f"The code of the safe is {WORD}. Only the board knows that the code is kept in the cellar. "
MOMENTS = 6
_ZEROS = bytes(1 << 16)


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    file = tmp_path / "vault.yaml"
    file.write_text(PROFILE, encoding="utf-8")
    return file


@pytest.fixture
def engine(profile: Path, tmp_path: Path) -> Iterator[Engine]:
    with open_engine(profile, tmp_path / "data") as opened:
        yield opened


def files_with(folder: Path, *words: str) -> dict[str, list[str]]:
    """The files below ``folder`` that hold one of ``words``, in their name or in their bytes."""
    found: dict[str, list[str]] = {}
    for where, _, names in os.walk(folder):  # which does not mind what goes meanwhile
        for file in (Path(where) / name for name in names):
            try:
                held = _bytes_of(file)
            except FileNotFoundError:
                continue
            path = str(file.relative_to(folder))
            if words_in := [word for word in words if word in path or any(one in held for one in _spellings(word))]:
                found[path] = words_in
    return found


def _bytes_of(file: Path) -> bytes:
    """What a file holds, with one zero for each block of zeros: most of a store's files is room for later."""
    with file.open("rb", buffering=0) as opened:
        blocks = iter(partial(opened.read, len(_ZEROS)), b"")
        return b"".join(b"\0" if block == _ZEROS else block for block in blocks)


def _spellings(word: str) -> set[bytes]:
    return {word.encode(), word.casefold().encode(), word.encode("utf-16-le")}


def other(number: int) -> DocumentInput:
    return DocumentInput(f"Beagle {number} barks at the moon and sleeps all day. " * 3, f"beagle-{number}")


def bring_in_by_job(engine: Engine, data: Path) -> None:
    """A document that also stands in the list of a job's files."""
    engine.jobs.submit("ingest", [DocumentInput(TEXT, ID, source=SOURCE, title=TITLE)])
    with run_jobs([engine.work], data):
        while any(job.state in ("queued", "running") for job in engine.jobs.list().jobs):
            time.sleep(0.02)


def use(engine: Engine) -> None:
    """Leave traces of the document wherever use leaves some."""
    for question in (f"What is {WORD}?", f"What do {TITLE} say of the safe?", f"What does {SOURCE} say?"):
        engine.search(question)
        answer = engine.answer(question, conversation_id="mine")
        engine.feedback(answer.answer_id, helpful=False, comment=f"{WORD} is wrong")
    engine.search("only the board knows that the code is kept")
    engine.answer("Who knows of the safe?", conversation_id="other")


def test_no_file_holds_a_purged_document_or_its_conversations(engine: Engine, tmp_path: Path) -> None:
    data = tmp_path / "data"
    engine.ingest([other(number) for number in range(5)])
    bring_in_by_job(engine, data)
    engine.ingest([DocumentInput(f"{TEXT} Since May.", ID, source=SOURCE, title=TITLE)])
    use(engine)
    engine.stats()
    assert files_with(data, WORD)
    receipt = engine.delete(ID, purge=True, patience_s=None)
    assert files_with(data, WORD, TITLE, SOURCE, ID, "kept in the cellar") == {}
    assert receipt.purge is not None
    assert receipt.purge.state == "erased"
    assert {name for name, count in receipt.purge.removed.items() if not count} <= {"cached_answers", "extracts"}
    engine.close()
    assert files_with(data, WORD, TITLE, SOURCE, ID, "kept in the cellar") == {}
    assert sqlite3.connect(data / "vault" / "catalogue.sqlite").execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_no_file_holds_a_purged_pdf_that_was_kept_as_it_came(engine: Engine, tmp_path: Path) -> None:
    data = tmp_path / "data"
    engine.ingest([DocumentInput(pdf([[f"The code is {WORD}."]]), ID, source="minutes-quokka.pdf", title=TITLE)])
    assert engine.page_image(ID, 1).png.startswith(b"\x89PNG")
    engine.delete(ID, purge=True, patience_s=None)
    assert files_with(data, WORD, "minutes-quokka", "%PDF-") == {}


def test_no_file_holds_the_pictures_of_a_purged_document(open_tenant: OpenTenant, tmp_path: Path) -> None:
    engine = open_tenant("tenant: vault\npictures: {keep: true}\n")
    content = word_file([f"The code is {WORD}.", (image("crimson"), f"{WORD} drawn"), (image("teal", kind="JPEG"), "")])
    engine.ingest([other(1), DocumentInput(content, ID, source="minutes-quokka.docx", title=TITLE)])
    kept = [engine.picture(ID, number).content for number in (1, 2)]
    pieces = [picture[len(picture) // 2 :][:24] for picture in kept]
    assert all(_files_with_bytes(tmp_path / "data", piece) for piece in pieces)
    receipt = engine.delete(ID, purge=True, patience_s=None)
    assert receipt.purge is not None
    assert receipt.purge.removed["pictures"] == 2
    assert files_with(tmp_path / "data", WORD, "minutes-quokka") == {}
    assert not any(_files_with_bytes(tmp_path / "data", piece) for piece in pieces)


def _files_with_bytes(folder: Path, piece: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and piece in _bytes_of(path)]


def test_a_purge_of_many_chunks_reaches_every_segment_and_the_log(engine: Engine, tmp_path: Path) -> None:
    fillers = " ".join(f"Sentence {n} of many tells of beagles." for n in range(3_000))
    engine.ingest([DocumentInput(fillers, "long"), DocumentInput(TEXT * 400, ID, source=SOURCE, title=TITLE)])
    engine.optimize()
    engine.ingest([DocumentInput(TEXT * 300, ID, source=SOURCE, title=TITLE)])
    before = [(hit.chunk_id, hit.score) for hit in engine.search("sentence 77 of many").hits]
    engine.delete(ID, purge=True, patience_s=None)
    assert files_with(tmp_path / "data", WORD, TITLE, SOURCE, ID) == {}
    assert [(hit.chunk_id, hit.score) for hit in engine.search("sentence 77 of many").hits] == before


def test_many_purges_at_once_write_the_store_again_a_few_times_only(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"secret-{number}" for number in range(12)]
    engine.ingest([DocumentInput(f"The word of {name} is {name}-word.", name) for name in names])
    runs: list[int] = []
    scrub = engine._parts.indexes.current.store.scrub

    def scrub_when_all_wait(_: object) -> None:
        wait_until(lambda: engine.stats().documents == 0, "every document is deleted")
        runs.append(1)
        scrub()

    monkeypatch.setattr(type(engine._parts.indexes.current.store), "scrub", scrub_when_all_wait)
    with ThreadPoolExecutor(len(names)) as pool:
        receipts = list(pool.map(lambda name: engine.delete(name, purge=True, patience_s=None), names))
    assert {receipt.purge.state for receipt in receipts if receipt.purge} == {"erased"}
    assert len(runs) <= 3
    assert files_with(tmp_path / "data", *names) == {}


def test_a_purged_document_that_comes_back_has_a_new_version_number_and_another_receipt(engine: Engine) -> None:
    engine.ingest([other(1)])
    first = engine.delete("beagle-1", purge=True)
    assert engine.ingest([other(1)])[0].version == 2
    assert engine.delete("beagle-1", purge=True).snapshot > first.snapshot


def test_an_offer_from_before_a_purge_does_not_bring_the_document_back(engine: Engine) -> None:
    engine.ingest([other(1)])
    late = replace(other(1), accepted=ticket())
    engine.delete("beagle-1", purge=True)
    assert engine.ingest([late])[0].version == 0
    with pytest.raises(DocumentNotFound):
        engine.document("beagle-1")


def test_a_purge_that_is_killed_at_any_moment_is_finished_by_the_next_process(profile: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with executioner() as victims:
        took = _purge(victims, profile, data, "lasting-0", kill_after=None)
        for moment in range(MOMENTS):
            name = f"doomed-{moment}"
            _purge(victims, profile, data, name, kill_after=took * moment / MOMENTS)
            victims.fork(profile, data)
            victims.opened()
            victims.begin(["erase", name])
            victims.finish(["erase", name])
            assert files_with(data, name) == {}, f"killed after {took * moment / MOMENTS:.3f} s"
            victims.kill()
            assert files_with(data, name) == {}


def test_a_killed_purge_resumes_when_the_tenant_is_opened_again(profile: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with executioner() as victims:
        took = _purge(victims, profile, data, "lasting-0", kill_after=None)
        _purge(victims, profile, data, "doomed", kill_after=took / 2)
    with open_engine(profile, data) as engine:
        readable = {document.document_id for document in engine.documents().documents}
        deadline = time.monotonic() + 120
        while "doomed" not in readable and files_with(data, "doomed"):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def _purge(victims: Executioner, profile: Path, data: Path, name: str, kill_after: float | None) -> float:
    """Bring a document in, and purge it in a process that is killed meanwhile; return how long a purge takes."""
    victims.fork(profile, data)
    victims.opened()
    for step in (["ingest", [[name, 1], ["staying", 1]]], ["erase", name]):
        victims.begin(step)
        if step[0] == "erase" and kill_after is not None:
            time.sleep(kill_after)
        else:
            victims.finish(step)
    victims.kill()
    return victims.took.get("erase", 0.0)
