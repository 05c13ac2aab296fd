"""A document under construction: its text with blocks and headings, and its pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipelines.reading.blocks import BlockWriter
from pipelines.reading.formats import Format
from pipelines.reading.headings import first_title
from pipelines.reading.markdown.rendering import render
from pipelines.types import Page, ParsedDocument, Scan, Span, StoredText


class Draft(BlockWriter):
    """The blocks of a document, and the headings and pages among them."""

    def __init__(self) -> None:
        super().__init__()
        self._pages: list[Page] = []

    def add_stored(self, stored: StoredText) -> Span:
        """Append a text with its blocks and headings."""
        return self.add_blocks(stored.text, stored.blocks, stored.headings)

    def add_markdown(self, markdown: str) -> Span:
        """Append what Markdown shows that is a part of a file."""
        return self.add_stored(render(markdown))

    def add_page(self, span: Span, number: int, label: str | None = None) -> None:
        """Record that what lies there is a page."""
        self._pages.append(Page(number, span, label))

    def first_title(self) -> str | None:
        """Return the first title of level 1 that was added."""
        return first_title(self.stored().headings)

    def finish(
        self,
        format_: Format,
        title: str | None,
        metadata: Mapping[str, Any] | None = None,
        scan: Scan | None = None,
        frontmatter: str = "",
    ) -> ParsedDocument:
        """Return the document with those of the metadata that say something."""
        stored = self.stored()
        return ParsedDocument(
            text=stored.text,
            media_type=format_.media_type,
            title=title,
            metadata={key: value for key, value in (metadata or {}).items() if value},
            pages=tuple(self._pages),
            headings=stored.headings,
            blocks=stored.blocks,
            frontmatter=frontmatter,
            scan=scan,
        )
