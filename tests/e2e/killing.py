"""Kills a tenant's process again and again, and knows what should be left of its documents."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
Step = list[Any]
Text = str | None
"""A document's text; None where there is no document."""


class Executioner:
    """A process that makes victims, one at a time; see `tests.e2e.victim`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._pid = 0
        self.took: dict[str, float] = {}  # seconds, by the names of steps: when it is worth killing
        self._hear("ready")

    def fork(self, profile: Path, data: Path) -> None:
        """Begins a victim, which opens its tenant."""
        self._tell({"profile": str(profile), "data": str(data)})
        self._pid = self._hear("pid")
        self._since = time.monotonic()

    def opened(self) -> dict[str, Any]:
        """What the victim found when it had opened its tenant."""
        found: dict[str, Any] = self._hear("seen")
        self.took["open"] = time.monotonic() - self._since
        return found

    def ask(self, *question: Any) -> Any:
        """What the victim sees of the past."""
        self._tell(list(question))
        return self._hear("past")

    def begin(self, step: Step) -> None:
        """Lets the victim begin a step."""
        self._tell(step)
        self._hear("begun")
        self._since = time.monotonic()

    def finish(self, step: Step) -> int:
        """Waits until a step is done; gives how many jobs there were by then."""
        jobs: int = self._hear("done")
        self.took[step[0]] = time.monotonic() - self._since
        return jobs

    def kill(self) -> None:
        """``kill -9``."""
        os.kill(self._pid, signal.SIGKILL)
        while not (said := self._said()).keys() & {"gone"}:
            assert "failed" not in said, said["failed"]
        assert said["gone"] in (-signal.SIGKILL, 0)

    def _tell(self, what: Any) -> None:
        assert self._process.stdin is not None
        print(json.dumps(what), file=self._process.stdin, flush=True)

    def _hear(self, what: str) -> Any:
        said = self._said()
        assert what in said, said.get("failed", said)
        return said[what]

    def _said(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process that makes victims ended"
        said: dict[str, Any] = json.loads(line)
        return said


@contextmanager
def executioner() -> Iterator[Executioner]:
    """An executioner, until the block ends."""
    # One thread for the arithmetic of numpy: a process that forks should have no others.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.e2e.victim"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, text=True, **pipes)
    try:
        yield Executioner(process)
    finally:
        stdin: IO[str] | None = process.stdin
        if stdin is not None:
            stdin.close()
        try:
            process.wait(60)
        finally:
            process.kill()
        if process.stdout is not None:
            process.stdout.close()


@dataclass(slots=True)
class Expected:
    """What should be left of every document: a text, or one of two where a step was under way."""

    texts: dict[str, Text] = field(default_factory=dict)
    doubtful: dict[str, Text] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    past: dict[int, dict[str, tuple[int, str]]] = field(default_factory=dict)

    def will(self, changes: dict[str, Text], erased: Iterable[str] = ()) -> None:
        """Something is begun: afterwards each of these documents has its text or the new one."""
        self.doubtful = changes
        for document_id in erased:
            for known in self.past.values():
                known.pop(document_id, None)

    def did(self) -> None:
        """It is done: it must not be lost."""
        self.texts |= self.doubtful
        self.doubtful = {}

    def compare(self, found: dict[str, Any]) -> None:
        """Fails unless ``found`` is what may be, and takes it for what is from now on."""
        assert found["problems"] == []
        documents = {name: (version, text) for name, (version, text) in found["documents"].items()}
        for name in self.texts.keys() | self.doubtful.keys() | documents.keys():
            version, text = documents.get(name, (0, None))
            before = self.texts.get(name)
            assert text in (before, self.doubtful.get(name, before)), f"{name} is {text!r} in version {version}"
            newest = self.versions.get(name, 0)
            assert version >= newest + (text != before) or text is None, f"{name}: version {version} after {newest}"
            self.versions[name] = max(version, newest)
        self.texts = {name: text for name, (_, text) in documents.items()}
        self.doubtful = {}
        self.past = {at: known for at, known in self.past.items() if at >= found["horizon"]}
        self.past[found["snapshot"]] = documents
