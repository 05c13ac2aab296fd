"""What is kept of text recognition with a document, and when it is to be done again.

A document that has pages without text says so in its metadata: ``ocr_engine``, ``ocr_pages``, ``ocr_confidence`` of
what was recognised, ``unread_pages`` of what was not. ``ocr_settings`` names what it was read with, and is part of the
sha256 of what was offered: read otherwise, the same bytes are another version. Documents without such pages have none
of these, and are the same whatever the profile says of text recognition.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from pipelines.catalogue import ExtractCache
from pipelines.reading.ocr import DocumentOcr, Ocr
from pipelines.types import Metadata, Scan

SETTINGS = "ocr_settings"
_OFF = "off"
_MAX_LISTED = 10


class Scans:
    """Knows how pages without text are read at present; ``ocr`` is None if they are not."""

    def __init__(self, ocr: Ocr | None) -> None:
        self._ocr = ocr

    def reader_for(self, document_id: str) -> DocumentOcr | None:
        """Return what reads a document's pages without text."""
        return None if self._ocr is None else self._ocr.of(document_id)

    def metadata(self, scan: Scan | None) -> dict[str, Any]:
        """Return what a document's metadata says of its pages without text."""
        if scan is None:
            return {}
        values = {
            "ocr_engine": scan.reader if scan.read else None,
            "ocr_pages": ranges(scan.read),
            "ocr_confidence": scan.confidence,
            "unread_pages": ranges(scan.unread),
            SETTINGS: self._settings(scan),
        }
        return {key: value for key, value in values.items() if value}

    def stands(self, metadata: Metadata) -> bool:
        """Return whether reading the content again would give a version with this metadata.

        Where pages are no longer read, what was read before stays.
        """
        settings = metadata.get(SETTINGS)
        if settings is None or self._ocr is None:
            return True
        complete = "unread_pages" not in metadata
        return bool(settings == (self._ocr.text_settings if complete else self._ocr.settings))

    def _settings(self, scan: Scan) -> str:
        if self._ocr is None:
            return _OFF
        if not scan.unread:
            return self._ocr.text_settings
        if not scan.passing:
            return self._ocr.settings
        left = f"{self._ocr.settings} {ranges(scan.unread)}"
        return hashlib.sha256(left.encode()).hexdigest()[:16]  # which never stands


class ReadPages:
    """Keeps the text of pages that were recognised beside what a language model made of texts; see `PageCache`."""

    def __init__(self, cache: ExtractCache) -> None:
        self._cache = cache

    def known(self, key: bytes, document_id: str) -> list[str] | None:
        """Return what is kept under ``key`` for a document."""
        named = self._cache.key(key, document_id)
        kept = self._cache.get([named]).get(named)
        return kept if isinstance(kept, list) else None

    def keep(self, key: bytes, value: list[str], document_id: str) -> None:
        """Keep ``value``, until the document is purged."""
        named = self._cache.key(key, document_id)
        self._cache.put({named: value}, {named: document_id})


def hashed_with(sha256: str, metadata: Metadata) -> str:
    """Return the sha256 of an offer, combined with the settings that its scanned pages were read with."""
    settings = metadata.get(SETTINGS)
    return sha256 if settings is None else hashlib.sha256(f"{sha256}\0{settings}".encode()).hexdigest()


def note_on(scan: Scan | None) -> str | None:
    """Return a note on pages that were not read, or not well; None if all were."""
    if scan is None:
        return None
    by_reason: dict[str, list[int]] = {}
    for page, reason in (*scan.unread.items(), *scan.notes.items()):
        by_reason.setdefault(reason, []).append(page)
    listed = [f"page {ranges(pages)}: {reason}" for reason, pages in by_reason.items()]
    more = [f"and {len(listed) - _MAX_LISTED} more"] if len(listed) > _MAX_LISTED else []
    return "; ".join([*listed[:_MAX_LISTED], *more]) or None


def ranges(pages: Iterable[int]) -> str:
    """Return page numbers as people write them: ``1-3, 7``."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
