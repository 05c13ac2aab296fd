"""The blocks of a PDF: its lines and tables put together over the ends of lines, columns and pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from pipelines.reading.marks import LABELLED, ListLevels, Mark, mark_of, note_or_caption, shown_sign
from pipelines.reading.pdf.bookmarks import Bookmark
from pipelines.reading.pdf.codelines import laid_out, without_margin
from pipelines.reading.pdf.lines import Line
from pipelines.reading.pdf.looks import WIDEST_STEP, BodyStyle, Column, column_of
from pipelines.reading.pdf.tablerows import are_numbered, shown_row, without_empty
from pipelines.reading.pdf.tables import Table, aligned_table, cells_of
from pipelines.reading.pdf.words import Vocabulary, splits_address
from pipelines.types import Block, BlockKind

_SENTENCE_ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$")
_STOPS = re.compile(r"[.!?][\"'”’)\]]*$")
_ENDING = 8
_HEADING_ENDS = re.compile(r"[.,;:]$")
_RULE = re.compile(r"[-_=*·. ]{5,}\w?")
_LARGER = 1.12
_SMALLER = 0.92
_SAME_SIZE = 0.12
_LONGEST_HEADING = 160
_HEADING_LINES = 4
_WIDEST_GAP = 4.0  # inside of code
_ROWS = 300
_LONGEST = 20_000
"""Characters of a block; a longer one is cut at a line's end."""
_INDENT = 0.8
_MARK_GAP = 0.5  # of the size: behind an "o" that is a hollow bullet
_SHORT = 0.6  # of the width of the column
_DEEPEST = 6
_MOST_ROOM = 8.0  # of the size: what a long word that did not fit may leave of a line
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s")
_PROMPT = re.compile(r"[$>#%]\s|\./")
_CLOSING = re.compile(
    r"(?:yours (?:faithfully|sincerely|truly)|(?:best|kind|warm) (?:regards|wishes)),?", re.IGNORECASE
)
_AMID = re.compile(r"[,;(\u2013-]$|\b(?:a|an|and|at|by|for|from|in|of|on|or|the|to|with)$", re.IGNORECASE)
"""The end of a line whose sentence goes on."""
_ROW: frozenset[BlockKind] = frozenset({"header", "row"})
_LEADS: frozenset[BlockKind] = frozenset({"paragraph", "note", "caption"})


@dataclass
class BuiltBlock:
    """A block that was put together.

    Attributes:
        rank: Of a heading, how it looks, larger for one above others.
        pages: The pages (from 0) that it is on, each with the character of its text where the page begins.
        left: How far in it stands in its column, in sizes of its letters.
        named: Whether it is a bold line that is no larger than the text, as the names of definitions are.
    """

    kind: BlockKind
    text: str
    level: int
    pages: list[tuple[int, int]]
    rank: tuple[float, bool] | None = None
    left: float = 0.0
    named: bool = False


@dataclass
class _Open:
    """A block that may go on: its lines, by the columns that they are in."""

    lines: list[Line]
    column: Column
    mark: Mark | None
    pages: list[tuple[int, int]] = field(default_factory=list)
    text: str = ""
    left: float = 0.0


class Flow:
    """Takes the columns of a document one by one and gives its blocks."""

    def __init__(
        self, looks: BodyStyle, vocabulary: Vocabulary, titles: Mapping[int, Bookmark], *, bookmarked: bool
    ) -> None:
        """Begin a document.

        Args:
            looks: How most of it looks.
            vocabulary: Its words.
            titles: The bookmarks that point to lines, by the ids of the lines.
            bookmarked: Whether bookmarks alone say what its headings are.
        """
        self._looks = looks
        self._vocabulary = vocabulary
        self._titles = titles
        self._bookmarked = bookmarked
        self._levels = ListLevels()
        self._width, self._header = 0, ""  # of the last table
        self._open: _Open | None = None
        self.made: list[BuiltBlock] = []

    def add(self, page: int, parts: Sequence[Line | Table]) -> None:
        """Take a column of a page."""
        lines = [part for part in parts if isinstance(part, Line)]
        column = column_of(lines, self._looks.step)
        at = 0
        while at < len(parts):
            part = parts[at]
            found = None if isinstance(part, Table) else self._table_at(parts, at)
            if isinstance(part, Table):
                self._add_table(page, part)
            elif found:
                self._add_table(page, found[1])
            else:
                self._add_line(page, part, column)
            at += found[0] if found else 1

    def add_blocks(self, page: int, text: str, blocks: Iterable[Block]) -> None:
        """Take a page whose blocks are known."""
        self._close()
        for block in blocks:
            self.made.append(BuiltBlock(block.kind, text[block.span.start : block.span.end], block.level, [(page, 0)]))
        self._levels = ListLevels()

    def finish(self) -> list[BuiltBlock]:
        """Return the blocks, headings with their levels."""
        self._close()
        ranks = sorted({block.rank for block in self.made if block.rank is not None}, reverse=True)
        levels = {rank: min(level, _DEEPEST) for level, rank in enumerate(ranks, start=1)}
        for block in self.made:
            if block.rank is not None:
                block.level = levels[block.rank]
        return self.made

    def _table_at(self, parts: Sequence[Line | Table], at: int) -> tuple[int, Table] | None:
        """Return the table that begins at a line, and how many lines it takes."""
        first = parts[at]
        if isinstance(first, Table) or len(cells_of(first)) < 2 or self._is_assignment(first):
            return None
        ahead = takewhile(lambda part: isinstance(part, Line) and id(part) not in self._titles, parts[at : at + _ROWS])
        return aligned_table([part for part in ahead if isinstance(part, Line)])

    def _is_assignment(self, line: Line) -> bool:
        """Return whether a line is code with a wide gap only before its sign: "depth    = 4"."""
        return self._is_code(line) and cells_of(line)[1].text.startswith("=")

    def _add_line(self, page: int, line: Line, column: Column) -> None:
        mark = self._mark(line)
        opened = self._open
        if opened is not None and self._continues(opened, line, column, mark):
            self._append(opened, page, line, column)
            return
        self._close()
        is_code = self._is_code(line) and mark is None and id(line) not in self._titles and not self._is_heading([line])
        shown = laid_out(line, column.left) if is_code else line.text
        self._open = _Open([line], column, mark, [(page, 0)], shown, line.x0)

    def _mark(self, line: Line) -> Mark | None:
        """Return the mark of an item that begins here; the number of a heading is none, nor one inside a sentence."""
        hollow = line.words[0].text == "o" and len(line.words) > 1 and _gap(line) > _MARK_GAP * line.size
        mark = Mark("bullet", "", 1, "o", first=True) if hollow else mark_of(line.text)
        if mark is None or id(line) in self._titles or _RULE.fullmatch(line.text):
            return None
        if mark.style == "bullet":
            return mark
        return None if self._is_heading([line]) or self._is_amid(line, mark) else mark

    def _is_amid(self, line: Line, mark: Mark) -> bool:
        """Return whether a number stands inside of a sentence that began above it."""
        opened = self._open
        if (
            opened is None
            or mark.first
            or self._is_code(opened.lines[0])
            or _SENTENCE_ENDS.search(opened.text[-_ENDING:])
            or opened.text.endswith((",", "and", "or"))
        ):
            return False
        return opened.mark is None or opened.mark.style != mark.style

    def _append(self, opened: _Open, page: int, line: Line, column: Column) -> None:
        shown = line.text
        if self._is_code(opened.lines[0]):
            gap = line.y - opened.lines[-1].y > WIDEST_STEP * line.size
            shown = laid_out(line, column.left)
            joined = opened.text + "\n" * (1 + gap) + shown
        else:
            joined = self._vocabulary.join(opened.text, shown)
        if opened.pages[-1][0] != page:
            opened.pages.append((page, len(joined) - len(shown)))
        if opened.column is not column:
            opened.column, opened.left = column, line.x0
        opened.left = line.x0 if len(opened.lines) == 1 else min(opened.left, line.x0)
        opened.text = joined
        opened.lines.append(line)

    def _continues(self, opened: _Open, line: Line, column: Column, mark: Mark | None) -> bool:
        """Return whether a line goes on with the block that is open."""
        above = opened.lines[-1]
        titled, above_titled = self._titles.get(id(line)), self._titles.get(id(above))
        if titled is not None or above_titled is not None:
            return titled is above_titled
        if mark or len(opened.text) > _LONGEST or _RULE.fullmatch(line.text) or not self._looks_alike(opened, line):
            return False
        if opened.column is not column or line.y <= above.y:
            return self._goes_over(opened, line)
        if self._is_code(opened.lines[0]):
            return line.y - above.y < _WIDEST_GAP * line.size
        if column.parts(above, line) or self._is_next_entry(opened, line) or _CLOSING.fullmatch(line.text):
            return False
        is_titled = self._is_heading([*opened.lines, line])
        return not (_begins_further_out(above, line) if is_titled else self._begins(opened, line))

    def _looks_alike(self, opened: _Open, line: Line) -> bool:
        """Return whether a line is written like the block that is open."""
        above = opened.lines[-1]
        in_code = self._is_code(opened.lines[0])
        is_code = self._is_code(line) and (in_code or not _is_amid_prose(opened, line))
        if _breaks_a_word(opened, line):
            return is_code == in_code or splits_address(opened.text, line.text)
        if line.bold != above.bold and not self._looks.bold and (above.bold or self._ends_above(opened, line)):
            return False
        return is_code == in_code and _is_alike(above, line)

    def _ends_above(self, opened: _Open, line: Line) -> bool:
        """Return whether a line in bold goes on with nothing: not with a line further in, nor behind a sentence."""
        is_left = line.x0 < opened.lines[0].x0 - _INDENT * line.size
        is_title = _STOPS.search(opened.text[-_ENDING:]) is not None and self._is_heading([line])
        return len(opened.lines) > 1 or is_left or is_title

    def _goes_over(self, opened: _Open, line: Line) -> bool:
        """Return whether a sentence goes on in the next column, or on the next page."""
        return not _SENTENCE_ENDS.search(opened.text[-_ENDING:]) and (line.text[0].islower() or opened.text[-1] in "-,")

    def _begins(self, opened: _Open, line: Line) -> bool:
        """Return whether a line begins a paragraph, by how far in it stands, or by how short the line above it is."""
        if _breaks_a_word(opened, line):
            return False
        above, column, size = opened.lines[-1], opened.column, line.size
        room = column.right - above.x1 - (line.words[0].x1 - line.words[0].x0) - 0.5 * size
        margin = opened.left if len(opened.lines) > 1 else opened.lines[0].x0
        if line.x0 - margin > _INDENT * size and not (opened.mark and len(opened.lines) == 1):
            return len(opened.lines) > 1 or room > 0
        if room <= 0:
            return False
        if opened.mark and line.x0 < opened.lines[0].x0 - _INDENT * size:
            return True
        if _SENTENCE_ENDS.search(above.text):
            return not line.text[0].islower() and room > size
        short = above.x1 - above.x0 < _SHORT * (column.right - column.left)
        return short and not line.text[0].islower()

    def _is_next_entry(self, opened: _Open, line: Line) -> bool:
        """Return whether both begin with a label, such as "Date:", or are titles of which one's number is the next."""
        if LABELLED.match(opened.text) and LABELLED.match(line.text):
            return not _AMID.search(opened.text[-_ENDING:])
        titles = self._is_heading(opened.lines) and self._is_heading([line])
        return titles and _is_numbered_next(opened.text, line.text)

    def _is_code(self, line: Line) -> bool:
        return line.mono and not self._looks.mono

    def _is_heading(self, lines: Sequence[Line]) -> bool:
        """Return whether lines look like a heading: larger than the text, or bold, few and short."""
        if self._bookmarked or len(lines) > _HEADING_LINES:
            return False
        text = " ".join(line.text for line in lines)
        if not 1 < len(text) <= _LONGEST_HEADING or not any(map(str.isalpha, text)):
            return False
        if all(line.size >= _LARGER * self._looks.size for line in lines):
            return not text.endswith((",", ";"))
        return all(line.bold for line in lines) and not self._looks.bold and not _HEADING_ENDS.search(text)

    def _close(self) -> None:
        opened, self._open = self._open, None
        if opened is None:
            return
        first = opened.lines[0]
        text = opened.text.strip()
        if not text or _RULE.fullmatch(text):
            return
        if id(first) in self._titles:
            self._levels = ListLevels()
            self.made.append(BuiltBlock("heading", text, self._titles[id(first)].level, opened.pages))
        elif self._is_heading(opened.lines):
            self._levels = ListLevels()
            rank = round(first.size, 1), first.bold
            self.made.append(BuiltBlock("heading", text, 1, opened.pages, rank))
        elif opened.mark is not None:
            self._make_item(opened, opened.mark, text)
        else:
            self._make_text(opened, text)
        made = self.made[-1]
        made.left = (opened.left - opened.column.left) / first.size
        made.named = len(opened.lines) == 1 and first.bold and first.size < _LARGER * self._looks.size

    def _make_item(self, opened: _Open, mark: Mark, text: str) -> None:
        first = opened.lines[0]
        level = self._levels.enter(mark, first.x0 - opened.column.left, self._lead(), 0.5 * first.size)
        rest = text[mark.length :].lstrip()
        sign = shown_sign(mark, text)
        if sign == "- " and mark_of(rest):
            sign = ""  # a number behind a bullet says more
        shown = "  " * (level - self._levels.outermost) + sign + rest
        shift = len(shown) - len(text)
        pages = [(page, max(at + shift, 0) if at else 0) for page, at in opened.pages]
        self.made.append(BuiltBlock("item", shown, level, pages))

    def _make_text(self, opened: _Open, text: str) -> None:
        first = opened.lines[0]
        inside = self._levels.leave(first.x0 - opened.column.left, 0.5 * first.size)
        level = inside + 1 if inside is not None else 0
        if all(map(self._is_code, opened.lines)):
            led = bool(self.made) and self.made[-1].kind in _LEADS and self.made[-1].text.endswith(":")
            level = self.made[-1].level + 1 if led else level
            code, pages = without_margin(opened.text, opened.pages)
            self.made.append(BuiltBlock("code", code, level, pages))
            return
        small = first.size <= _SMALLER * self._looks.size and text[0] in "0123456789*†‡§"
        kind: BlockKind = note_or_caption(text) or ("note" if small else "paragraph")
        self.made.append(BuiltBlock(kind, text, level, opened.pages))

    def _lead(self) -> int:
        before = self.made[-1] if self.made else None
        return before.level + 1 if before is not None and before.kind in _LEADS else 0

    def _add_table(self, page: int, table: Table) -> None:
        self._close()
        for title in table.titles:
            self.made.append(BuiltBlock("caption", title, 0, [(page, 0)]))
        before = self.made[-1] if self.made else None
        rows = without_empty(table.rows)
        if not table.has_header and are_numbered(rows):
            level = max(self._lead(), 1)
            self.made += [BuiltBlock("item", f"{number}. {text}", level, [(page, 0)]) for number, text in rows]
            return
        width = len(rows[0])
        goes_on = before is not None and before.kind in _ROW and self._width == width
        level = before.level if before is not None and before.kind in _ROW else max(self._lead(), 1)
        if goes_on and len(rows) > 1 and shown_row(rows[0]) == self._header:
            rows = rows[1:]  # the names of the columns, repeated on the next page
        elif table.has_header and (table.bold_header or not goes_on):
            self._header = shown_row(rows[0])
            self.made.append(BuiltBlock("header", self._header, level, [(page, 0)]))
            rows = rows[1:]
        self.made += [BuiltBlock("row", shown_row(row), level, [(page, 0)]) for row in rows]
        self._width = width
        self._levels = ListLevels()


def _begins_further_out(above: Line, line: Line) -> bool:
    """Return whether a line begins left of the one above it and has another middle: a heading below a title."""
    middles = above.x0 + above.x1, line.x0 + line.x1
    return above.x0 - line.x0 > line.size and abs(middles[0] - middles[1]) > 2 * line.size


def _breaks_a_word(opened: _Open, line: Line) -> bool:
    """Return whether the block that is open ends inside a word, or an address, that a line goes on with."""
    is_word = opened.text.endswith("-") and opened.text[-2:-1].islower() and line.text[0].islower()
    return is_word or splits_address(opened.text, line.text)


def _is_amid_prose(opened: _Open, line: Line) -> bool:
    """Return whether a line of code only goes on with a sentence, as a path does that was too long for its line.

    It ends the sentence, or is as long as the lines of the column.
    """
    margin = opened.left if len(opened.lines) > 1 else opened.lines[0].x0
    goes_on = not _SENTENCE_ENDS.search(opened.text[-_ENDING:]) and abs(line.x0 - margin) <= _INDENT * line.size
    ends = _SENTENCE_ENDS.search(line.text) or line.x1 >= opened.column.right - _MOST_ROOM * line.size
    return goes_on and bool(ends) and not _PROMPT.match(line.text)


def _is_numbered_next(text: str, line: str) -> bool:
    """Return whether a line begins with the number after that of a text, or with its first part."""
    above, below = _NUMBERED.match(text), _NUMBERED.match(line)
    if above is None or below is None:
        return False
    *outer, last = map(int, above[1].split("."))
    return [*map(int, below[1].split("."))] in ([*outer, last + 1], [*outer, last, 1])


def _gap(line: Line) -> float:
    return line.words[1].x0 - line.words[0].x1


def _is_alike(above: Line, line: Line) -> bool:
    """Return whether two lines have letters of the same size; some of theirs may be small capitals or raised."""
    sizes = {word.size for word in above.words}
    return any(abs(word.size - size) <= _SAME_SIZE * size for word in line.words for size in sizes)
