"""Web pages that a browser saved as one file (MHTML, RFC 2557): the page, read as any other."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage, Message
from typing import Any

from pipelines.errors import CorruptDocument
from pipelines.reading.html import page
from pipelines.reading.mail.headers import header_of, message_of
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_PAGES = ("text/html", "application/xhtml+xml")


def read(source: Source) -> ParsedDocument:
    """Return the page that was saved; others in the file are frames in it.

    The metadata ``address`` is where the page was saved from.
    """
    saved = message_of(source)
    found = _page_in(saved)
    content = found.get_payload(decode=True) if found is not None else None
    if found is None or not isinstance(content, bytes):
        raise CorruptDocument(source.format.label, "it holds no page; save it again in the browser")
    parsed = page.read(replace(source, content=content, charset=found.get_content_charset()))
    address = header_of(saved, "Snapshot-Content-Location") or header_of(found, "Content-Location")
    return replace(parsed, metadata={**parsed.metadata, "address": address} if address else parsed.metadata)


def _page_in(saved: EmailMessage) -> Message[Any, Any] | None:
    """Return the page that ``start`` names, else the first one (RFC 2387)."""
    pages = [part for part in saved.walk() if part.get_content_type() in _PAGES]
    starts = {str(start).strip("<>") for part in saved.walk() if (start := part.get_param("start"))}
    named = (page for page in pages if header_of(page, "Content-ID").strip("<>") in starts)
    return next(named, pages[0] if pages else None)
