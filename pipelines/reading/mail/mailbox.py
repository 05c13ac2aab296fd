"""Mailboxes in mbox files, as mail programs export them: each message is a document of its own (RFC 4155)."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import BinaryIO

from pipelines.errors import CorruptDocument
from pipelines.reading.formats import MBOX
from pipelines.reading.mail.headers import header_of, parsed_headers, sent_at

MOST_MESSAGES = 100_000
LARGEST_IN_MEMORY = 128 * 2**20
"""Bytes of a mailbox of which all is held in memory."""
_MOST_HEAD = 2**16
"""Bytes of a message in which its subject and date are looked for."""
_PIECE = 2**18
"""Bytes that are looked at together."""
_LONGEST_NAME = 100
"""Characters of a subject in the name of its message."""
_DIGITS = 8
# "From ann@example.com Thu Jan  1 10:00:00 2026", "From - Thu ..."; some programs leave the time away, or all.
# A byte order mark may stand before the first.
_SEPARATOR = re.compile(
    rb"(?<=\n)\r?\n(?:\xef\xbb\xbf)?From (?:\S{0,200}[ \t]{0,8}|.{0,300}\d:\d\d.{0,100})\r?\n(?=[!-9;-~]{1,100}:)"
)
_LONGEST_SEPARATOR = 1_000
"""Bytes of a separator with what stands before and behind it, at most."""
_BEFORE = b"\n\n"
"""What makes the beginning of a file as good as an empty line."""
_EMPTY_LAST_LINE = re.compile(rb"(?<=\n)\r?\n\Z")
_QUOTED = re.compile(rb"^>(>{0,100}From )", re.MULTILINE)
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|\s]+')


class MailArchive:
    """An open mailbox; ``files`` holds the sizes of its messages by their names, in order.

    A name is when the message was sent and its subject, ``2026-03-01 1430 Keys of the boat house.eml``: it stays when
    the mailbox is exported again with more messages, or fewer.

    Raises:
        UnreadableDocument: It holds no messages, or more than is allowed.
    """

    def __init__(self, file: BinaryIO | Path) -> None:
        self._file = file
        self._lock = Lock()
        with self._opened() as opened:
            self._places = _named(opened)
        self.files: Mapping[str, int] = MappingProxyType({name: len(place) for name, place in self._places.items()})
        if not self.files:
            raise CorruptDocument(MBOX.label, 'it holds no messages, each below a line that begins with "From "')

    def read(self, name: str) -> bytes:
        """Return the bytes of the message ``name``, one of `files`.

        Raises:
            FileNotFoundError: No such name.
        """
        place = self._places.get(name)
        if place is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        with self._opened() as opened:
            return unquoted(_bytes(opened, place))

    def read_all(self) -> dict[str, bytes]:
        """Return the bytes of every message.

        Raises:
            UnreadableDocument: They are more than should be held in memory.
        """
        total = sum(self.files.values())
        if total > LARGEST_IN_MEMORY:
            found = f"its messages take {total:,} bytes, more than the {LARGEST_IN_MEMORY:,} that are allowed here"
            raise CorruptDocument(MBOX.label, f"{found}; split it, or put it into a knowledge folder")
        return {name: self.read(name) for name in self.files}

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        if isinstance(self._file, Path):
            with self._file.open("rb") as opened:
                yield opened
        else:
            with self._lock:
                yield self._file


def _named(file: BinaryIO) -> dict[str, range]:
    """Return where each message stands, by its name; copies of one are left out.

    Of those of one minute and subject, all but the first have a digest in their names: a number would change when a
    message before is deleted.
    """
    named: dict[str, range] = {}
    places = list(islice(messages_in(file), MOST_MESSAGES + 1))
    if len(places) > MOST_MESSAGES:
        found = f"it holds more than the {MOST_MESSAGES:,} messages that are allowed"
        raise CorruptDocument(MBOX.label, f"{found}; split it")
    for place in places:
        stem = _stem(_bytes(file, place[:_MOST_HEAD]))
        name = f"{stem}.eml"
        if name in named:
            content = _bytes(file, place)
            if _is_copy(file, named[name], content):
                continue
            digest = sha256(content).hexdigest()
            name = f"{stem} ({digest[:_DIGITS]}).eml"
            if name in named and not _is_copy(file, named[name], content):
                name = f"{stem} ({digest}).eml"  # some digests begin alike, and a subject may end in one
        named[name] = place
    return named


def _is_copy(file: BinaryIO, place: range, content: bytes) -> bool:
    return len(place) == len(content) and _bytes(file, place) == content


def _stem(head: bytes) -> str:
    message = parsed_headers(head)
    subject = _NOT_IN_NAMES.sub(" ", header_of(message, "Subject")).strip(" .")[:_LONGEST_NAME].strip()
    return f"{sent_at(message, '%Y-%m-%d %H%M')} {subject or 'without subject'}".strip()


def _bytes(file: BinaryIO, place: range) -> bytes:
    file.seek(place.start)
    return file.read(len(place))


def unquoted(message: bytes) -> bytes:
    """Return a message without the signs that a mailbox has before lines that begin with "From "."""
    if b">From " not in message:
        return message
    parts, start = [], 0
    while start < len(message):  # piece by piece: other threads of a server wait while one is looked through
        end = message.find(b"\n", start + _PIECE) + 1 or len(message)
        parts.append(_QUOTED.sub(rb"\1", message[start:end]))
        start = end
    return b"".join(parts)


def messages_in(file: BinaryIO) -> Iterator[range]:
    """Yield where in a file each message stands, without the empty line and the separator before the next one.

    A sentence of a message may begin with "From " too. A separator has an empty line before it and a header behind it.
    """
    begin = None
    place, held = -len(_BEFORE), _BEFORE  # where in the file what is held begins
    while True:
        piece = file.read(_PIECE)
        held += piece
        # What may go on in the next piece is looked at with that.
        end = len(held) - _LONGEST_SEPARATOR if piece else len(held)
        for found in _SEPARATOR.finditer(held):
            if found.start() >= end:
                break
            if begin is not None:
                yield range(begin, place + found.start())
            begin = place + found.end()
        if not piece:
            break
        kept = max(end - 1, 0)  # with the line end before what is looked at next
        place, held = place + kept, held[kept:]
    if begin is not None:
        last = _EMPTY_LAST_LINE.search(held)
        yield range(begin, place + (last.start() if last else len(held)))
