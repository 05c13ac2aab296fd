"""Reads mailboxes in one file (mbox): each message becomes a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import BinaryIO

from pipelines.components.sources.items import Failed, Item, Remembered, SourceUnavailable, digest, safe_path
from pipelines.profile.sections.sources import MailSource
from pipelines.reading.mail.mailbox import messages_in, unquoted

_PIECE_BYTES = 1_000_000


class Mailbox:
    """Reads a `MailSource`, whose file is at ``path``; ``takes`` says whether a message of this file name is wanted."""

    forgets = True

    def __init__(self, section: MailSource, path: Path, most_bytes: int, takes: Callable[[str], bool]) -> None:
        self._section = section
        self._path = path
        self._most_bytes = most_bytes
        self._takes = takes

    def items(self, known: Mapping[str, Remembered]) -> Iterator[Item | Failed]:
        """See `Source`."""
        if not self._path.is_file():
            raise SourceUnavailable(self._section.name, f"there is no file {self._section.path}")
        try:
            self._require_header()
            yield from self._messages(known)
        except OSError as error:
            raise SourceUnavailable(self._section.name, f"{self._section.path}: {error}") from error

    def _require_header(self) -> None:
        """Refuse a file that was cut off before the empty line after its first header: it removes no message."""
        with self._path.open("rb") as file:
            lines = iter(partial(file.readline, _PIECE_BYTES), b"")  # a file without line ends is not held in memory
            cut_off = all(line.strip(b"\r\n") for line in lines)
        if cut_off and self._path.stat().st_size:
            detail = f"{self._section.path} ends within the header of its first message; it was cut off"
            raise SourceUnavailable(self._section.name, detail)

    def _messages(self, known: Mapping[str, Remembered]) -> Iterator[Item | Failed]:
        with self._path.open("rb") as file, self._path.open("rb") as read:
            for number, place in enumerate(messages_in(file), 1):
                read.seek(place.start)
                content = read.read(min(len(place), self._most_bytes + 1))
                left = max(len(place) - len(content), 0)
                key = digest(content, _pieces(read, left))
                path = safe_path(f"{key}.eml")
                if not self._takes(path):
                    continue
                if len(content) > self._most_bytes:
                    yield Failed(key, f"message {number} is over {self._most_bytes:,} bytes")
                else:
                    yield Item(key, path, None if key in known else unquoted(content))


def _pieces(file: BinaryIO, left: int) -> Iterator[bytes]:
    while left > 0 and (piece := file.read(min(left, _PIECE_BYTES))):
        left -= len(piece)
        yield piece
