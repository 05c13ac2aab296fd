"""Outlook's messages: their main headers, their text, and the texts among their attachments, as for EML.

A message is a compound file with a stream for each property, named by its number and type ([MS-OXMSG]); a forwarded
message is a storage with the same streams below an attachment.
"""

from __future__ import annotations

import codecs
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.encoding import decode, normalised
from pipelines.reading.formats import TEXT, by_name
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.mail.bodies import readable
from pipelines.reading.mail.quotes import quoted_parts
from pipelines.reading.office.compounds import open_compound
from pipelines.reading.source import Source
from pipelines.reading.tidying import tidy
from pipelines.types import ParsedDocument

if TYPE_CHECKING:
    from olefile import OleFileIO

_SUBJECT, _BODY, _HTML, _TO, _CC = "0037", "1000", "1013", "0E04", "0E03"
_SENDER_NAMES, _SENDER_ADDRESSES = ("0C1A", "0042"), ("5D01", "0C1F", "0065")
_FILE_NAMES, _FILE_TYPE, _FILE_DATA = ("3707", "3704"), "370E", "3701"
_SENT, _DELIVERED, _PAGE_OF_MESSAGE, _PAGE_OF_BODY = 0x0039, 0x0E06, 0x3FFD, 0x3FDE
_UNICODE, _NARROW, _BINARY, _STORAGE = "001F", "001E", "0102", "000D"
_PROPERTIES = "__properties_version1.0"
_ATTACHMENT = "__attach_version1.0_"
_HEADER_OF_FILE, _HEADER_OF_FORWARDED, _HEADER_OF_ATTACHMENT = 32, 24, 8
_PAGES = {65001: "utf-8", 20127: "ascii", 28591: "iso8859-1", 28605: "iso8859-15", 50220: "iso2022_jp", 20866: "koi8-r"}
_FIRST_DAY = datetime(1601, 1, 1, tzinfo=UTC)
_DEEPEST = 6


@dataclass(frozen=True)
class _Storage:
    """A message or an attachment: the streams below ``path``, whose table of properties has a header of ``header``."""

    compound: OleFileIO[Any]
    path: tuple[str, ...]
    header: int

    @cached_property
    def _numbers(self) -> dict[int, bytes]:
        """The eight bytes of each property that fits into them."""
        data = self._stream(_PROPERTIES)[self.header :]
        whole = len(data) - len(data) % 16
        return {number: value for _, number, value in struct.iter_unpack("<HH4x8s", data[:whole])}

    def _stream(self, name: str) -> bytes:
        path = [*self.path, name]
        if not self.compound.exists(path):
            return b""
        try:
            with self.compound.openstream(path) as stream:
                return bytes(stream.read())
        except OSError as error:
            raise CorruptDocument("MSG", f"its stream {name} is damaged; get a fresh copy and ingest that") from error

    def number(self, property_: int) -> int:
        """Return a property that is a number; 0 where there is none."""
        return int.from_bytes(self._numbers.get(property_, b"")[:4], "little")

    def moment(self, *properties: int) -> datetime | None:
        """Return the first of these that is a time, which counts in 100 nanoseconds."""
        values = (int.from_bytes(self._numbers.get(one, b""), "little") for one in properties)
        ticks = next(filter(None, values), 0)
        try:
            return _FIRST_DAY + timedelta(microseconds=ticks // 10) if ticks else None
        except OverflowError:
            return None

    def text(self, *properties: str) -> str:
        """Return the first of these that says anything."""
        return next((found for found in map(self._text, properties) if found), "")

    def _text(self, property_: str) -> str:
        wide = self._stream(f"__substg1.0_{property_}{_UNICODE}")
        if wide:
            return wide.decode("utf-16-le", errors="ignore").replace("\0", "")
        narrow = self._stream(f"__substg1.0_{property_}{_NARROW}").rstrip(b"\0")
        return readable(narrow, "MSG", self._codec(_PAGE_OF_MESSAGE)) if narrow else ""

    def html(self) -> str:
        """Return the body's HTML, if there is any."""
        data = self.data(_HTML)
        return readable(data, "MSG", self._codec(_PAGE_OF_BODY)) if data else self.text(_HTML)

    def data(self, property_: str) -> bytes:
        """Return a property that is bytes."""
        return self._stream(f"__substg1.0_{property_}{_BINARY}").rstrip(b"\0")

    def _codec(self, property_: int) -> str | None:
        page = self.number(property_)
        name = _PAGES.get(page, f"cp{page}")
        try:
            return codecs.lookup(name).name
        except LookupError:
            return None

    def attachments(self) -> Iterator[_Storage]:
        """Yield the attachments in the order of their numbers."""
        depth = len(self.path)
        below = (entry for entry in self.compound.listdir(streams=False, storages=True) if len(entry) == depth + 1)
        own = (entry for entry in below if tuple(entry[:depth]) == self.path and entry[depth].startswith(_ATTACHMENT))
        for entry in sorted(own):
            yield _Storage(self.compound, tuple(entry), _HEADER_OF_ATTACHMENT)

    def forwarded(self) -> _Storage | None:
        """Return the message that an attachment is, if it is one."""
        path = (*self.path, f"__substg1.0_{_FILE_DATA}{_STORAGE}")
        is_message = self.compound.exists([*path, _PROPERTIES])
        return _Storage(self.compound, path, _HEADER_OF_FORWARDED) if is_message else None


def read(source: Source) -> ParsedDocument:
    """Return the message, its subject as title and first heading; a forwarded message stands below, a level deeper."""
    draft = Draft()
    with open_compound(source.data(), source.format.label) as compound:
        message = _Storage(compound, (), _HEADER_OF_FILE)
        _add_message(draft, message, 1)
        headers = _headers(message)
        sent = message.moment(_SENT, _DELIVERED)
        title = _line(message.text(_SUBJECT))
    metadata = {name.lower(): headers[name] for name in ("From", "To", "Cc")}
    return draft.finish(source.format, title or None, metadata | {"date": sent.date().isoformat() if sent else ""})


def _headers(message: _Storage) -> dict[str, str]:
    name, address = _line(message.text(*_SENDER_NAMES)), _line(message.text(*_SENDER_ADDRESSES))
    # Within a company the address is Exchange's own ("/O=ACME/OU=..."), which nobody writes.
    sender = f"{name} <{address}>".strip() if "@" in address and address != name else name
    sent = message.moment(_SENT, _DELIVERED)
    return {
        "From": sender,
        "To": _line(message.text(_TO)),
        "Cc": _line(message.text(_CC)),
        "Date": f"{sent:%Y-%m-%d %H:%M} UTC" if sent else "",
    }


def _add_message(draft: Draft, message: _Storage, level: int) -> None:
    draft.add_heading(level, _line(message.text(_SUBJECT)))
    draft.add("\n".join(f"{name}: {value}" for name, value in _headers(message).items() if value))
    body = message.text(_BODY)
    if body.strip():
        _add_text(draft, body, level)
    else:
        draft.add_stored(render_html(parse_html(message.html())))
    for attachment in message.attachments():
        _add_attachment(draft, attachment, min(level + 1, _DEEPEST))


def _add_attachment(draft: Draft, attachment: _Storage, level: int) -> None:
    forwarded = attachment.forwarded()
    if forwarded is not None:
        _add_message(draft, forwarded, level)
        return
    name = _line(attachment.text(*_FILE_NAMES))
    draft.add_heading(level, f"Attachment: {name}" if name else "")
    if by_name(name) is TEXT or attachment.text(_FILE_TYPE).startswith("text/plain"):
        with suppress(CorruptDocument):  # one that is damaged, or no text, is named alone
            _add_text(draft, decode(attachment.data(_FILE_DATA), "MSG"), level)


def _add_text(draft: Draft, text: str, level: int) -> None:
    """Add a text below a heading of this level; what it quotes has headings below that."""
    for part in quoted_parts(tidy(normalised(text, "MSG"))):
        draft.add_heading(min(level + 1, _DEEPEST), part.heading)
        for paragraph in part.text.split("\n\n"):
            draft.add(paragraph.strip())


def _line(text: str) -> str:
    return " ".join(text.split())
