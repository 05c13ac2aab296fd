"""A text under construction that remembers where its headings and pages begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pipelines.reading.formats import Format
from pipelines.reading.headings import first_title, markdown_headings
from pipelines.types import Heading, Page, ParsedDocument, Scan, Span

_BETWEEN = "\n\n"


class Draft:
    """Blocks of text with a blank line between them, and the headings and pages among them."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []
        self._pages: list[Page] = []

    def add(self, block: str) -> Span:
        """Append a block and return where it lies; an empty one leaves no trace."""
        if not block:
            return Span(self._length, self._length)
        if self._blocks:
            self._blocks.append(_BETWEEN)
            self._length += len(_BETWEEN)
        start = self._length
        self._blocks.append(block)
        self._length += len(block)
        return Span(start, self._length)

    def add_heading(self, level: int, title: str) -> Span:
        """Append a heading as Markdown writes it."""
        line = f"{'#' * level} {' '.join(title.split())}"
        span = self.add(line)
        self._headings.append(Heading(level, line[level + 1 :], span.start))
        return span

    def add_markdown(self, text: str) -> Span:
        """Append converted Markdown with the headings that are in it."""
        span = self.add(text)
        found = markdown_headings(text, html=False)
        self._headings += [replace(heading, start=heading.start + span.start) for heading in found]
        return span

    def add_page(self, span: Span, number: int, label: str | None = None) -> None:
        """Say that what lies there is a page."""
        self._pages.append(Page(number, span, label))

    def add_headings(self, headings: list[Heading]) -> None:
        """Say where headings begin in what has been added."""
        self._headings += headings

    def first_title(self) -> str | None:
        """Return the first title of level 1 that was added."""
        return first_title(tuple(self._headings))

    def finish(
        self,
        format_: Format,
        title: str | None,
        metadata: Mapping[str, Any] | None = None,
        scan: Scan | None = None,
    ) -> ParsedDocument:
        """Return the document with those of the metadata that say something."""
        return ParsedDocument(
            text="".join(self._blocks),
            media_type=format_.media_type,
            title=title,
            metadata={key: value for key, value in (metadata or {}).items() if value},
            pages=tuple(self._pages),
            headings=tuple(sorted(self._headings, key=lambda heading: heading.start)),
            scan=scan,
        )
