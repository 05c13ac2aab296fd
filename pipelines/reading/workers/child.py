"""The program of a child: it reads files until its parent is gone, or sends none for a minute."""

from __future__ import annotations

import faulthandler
import math
import os
import re
import select
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from json import loads
from typing import Any

from pipelines.errors import CorruptDocument, DocumentTooLarge, FootnoteError, ReadingTooCostly
from pipelines.reading import pages_from, parse, source_of
from pipelines.reading.formats import CODE, CSV, LOG, MARKDOWN, SETTINGS, TEXT
from pipelines.reading.page_text import Kind, PageText, UnreadPage
from pipelines.reading.source import Source
from pipelines.reading.workers.channel import Channel
from pipelines.reading.workers.confinement import confine
from pipelines.reading.workers.jobs import Job, ReadingLimits, job_of, message
from pipelines.types import ParsedDocument

try:
    import resource
except ImportError:  # not a Unix: the parent keeps the time, nothing keeps the memory
    resource = None  # type: ignore[assignment]

_IDLE_SECONDS = 60
_LONGEST_TRACE = 20_000
_MOST_BLOCKS = 300_000
_KEPT_WHOLE = frozenset((TEXT, LOG, CSV, *SETTINGS, *CODE))
_HIDES_LINES = re.compile(
    r"<(?!https?:|br\b)[!?a-z]|\{[%{<#/]|^[ \t]{0,8}(?:```|~~~|:::)[`~:]{0,8}[ \t]{0,8}\{|^export\s",
    re.IGNORECASE | re.MULTILINE,
)
"""What may begin lines of Markdown that are not shown: comments, HTML, templates and directives."""
_WITH_SIGNS = re.compile(r"^.*[\[\]<>{}%].*$", re.MULTILINE)
"""A line of Markdown of which only a part may be shown, such as one with a link."""
_NO_WORDS = re.compile(r"[\W_]+")
_PART = 1_000_000
"""Characters that are looked at together."""
_RECYCLED_SHARE = 0.5
"""Of the memory that a file may take: a child that held so much ends after its file."""


def main() -> None:
    """Read files, one job after the other."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    channel = Channel(source, target)
    faulthandler.enable()  # a crash leaves its trace on standard error
    _forbid_files()
    confine()
    while _wait_for_work(0):
        frame, content = channel.receive(), channel.receive()
        if frame is None or content is None:
            return
        _silence()  # a parser that prints would speak into the pipe of replies
        job = job_of(frame)
        channel.send(message({"begun": True}))
        if not _work(job, content, channel):
            return


def _wait_for_work(file: int) -> bool:
    """Wait for the next job. Return False after a minute without one; Windows waits for ever."""
    return sys.platform == "win32" or bool(select.select([file], [], [], _IDLE_SECONDS)[0])


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _work(job: Job, content: bytes, channel: Channel) -> bool:
    """Do a job. Return whether another may follow."""
    began = time.process_time()
    outcome = _outcome(job, content, channel)
    if isinstance(outcome, list):
        last = _has_grown(job.limits)
        told = {"document": True} if job.pages_from is None else {"seconds": time.process_time() - began}
        channel.send(message({**told, "last": last}))
        for frame in outcome:
            channel.send(frame)
        return not last
    last = outcome.setdefault("last", _has_grown(job.limits))
    channel.send(message(outcome))
    return not last


def _frames(document: ParsedDocument) -> list[bytes]:
    """Return the document as the parent gets it, with the files of its pictures behind it."""
    unfilled = tuple(replace(picture, content=b"") for picture in document.pictures)
    return [message(replace(document, pictures=unfilled)), *(picture.content for picture in document.pictures)]


def _outcome(job: Job, content: bytes, channel: Channel) -> list[bytes] | dict[str, Any]:
    """Return the document as the parent gets it, or what went wrong."""
    ocr = None if job.ocr is None else _ParentsOcr(channel, job.ocr)
    _limit(job)
    try:
        if job.pages_from is not None:
            return [pages_from(content[1:], job.pages_from)]
        given = content[1:].decode("utf-8", "surrogatepass") if job.text else content[1:]
        helper = _Sibling(channel)
        source = source_of(
            given, name=job.name, media_type=job.media_type, ocr=ocr, pictures=job.pictures, helper=helper
        )
        _require_short_text(source, job.limits)
        document = parse(source)
        _require_short(document, job.limits)
        return _frames(document)
    except MemoryError:
        _unlimit()
        return {"error": _fields(ReadingTooCostly.of_memory(job.limits.memory_mb)), "last": True}
    except FootnoteError as error:
        return {"error": _fields(error), "trace": _trace(error)}
    except Exception as error:  # noqa: BLE001 - a bug: the file fails with its cause, and the child goes on
        failed = CorruptDocument("", f"reading it failed ({type(error).__name__}); please report this as a bug")
        failed.__cause__ = error
        return {"error": _fields(failed), "trace": _trace(failed)}


def _require_short_text(source: Source, limits: ReadingLimits) -> None:
    """Refuse at once a text whose words alone are over twice the limit, which would take a minute to be parsed first.

    Rules, blanks and running lines go from a text, its words do not. Of Markdown only lines that are shown as they
    stand count.
    """
    most, is_markdown = 2 * limits.chars, source.format is MARKDOWN
    if not (is_markdown or source.format in _KEPT_WHOLE) or len(source.content) <= most:
        return
    text, words = source.text(), 0
    if is_markdown and _HIDES_LINES.search(text):
        return
    shown = _WITH_SIGNS.sub("", text) if is_markdown else text
    for start in range(0, len(shown), _PART):
        words += len(_NO_WORDS.sub("", shown[start : start + _PART]))
        if words > most:
            raise DocumentTooLarge(len(text), limits.chars, "characters", "limits -> content_chars")


def _require_short(document: ParsedDocument, limits: ReadingLimits) -> None:
    if len(document.text) > limits.chars:
        raise DocumentTooLarge(len(document.text), limits.chars, "characters", "limits -> content_chars")
    if len(document.blocks) > _MOST_BLOCKS:
        found = f"it has {len(document.blocks):,} paragraphs, rows and items"
        raise CorruptDocument("", f"{found}, more than the {_MOST_BLOCKS:,} that are read; split it")


def _fields(error: FootnoteError) -> dict[str, str]:
    return {"code": error.code, "message": error.message}


def _trace(error: FootnoteError) -> str:
    """Return how the parser failed, for the log; empty where Footnote itself found what is wrong."""
    cause = error.__cause__
    if cause is None or isinstance(cause, FootnoteError):
        return ""
    return "".join(traceback.format_exception(cause))[-_LONGEST_TRACE:]


class _ParentsOcr:
    """Text recognition by the parent, which has the file, the engine and its cache."""

    def __init__(self, channel: Channel, name: str) -> None:
        self._channel = channel
        self.name = name

    def pages_in(self, image: bytes) -> int | UnreadPage:
        """See `PageReader`; the parent knows the image."""
        answer = self._ask({"pages_in": True})
        return int(answer["count"]) if "count" in answer else UnreadPage(**answer["unread"])

    def read(self, content: bytes, kind: Kind, pages: Sequence[int]) -> dict[int, PageText | UnreadPage]:
        """See `PageReader`; the parent knows the content."""
        answer = self._ask({"pages": list(pages), "kind": kind})
        texts = {int(page): PageText(**text) for page, text in answer["texts"].items()}
        unread = {int(page): UnreadPage(**why) for page, why in answer["unread"].items()}
        return {page: texts[page] if page in texts else unread[page] for page in pages}

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        return _asked(self._channel, question)


class _Sibling:
    """Another child, which the parent may have read later pages."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def begin(self, first: int) -> bool:
        """See `PageHelper`."""
        return bool(_asked(self._channel, {"help_from": first})["began"])

    def pages(self) -> bytes | None:
        """See `PageHelper`; what they took counts as if they had been read here."""
        answer = _asked(self._channel, {"helped": True})
        if "seconds" not in answer:
            return None
        _shorten(answer["seconds"])
        return _received(self._channel)


def _asked(channel: Channel, question: dict[str, Any]) -> dict[str, Any]:
    channel.send(message(question))
    answer: dict[str, Any] = loads(_received(channel))
    return answer


def _received(channel: Channel) -> bytes:
    frame = channel.receive()
    if frame is None:
        sys.exit(1)  # the parent is gone
    return frame


def _limit(job: Job) -> None:
    """Bound what the next file may take; the kernel ends a process that takes more time."""
    if resource is None:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _set(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime + job.seconds))
    _set(resource.RLIMIT_AS, job.limits.memory_mb * 2**20)


def _shorten(seconds: float) -> None:
    """Take time from what the present file may still take."""
    if resource is not None:
        _set(resource.RLIMIT_CPU, max(resource.getrlimit(resource.RLIMIT_CPU)[0] - math.ceil(seconds), 1))


def _unlimit() -> None:
    if resource is not None:
        _set(resource.RLIMIT_AS, resource.RLIM_INFINITY)


def _forbid_files() -> None:
    """Let no parser write a file, or leave a core behind."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _set(which: int, soft: int) -> None:
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _has_grown(limits: ReadingLimits) -> bool:
    return _peak() > _RECYCLED_SHARE * limits.memory_mb * 2**20


def _peak() -> int:
    """Return the most bytes that this process ever held; 0 where that is not known.

    The kernel's ``ru_maxrss`` begins with the parent's.
    """
    try:
        with open("/proc/self/status", encoding="ascii", errors="ignore") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")), 0)
    except OSError:  # not Linux
        return 0


if __name__ == "__main__":
    main()
