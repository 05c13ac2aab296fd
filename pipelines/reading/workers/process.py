"""One child process that reads files, as its parent sees it."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Protocol

from pydantic import TypeAdapter

from pipelines.errors import (
    CorruptDocument,
    FootnoteError,
    ReaderStopped,
    ReaderUnavailable,
    ReadingTooCostly,
    ReadingTooSlow,
)
from pipelines.reading.formats import by_media_type, by_name
from pipelines.reading.page_text import PageReader, PageText, UnreadPage
from pipelines.reading.workers.channel import Channel
from pipelines.reading.workers.jobs import Job, SharedPages, message
from pipelines.reading.workers.last_lines import LastLines
from pipelines.types import ParsedDocument

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from pipelines.reading.workers.child import main; main()"
)
# A parser that is broken into finds no key of anybody's in its environment.
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "TZ")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_START_SECONDS = 60
_SECONDS_TO_END = 1
_PATIENCE, _LEAST_PATIENCE = 8, 120
"""By the clock a file may take so many times its processor time, and no less than so many seconds."""
_DOCUMENT = TypeAdapter(ParsedDocument)
_log = logging.getLogger(__name__)


class ReaderNotStarted(Exception):
    """The child ended before it began to read; the file has nothing to do with it."""


class PagesElsewhere(Protocol):
    """Has the later pages of a file read by another child; see `helper.Helper`."""

    def begin(self, first: int) -> bool:
        """Return whether they are being read."""
        ...

    def pages(self) -> SharedPages | None:
        """Wait for them; None: they could not be read."""
        ...


class ReaderProcess:
    """A child that reads one file at a time.

    ``begun``: it works on a file. ``usable``: it may be given another.
    """

    def __init__(self) -> None:
        self.begun, self.usable = False, True
        self._late = self._stopped = False
        self._program = subprocess.Popen(  # noqa: S603 - our own program, without a shell
            [sys.executable, "-B", "-c", _START, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**{name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}, **_ONE_THREAD},
            start_new_session=True,  # Ctrl-C does not reach it
        )
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        assert self._program.stderr is not None
        self._last_lines = LastLines(self._program.stderr)
        self._channel = Channel(self._program.stdout, self._program.stdin)

    def read(
        self, content: bytes | str, job: Job, ocr: PageReader | None, helper: PagesElsewhere | None
    ) -> ParsedDocument:
        """Read a file.

        Raises:
            UnreadableDocument: The file cannot be read, or not within its limits.
            ReaderNotStarted: The child was gone before; another one should be tried.
            ReaderStopped: `stop` was called.
        """
        self.usable = False
        reply = self._begin(content, job)
        while "document" not in reply and "error" not in reply:
            if "help_from" in reply or "helped" in reply:
                reply = self._exchange(_helped(reply, helper), job)
            else:
                reply = self._exchange([message(_recognised(reply, content, ocr))], job)
        document = self._document(job) if "document" in reply else None
        self._done(reply)
        if document is None:
            raise _error(reply)
        return document

    def read_pages(self, content: bytes, job: Job) -> SharedPages:
        """Read the later pages of a file for another child; errors as of `read`."""
        self.usable = False
        reply = self._begin(content, job)
        pages = SharedPages(self._frame(job), float(reply["seconds"])) if "seconds" in reply else None
        self._done(reply)
        if pages is None:
            raise _error(reply)
        return pages

    def _done(self, reply: dict[str, Any]) -> None:
        self.begun, self.usable = False, not reply.get("last")

    def _document(self, job: Job) -> ParsedDocument:
        document = _DOCUMENT.validate_json(self._frame(job))
        filled = tuple(replace(picture, content=self._frame(job)) for picture in document.pictures)
        return replace(document, pictures=filled)

    def stop(self) -> None:
        """End the child at once; a file that it reads fails with `ReaderStopped`."""
        self._stopped = True
        self._kill()

    def end(self) -> str:
        """Take down the child; return what it wrote to standard error."""
        if self._program.poll() is None:
            self._kill()
        self._program.wait()
        self._channel.close()
        return self._last_lines.text()

    def _begin(self, content: bytes | str, job: Job) -> dict[str, Any]:
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        try:
            with self._within(_START_SECONDS):
                self._channel.send(message(job))
                self._channel.send(b"\0" + data)  # no frame is empty
                begun = self._channel.receive()
        except OSError:
            begun = None
        if begun is None:
            raise ReaderStopped if self._stopped else ReaderNotStarted
        self.begun = True
        return self._receive(job)

    def _exchange(self, frames: Iterable[bytes], job: Job) -> dict[str, Any]:
        try:
            for frame in frames:
                self._channel.send(frame)
        except OSError as error:
            raise self._failure(job) from error
        return self._receive(job)

    def _receive(self, job: Job) -> dict[str, Any]:
        reply: dict[str, Any] = json.loads(self._frame(job))
        return reply

    def _frame(self, job: Job) -> bytes:
        with self._within(_patience(job)):
            frame = self._channel.receive(most=job.limits.memory_mb * 2**20)
        if frame is None:
            raise self._failure(job)
        return frame

    def _failure(self, job: Job) -> FootnoteError:
        """Return why the child ended in the middle of a file; log the last that it wrote to standard error."""
        code = self._exit_code()
        if self._stopped:
            return ReaderStopped()
        if code == -signal.SIGXCPU:
            return ReadingTooCostly.of_time(job.seconds)
        if self._late:
            return ReadingTooSlow(_patience(job))
        _log.warning(
            "a reader process ended (%s) in the middle of a file: %s", _ended_by(code), self._last_lines.text()
        )
        remedy = "get a fresh copy and ingest that"
        if code == -signal.SIGABRT:  # so PDFium ends when memory runs out
            remedy += f"; if it is large, split it, or raise limits -> reading -> memory_mb ({job.limits.memory_mb})"
        return CorruptDocument(_label(job), f"its parser crashed ({_ended_by(code)}); {remedy}")

    def _exit_code(self) -> int:
        """Return how the child ended, by itself if it does so within a second of closing its pipe."""
        with suppress(subprocess.TimeoutExpired):
            return self._program.wait(_SECONDS_TO_END)
        self._kill()
        return self._program.wait()

    @contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        timer = threading.Timer(seconds, self._give_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _give_up(self) -> None:
        self._late = True
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            self._program.kill()


def _helped(asked: dict[str, Any], helper: PagesElsewhere | None) -> list[bytes]:
    """Answer a child that asks another to read pages, or asks for these pages."""
    if "help_from" in asked:
        return [message({"began": helper is not None and helper.begin(int(asked["help_from"]))})]
    found = None if helper is None else helper.pages()
    return [message({})] if found is None else [message({"seconds": found.seconds}), found.packed]


def _recognised(asked: dict[str, Any], content: bytes | str, ocr: PageReader | None) -> dict[str, Any]:
    """Answer a child that asks for text recognition."""
    if ocr is None or not isinstance(content, bytes):
        raise ReaderUnavailable("a reader asked for text recognition, which is switched off")
    if "pages_in" in asked:
        count = ocr.pages_in(content)
        return {"unread": count} if isinstance(count, UnreadPage) else {"count": count}
    found = ocr.read(content, asked["kind"], asked["pages"])
    return {
        "texts": {page: text for page, text in found.items() if isinstance(text, PageText)},
        "unread": {page: why for page, why in found.items() if isinstance(why, UnreadPage)},
    }


def _error(reply: dict[str, Any]) -> FootnoteError:
    """Return the error that a child reports, as the class that has its code."""
    code, message = str(reply["error"]["code"]), str(reply["error"]["message"])
    if reply.get("trace"):
        _log.info("a parser failed: %s\n%s", message, reply["trace"])
    kind = next((known for known in _kinds(FootnoteError) if known.code == code), FootnoteError)
    error = kind.__new__(kind)
    FootnoteError.__init__(error, message)
    return error


def _patience(job: Job) -> int:
    return max(_PATIENCE * job.seconds, _LEAST_PATIENCE)


def _label(job: Job) -> str:
    known = by_media_type(job.media_type or "") or by_name(job.name or "")
    return known.label if known else ""


def _kinds(above: type[FootnoteError]) -> Iterator[type[FootnoteError]]:
    for kind in above.__subclasses__():
        yield kind
        yield from _kinds(kind)


def _ended_by(code: int) -> str:
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"exit code {code}"
