"""Web pages that a browser saved as one file (MHTML, RFC 2557): the page, read as any other."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes

from pipelines.errors import CorruptDocument
from pipelines.reading.html import page
from pipelines.reading.mail.headers import POLICY, header_of
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_PAGES = ("text/html", "application/xhtml+xml")


def read(source: Source) -> ParsedDocument:
    """Return the first page in the file, which is the one that was saved; others are frames in it.

    The metadata ``address`` is where the page was saved from.
    """
    data = source.content if isinstance(source.content, bytes) else source.text().encode()
    saved = message_from_bytes(data, policy=POLICY)
    found = next((part for part in saved.walk() if part.get_content_type() in _PAGES), None)
    content = found.get_payload(decode=True) if found is not None else None
    if found is None or not isinstance(content, bytes):
        raise CorruptDocument(source.format.label, "it holds no page; save it again in the browser")
    parsed = page.read(replace(source, content=content, charset=found.get_content_charset()))
    address = header_of(saved, "Snapshot-Content-Location") or header_of(found, "Content-Location")
    return replace(parsed, metadata={**parsed.metadata, "address": address} if address else parsed.metadata)
