"""Other programs, each given its input and a time, and ended when that is over or the tenant is closed."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pipelines.errors import OcrStopped


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """How a program ended: its exit code (below 0: the signal that ended it), and what it wrote."""

    code: int
    output: bytes
    messages: str


class Programs:
    """Runs programs without a shell; every method may be called from several threads."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False
        self._lock = threading.Lock()

    def run(self, command: Sequence[str], given: bytes, seconds: float) -> ProgramResult | None:
        """Run ``command`` with ``given`` as its standard input; None where it was not done in time, and was ended.

        Raises:
            OSError: It cannot be started.
            OcrStopped: This was closed.
        """
        program = self._started(command)
        try:
            output, messages = program.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(program)
            with self._lock:
                self._running.discard(program)
                closed = self._closed
        if closed:
            raise OcrStopped
        return ProgramResult(program.returncode, output, messages.decode(errors="replace"))

    def close(self) -> None:
        """End what runs; nothing more is started."""
        with self._lock:
            self._closed = True
            for program in self._running:
                _kill(program)

    def _started(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        # A program uses one processor: pages are read side by side. Ctrl-C reaches it through `close` only.
        with self._lock:
            if self._closed:
                raise OcrStopped
            program = subprocess.Popen(  # noqa: S603 - a list of arguments, without a shell
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
                start_new_session=True,
            )
            self._running.add(program)
            return program


def _end(program: subprocess.Popen[bytes]) -> None:
    """End a program that may be over, and close what it was talked to by."""
    if program.poll() is None:
        _kill(program)
    program.wait()
    for stream in (program.stdin, program.stdout, program.stderr):
        if stream is not None:
            with suppress(OSError):  # what it did not take of its input
                stream.close()


def _kill(program: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)
