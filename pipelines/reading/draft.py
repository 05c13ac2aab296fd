"""A text under construction that remembers where its blocks, headings and pages begin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipelines.reading.formats import Format
from pipelines.reading.headings import first_title
from pipelines.reading.rendering import render
from pipelines.types import CELL_BREAK, Block, BlockKind, Heading, Page, ParsedDocument, Scan, Span

_BETWEEN_BLOCKS = "\n\n"
# Kinds that stand on the line below the block before them, if that is of one of these kinds.
_NEXT_LINE: Mapping[BlockKind, frozenset[BlockKind]] = {
    "item": frozenset({"item"}),
    "row": frozenset({"header", "row"}),
    "definition": frozenset({"term"}),
}


class Draft:
    """The blocks of a text, and the headings and pages among them.

    The text is what a person sees: no markup of the file's format. A list's items begin with "- " or their number,
    indented by two blanks for each list around theirs; the cells of a row stand between `CELL_BREAK`.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []
        self._pages: list[Page] = []

    def add(self, text: str, kind: BlockKind = "paragraph", *, level: int = 0, line: int | None = None) -> Span:
        """Append a block and return where it lies; an empty one leaves no trace.

        Args:
            text: What is shown, without white space around it but for the indentation of its first line.
            kind: See `Block`.
            level: See `Block`: the items of a list have one more than the paragraph that leads into it.
            line: The line of the file where it begins, from 1.
        """
        if not text.strip():
            return Span(self._length, self._length)
        if self._parts:
            self._append(self._break_before(kind))
        start = self._length
        self._append(text)
        span = Span(start, self._length)
        self._blocks.append(Block(kind, span, level, line))
        return span

    def add_heading(self, level: int, title: str, *, line: int | None = None) -> Span:
        """Append a heading; its title stands on a line of its own."""
        shown = " ".join(title.split())
        span = self.add(shown, "heading", level=level, line=line)
        if shown:
            self._headings.append(Heading(level, shown, span.start))
        return span

    def add_table(
        self, rows: Sequence[Sequence[str]], *, has_header: bool = True, level: int = 0, lines: Sequence[int] = ()
    ) -> Span:
        """Append a table, its first row the header; empty rows and columns are left out.

        A table of one column becomes paragraphs.

        Args:
            rows: The texts of the cells.
            has_header: Whether the first row names the columns.
            level: That of what leads into the table.
            lines: The line of the file of each row, if it has lines.
        """
        start = self._length + (len(_BETWEEN_BLOCKS) if self._parts else 0)
        places: Sequence[int | None] = lines or [None] * len(rows)
        numbered = list(zip(_without_empty_columns(rows), places, strict=True))
        kept = [(cells, line) for cells, line in numbered if any(cells)]
        narrow = all(len(cells) == 1 for cells, _ in kept)
        for index, (cells, line) in enumerate(kept):
            if narrow:
                self.add(cells[0], level=level, line=line)
            else:
                kind: BlockKind = "header" if has_header and index == 0 else "row"
                self.add(CELL_BREAK.join(cells).rstrip(" "), kind, level=level + 1, line=line)
        return Span(min(start, self._length), self._length)

    def add_blocks(self, text: str, blocks: Iterable[Block], headings: Iterable[Heading] = ()) -> Span:
        """Append a text whose blocks and headings are known already, at their places in it."""
        if not text:
            return Span(self._length, self._length)
        if self._parts:
            self._append(_BETWEEN_BLOCKS)
        start = self._length
        self._append(text)
        self._blocks += [
            replace(block, span=Span(block.span.start + start, block.span.end + start)) for block in blocks
        ]
        self._headings += [replace(heading, start=heading.start + start) for heading in headings]
        return Span(start, self._length)

    def add_markdown(self, markdown: str, *, converted: bool = True) -> Span:
        """Append what Markdown shows; ``converted`` text has Markdown's blocks, and words that mean themselves."""
        rendered = render(markdown, converted=converted)
        return self.add_blocks(rendered.text, rendered.blocks, rendered.headings)

    def add_page(self, span: Span, number: int, label: str | None = None) -> None:
        """Record that what lies there is a page."""
        self._pages.append(Page(number, span, label))

    def add_headings(self, headings: Iterable[Heading]) -> None:
        """Record headings at places in what has been added."""
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
        frontmatter: str = "",
    ) -> ParsedDocument:
        """Return the document with those of the metadata that say something."""
        return ParsedDocument(
            text="".join(self._parts),
            media_type=format_.media_type,
            title=title,
            metadata={key: value for key, value in (metadata or {}).items() if value},
            pages=tuple(self._pages),
            headings=tuple(sorted(self._headings, key=lambda heading: heading.start)),
            blocks=tuple(sorted(self._blocks, key=lambda block: block.span.start)),
            frontmatter=frontmatter,
            scan=scan,
        )

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _break_before(self, kind: BlockKind) -> str:
        before = self._blocks[-1].kind if self._blocks else None
        return "\n" if before in _NEXT_LINE.get(kind, ()) else _BETWEEN_BLOCKS


def _without_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    cleaned = [[" ".join(cell.split()) for cell in row] for row in rows]
    width = max(map(len, cleaned), default=0)
    padded = [row + [""] * (width - len(row)) for row in cleaned]
    kept = [column for column in range(width) if any(row[column] for row in padded)]
    return [[row[column] for column in kept] for row in padded]
