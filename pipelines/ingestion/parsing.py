"""Reads an offered document: its content, within the profile's limits, and its text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipelines.components.extractors.frontmatter import extract_frontmatter
from pipelines.components.extractors.language import extract_language
from pipelines.errors import DocumentTooLarge, EmptyDocument, InvalidDocument, Problem
from pipelines.ingestion.metadata import without_nul
from pipelines.ingestion.offers import encoded
from pipelines.ingestion.scans import Scans
from pipelines.profile.schema import Profile
from pipelines.reading.archive import file_size, read_file
from pipelines.reading.pictures import PictureBounds
from pipelines.reading.workers import ReaderPool
from pipelines.types import DocumentInput, ParsedDocument


class OfferReader:
    """Reads offered documents as a profile says. Thread-safe.

    Args:
        profile: The profile.
        readers: Turn files into text.
        scans: Know how pages without text are read.
        pictures: Which pictures are kept; None: none are.
    """

    def __init__(self, profile: Profile, readers: ReaderPool, scans: Scans, pictures: PictureBounds | None) -> None:
        self._limits = profile.limits
        self._extractors = frozenset(profile.extractors)
        self._fields = profile.metadata.fields
        self._readers = readers
        self._scans = scans
        self._pictures = pictures

    def content(self, offered: DocumentInput) -> str | bytes:
        """Return the content of an offer, from its file if it names one.

        Raises:
            DocumentTooLarge: It has more bytes than the profile takes.
            OSError, UnreadableDocument: The file cannot be read.
        """
        limit = self._limits.file_bytes
        content = offered.content
        raw = encoded("content", content) if isinstance(content, str) else content
        size = file_size(raw) if isinstance(raw, Path) else len(raw)
        if size > limit:
            raise DocumentTooLarge(size, limit, "bytes", "limits -> file_bytes")
        return read_file(content) if isinstance(content, Path) else content

    def parsed(self, offered: DocumentInput, content: str | bytes, *, kept_for: str) -> ParsedDocument:
        """Return the document in a content; text recognition keeps what it read for the document ``kept_for``.

        Raises:
            UnreadableDocument: It cannot be read, or there is nothing in it.
            DocumentTooLarge, InvalidDocument: Its text is longer or shorter than the profile takes.
        """
        ocr = self._scans.reader_for(kept_for)
        parsed = self._readers.read(
            content, name=offered.source, media_type=offered.media_type, ocr=ocr, pictures=self._pictures
        )
        if "frontmatter" in self._extractors:
            parsed = extract_frontmatter(parsed, self._fields)
        if "language" in self._extractors:
            parsed = extract_language(parsed)
        self._check_length(parsed.text)
        return replace(parsed, metadata=without_nul(parsed.metadata))

    def _check_length(self, text: str) -> None:
        least, most = self._limits.content_chars
        if len(text) > most:
            raise DocumentTooLarge(len(text), most, "characters", "limits -> content_chars")
        if not text.strip():
            raise EmptyDocument
        if len(text) < least:
            detail = f"{len(text)} characters are fewer than the {least} that the profile asks for"
            raise InvalidDocument(Problem("content", detail))
