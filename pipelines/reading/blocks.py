"""A text under construction that remembers its blocks and headings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pipelines.types import CELL_BREAK, Block, BlockKind, Heading, Span, StoredText

_BETWEEN_BLOCKS = "\n\n"
# Kinds that stand on the line below the block before them, if that is of one of these kinds.
_NEXT_LINE: Mapping[BlockKind, frozenset[BlockKind]] = {
    "item": frozenset({"item"}),
    "row": frozenset({"header", "row"}),
    "definition": frozenset({"term"}),
}


class BlockWriter:
    """The blocks of a text, and the headings among them.

    The text is what a person sees: no markup of the file's format. A list's items begin with "- " or their number,
    indented by two blanks for each list around theirs; the cells of a row stand between `CELL_BREAK`.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []

    @property
    def length(self) -> int:
        """How many characters were added."""
        return self._length

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
        self,
        rows: Sequence[Sequence[str]],
        *,
        has_header: bool = True,
        level: int = 0,
        lines: Sequence[int | None] = (),
    ) -> Span:
        """Append a table, its first row the header; empty rows and columns are left out.

        A table of one column becomes paragraphs.

        Args:
            rows: The texts of the cells.
            has_header: Whether the first row names the columns; an empty one names nothing.
            level: That of what leads into the table.
            lines: The line of the file of each row, if it has lines.
        """
        start = self._length + (len(_BETWEEN_BLOCKS) if self._parts else 0)
        table = _without_empty_columns(rows)
        names_columns = has_header and any(table[0] if table else ())
        kept = [(cells, line) for cells, line in zip(table, lines or [None] * len(rows), strict=True) if any(cells)]
        narrow = all(len(cells) == 1 for cells, _ in kept)
        for index, (cells, line) in enumerate(kept):
            if narrow:
                self.add(cells[0], level=level, line=line)
            else:
                kind: BlockKind = "header" if names_columns and index == 0 else "row"
                self.add(CELL_BREAK.join(_without_empty_end(cells)), kind, level=level + 1, line=line)
        return Span(min(start, self._length), self._length)

    def add_blocks(
        self, text: str, blocks: Iterable[Block], headings: Iterable[Heading] = (), *, level: int = 0
    ) -> Span:
        """Append a text whose blocks and headings are known already, ``level`` deeper than they are there."""
        if not text:
            return Span(self._length, self._length)
        if self._parts:
            self._append(_BETWEEN_BLOCKS)
        start = self._length
        self._append(text)
        for block in blocks:
            span = Span(block.span.start + start, block.span.end + start)
            depth = block.level if block.kind == "heading" else block.level + level
            self._blocks.append(replace(block, span=span, level=depth))
        self._headings += [replace(heading, start=heading.start + start) for heading in headings]
        return Span(start, self._length)

    def add_headings(self, headings: Iterable[Heading]) -> None:
        """Record headings at places in what has been added."""
        self._headings += headings

    def stored(self) -> StoredText:
        """Return what has been added."""
        return StoredText(
            "".join(self._parts),
            headings=tuple(sorted(self._headings, key=lambda heading: heading.start)),
            blocks=tuple(sorted(self._blocks, key=lambda block: block.span.start)),
        )

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _break_before(self, kind: BlockKind) -> str:
        before = self._blocks[-1].kind if self._blocks else None
        return "\n" if before in _NEXT_LINE.get(kind, ()) else _BETWEEN_BLOCKS


def _without_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    # A cell that holds the sign between cells would move those behind it under other names.
    cleaned = [[" ".join(cell.split()).replace(CELL_BREAK, "|") for cell in row] for row in rows]
    width = max(map(len, cleaned), default=0)
    padded = [row + [""] * (width - len(row)) for row in cleaned]
    kept = [column for column in range(width) if any(row[column] for row in padded)]
    return [[row[column] for column in kept] for row in padded]


def _without_empty_end(cells: Sequence[str]) -> Sequence[str]:
    last = max(index for index, cell in enumerate(cells) if cell)
    return cells[: last + 1]
