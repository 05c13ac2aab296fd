"""The blocks of plain text: paragraphs, lists, code, tables, notes and quotes, by its lines alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise, takewhile
from operator import attrgetter
from typing import NamedTuple

from pipelines.reading.linerecords import RECORD, are_replies, ends_of_records
from pipelines.reading.marks import ListLevels, Mark, mark_of, note_or_caption
from pipelines.reading.plain.names import name_beside, without_remarks
from pipelines.reading.prompts import PROMPT
from pipelines.types import CELL_BREAK, Block, BlockKind, Span

_LINE = re.compile(r"[^\n]+")
_CODE_SIGN = re.compile(r"[{}();=<>\[\]\\]|(?<!\w)--?\w|^[$#%] |\w/\w|^\w+: *\S+$")
_PROSE = re.compile(r"(?:[^\W\d_]+[,;]? +){5}")
_RULE = re.compile(r"[-=+|: \t]*-{2}[-=+|: \t]*")
_CODE_INDENT = 4
_TAB = 8
_WHOLE_PARAGRAPH = 160
"""A line of more characters was not wrapped: it is a paragraph of its own."""
_SAMPLE = 2000
_LOOK_AHEAD = 20
_LONGEST_TERM = 80
_MOST_WORDS = 5
_SENTENCE_WORDS = 3
"""Words, at least, with which the definition of a further term begins if its signs look like those of code."""
_SECTION = re.compile(r"\(\d{1,3}\)[ \t]+[a-z]")
"""An item, or the end of a name such as "cron(8)" and the words behind it."""
_NO_TERM = re.compile(r"[.,:!?]$|[{};\\]|^[|>#=]|^[^-].*=")
"""Signs of a sentence or of code; an option such as "--color=WHEN" has "=" too."""
_OPTION = re.compile(r"--?\w[^ \t]{0,40}(?: [^ \t]{1,40}){0,3}(?: [ \t]+|\t[ \t]*)(?=\S)")
"""An option and the gap before its description on the same line."""
_COLUMNS = re.compile(r"\S(?: {3}|\t)")
"""A further gap: the line is a row."""
_MOST_RECORD_LINES = 200
"""Lines that are looked at together, of those that may be a record each."""
_DEEPER = 2
"""Columns by which a definition is indented under its term, at least."""
_TERM = Mark("bullet", "term", 0, "", first=True)
_DEFINITION = Mark("bullet", "definition", 0, "", first=True)
_LEADS: frozenset[BlockKind] = frozenset({"paragraph", "note"})


class PlainTable(NamedTuple):
    """A table found in the lines of a text, which are counted from 0.

    Each row stands in one line, with `CELL_BREAK` between its cells. All lines up to ``end`` belong to the table.
    """

    rows: tuple[int, ...]
    end: int
    has_header: bool


class _Line(NamedTuple):
    """A line with text: its place without white space around it, its column, its number, and whether a gap is above."""

    start: int
    end: int
    column: int
    number: int
    after_gap: bool


def plain_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of a text inside another format, such as the body of a message.

    They cover all of the text except white space and the rules inside tables. The text is not changed.
    """
    return tuple(_Reading(text).blocks())


def document_blocks(text: str, titles: Mapping[int, int], tables: Sequence[PlainTable] = ()) -> tuple[Block, ...]:
    """Return the blocks of a text file: as `plain_blocks`, and headings, definitions and the given tables as well.

    Args:
        text: The text.
        titles: The level of each heading, by the offset of its first character.
        tables: The tables that were found in its lines.
    """
    return tuple(_Reading(text, titles, tables).blocks())


class _Reading:
    """A walk over the lines of a text, one block open at a time."""

    def __init__(self, text: str, titles: Mapping[int, int] | None = None, tables: Sequence[PlainTable] = ()) -> None:
        self._text = text
        self._titles = titles or {}
        self._tables = {table.rows[0] + 1: table for table in tables}
        self._lines = list(_lines(text))
        self._margin = margin(line.column for line in self._lines)
        self._terms = frozenset[int]() if titles is None else self._terms_of_parts()
        self._levels = ListLevels()
        self._before: Block | None = None

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks in their order."""
        at = 0
        while at < len(self._lines):
            found, at = self._next(at)
            for block in found:
                self._before = block
                yield block

    def _next(self, at: int) -> tuple[list[Block], int]:
        """Return the block that begins at a line, or a table's rows, and the line behind them."""
        line = self._lines[at]
        if line.start in self._titles:
            self._levels = ListLevels()
            return [self._block("heading", at, at + 1, self._titles[line.start])], at + 1
        if at in self._terms:
            return self._term(at)
        mark = self._mark(at)
        if mark and self._may_begin(mark, line):
            level = self._levels.enter(mark, line.column, self._lead_level())
            end = self._end(at, within_item=True)
            return [self._block("item", at, end, level)], end
        level = self._level_of(line)
        rows = self._rows(at)
        if rows > at:
            return self._table(at, rows, level), rows
        kind, end = self._kind(at)
        ends = self._ends_of_records(at) if kind == "paragraph" else []
        if ends:
            return self._records(list(pairwise([at, *ends]))), ends[-1]
        return [self._block(kind, at, end, level)], end

    def _ends_of_records(self, at: int) -> list[int]:
        """Return the line after each of the records that begin at a line; up to a gap, a title or a term."""
        ahead = range(at + 1, min(at + _MOST_RECORD_LINES, len(self._lines)))
        within = chain([at], takewhile(lambda each: not self._is_apart(each), ahead))
        shown = ((self._shown(self._lines[each]), self._lines[each].column) for each in within)
        return [at + each for each in ends_of_records(shown)]

    def _records(self, bounds: Sequence[tuple[int, int]]) -> list[Block]:
        """Return the items that lines are; a reply is inside of what it replies to."""
        level = self._levels.enter(RECORD, self._lines[bounds[0][0]].column, self._lead_level())
        items = [self._block("item", *each, level) for each in bounds]
        replies = are_replies([self._text[item.span.start : item.span.end] for item in items])
        return [replace(item, level=level + is_reply) for item, is_reply in zip(items, replies, strict=True)]

    def _is_apart(self, at: int) -> bool:
        line = self._lines[at]
        return line.after_gap or line.start in self._titles or at in self._terms or self._rows(at) > at

    def _term(self, at: int) -> tuple[list[Block], int]:
        """Return a term and its definition; later text with that indent belongs to the definition."""
        level = self._levels.enter(_TERM, self._lines[at].column, self._lead_level())
        self._levels.enter(_DEFINITION, self._lines[at + 1].column - _DEEPER, level + 1)
        end = self._end(at + 1, within_item=False)
        return [self._block("term", at, at + 1, level), self._block("definition", at + 1, end, level + 1)], end

    def _terms_of_parts(self) -> frozenset[int]:
        """Part lines that have a term and its definition, and return the lines that are terms."""
        whole = self._lines
        parted = [self._parts(line) if len(self._parts(line)) > 1 else self._named(at) for at, line in enumerate(whole)]
        self._lines = [part for parts in parted for part in parts]
        starts = {self._lines[at].start for at in self._found_terms()}
        self._lines = [
            part
            for line, parts in zip(whole, parted, strict=True)
            for part in (parts if line.start in starts else [line])
        ]
        return frozenset(at for at, line in enumerate(self._lines) if line.start in starts)

    def _parts(self, line: _Line) -> list[_Line]:
        """Return a line; one that has an option and its description in two parts."""
        option = _OPTION.match(self._shown(line)) if line.start not in self._titles else None
        if option is None or _COLUMNS.search(self._text, line.start + option.end(), line.end):
            return [line]
        end = line.start + len(option[0].rstrip())
        column = line.column + len(option[0].expandtabs(_TAB))
        behind = _Line(line.start + option.end(), line.end, column, line.number, after_gap=False)
        return [line._replace(end=end), behind]

    def _named(self, at: int) -> list[_Line]:
        """Return a line; one that has a short name and the beginning of its definition, a sentence that goes on at the
        same column below, in two parts.
        """
        line, below = self._lines[at], self._lines[min(at + 1, len(self._lines) - 1)]
        width, is_next = below.column - line.column, below is not line and not below.after_gap
        name = name_beside(self._shown(line), width, self._shown(below)) if is_next and self._stops(at + 1) else ""
        if not name:
            return [line]
        behind = _Line(line.start + width, line.end, below.column, line.number, after_gap=False)
        return [line._replace(end=line.start + len(name)), behind]

    def _found_terms(self) -> frozenset[int]:
        """Return the lines that are terms. A column with a single candidate has none."""
        terms: list[int] = []
        columns: list[int] = []
        for at, line in enumerate(self._lines):
            follows = line.column in columns
            if self._may_be_term(at, follows=follows) and (follows or self._may_end_below(at)):
                terms.append(at)
                columns = [*(column for column in columns if column < line.column), line.column]
            else:
                columns = [column for column in columns if column + _DEEPER <= line.column]
        counts = Counter(self._lines[at].column for at in terms)
        return frozenset(at for at in terms if counts[self._lines[at].column] > 1)

    def _may_be_term(self, at: int, *, follows: bool) -> bool:
        """Return whether a line is a short name above indented prose, and below a gap, a title or another term."""
        if at + 1 == len(self._lines):
            return False
        line, below = self._lines[at], self._lines[at + 1]
        shown, said = self._shown(line), self._shown(below)
        is_apart = line.after_gap or at == 0 or follows or self._lines[at - 1].start in self._titles
        is_above = not below.after_gap and below.column >= line.column + _DEEPER
        is_name = len(shown) <= _LONGEST_TERM and len(shown.split()) <= _MOST_WORDS and not _NO_TERM.search(shown)
        is_free = line.start not in self._titles and not (mark_of(shown) or PROMPT.match(shown))
        if not (is_apart and is_above and is_name and is_free) or mark_of(said):
            return False  # what follows looks at many lines
        is_sentence = said[0].isupper() and len(said.split()) >= _SENTENCE_WORDS and (follows or self._stops(at + 1))
        return is_sentence or not self._looks_like_code(at + 1, below.column, remarks=False)

    def _stops(self, at: int) -> bool:
        """Return whether the lines up to the next gap, or up to one further out, end with a full stop."""
        column = self._lines[at].column
        ahead = range(at + 1, min(at + _LOOK_AHEAD, len(self._lines)))
        behind = (end for end in ahead if self._lines[end].after_gap or self._lines[end].column < column)
        end = next(behind, ahead.stop)
        return self._text[self._lines[end - 1].end - 1] == "."

    def _may_end_below(self, at: int) -> bool:
        """Return whether a gap or another term stands below the definition of a term, not the text around both."""
        column = self._lines[at].column
        behind = next((end for end in range(at + 2, len(self._lines)) if self._is_behind(end, column)), at)
        return behind == at or self._lines[behind].after_gap or self._may_be_term(behind, follows=True)

    def _is_behind(self, at: int, column: int) -> bool:
        return self._lines[at].after_gap or self._lines[at].column < column + _DEEPER

    def _mark(self, at: int) -> Mark | None:
        """Return the mark that a line begins with; None for a section number that was parted from its name."""
        mark = mark_of(self._shown(self._lines[at]))
        if mark is None or self._lines[at].after_gap or not at or not _SECTION.match(self._shown(self._lines[at])):
            return mark
        follows_word = self._text[self._lines[at - 1].end - 1].isalnum()
        return None if follows_word and not self._has_neighbour(at, mark) else mark

    def _has_neighbour(self, at: int, mark: Mark) -> bool:
        """Return whether a line close by begins with the number before or after a mark: both are in a list."""
        close = self._lines[max(at - _LOOK_AHEAD, 0) : at + _LOOK_AHEAD]
        marks = filter(None, (mark_of(self._shown(line)) for line in close))
        near = {str(int(mark.value) - 1), str(int(mark.value) + 1)}
        return any(each.form == mark.form and each.value in near for each in marks)

    def _may_begin(self, mark: Mark, line: _Line) -> bool:
        """Return whether a mark begins an item; a number in the middle of a paragraph is a word of it."""
        joined = not line.after_gap and self._before is not None and self._before.kind in _LEADS
        return not joined or mark.first or mark.style == "bullet" or self._levels.continues(mark)

    def _level_of(self, line: _Line) -> int:
        """Return the level of a block that is no item: inside the item above it if it is indented further."""
        inside = self._levels.leave(line.column)
        if inside is not None:
            return inside + 1
        return self._before.level + 1 if self._before is not None and self._is_led(line, self._before) else 0

    def _is_led(self, line: _Line, before: Block) -> bool:
        """Return whether a line belongs to a paragraph that ends in a colon: it is code, or stands further in."""
        further = line.column > self._margin or PROMPT.match(self._shown(line))
        return before.kind in _LEADS and bool(further) and self._text[before.span.end - 1] == ":"

    def _lead_level(self) -> int:
        """Return the level of a list that begins here."""
        before = self._before
        return before.level + 1 if before is not None and before.kind in _LEADS else 0

    def _kind(self, at: int) -> tuple[BlockKind, int]:
        line = self._lines[at]
        shown = self._shown(line)
        if PROMPT.match(shown) or (line.column >= self._margin + _CODE_INDENT and self._looks_like_code(at)):
            return "code", self._end_of_code(at)
        end = self._end(at, within_item=False)
        if shown.startswith(">"):
            return "quote", end
        return note_or_caption(shown) or "paragraph", end

    def _end(self, at: int, *, within_item: bool) -> int:
        """Return the line behind a paragraph or an item: at a gap, an item, a prompt, a table, or a whole paragraph."""
        first = self._lines[at]
        whole = first.end - first.start > _WHOLE_PARAGRAPH
        end = at + 1
        while end < len(self._lines) and not self._lines[end].after_gap and end not in self._terms and not whole:
            line = self._lines[end]
            shown = self._shown(line)
            mark = self._mark(end)
            if line.start in self._titles or (mark and (within_item or mark.first or mark.style == "bullet")):
                break
            if PROMPT.match(shown) or line.end - line.start > _WHOLE_PARAGRAPH or self._rows(end) > end:
                break
            if self._text[self._lines[end - 1].end - 1] == ":" and self._ends_of_records(end):
                break
            end += 1
        return end

    def _looks_like_code(self, at: int, column: int = 0, *, remarks: bool = True) -> bool:
        """Return whether the lines up to the next gap, or up to one left of the column, look like code, not words;
        words in brackets may be no sign of it.
        """
        ahead = self._lines[at : at + _LOOK_AHEAD]
        ends = (index for index, line in enumerate(ahead) if index and (line.after_gap or line.column < column))
        lines = [self._shown(line) for line in ahead[: next(ends, len(ahead))]]
        lines = lines if remarks else list(map(without_remarks, lines))
        return sum(bool(_CODE_SIGN.search(line) and not _PROSE.match(line)) for line in lines) * 2 > len(lines)

    def _end_of_code(self, at: int) -> int:
        """Return the line behind code: code goes on over gaps as long as it stands as far in."""
        column, end = self._lines[at].column, at + 1
        far_in = column >= self._margin + _CODE_INDENT
        while end < len(self._lines):
            line = self._lines[end]
            if line.column < column or (line.after_gap and not far_in):
                break
            end += 1
        return end

    def _rows(self, at: int) -> int:
        """Return the line behind a table that begins here; ``at`` itself if none does."""
        given = self._tables.get(self._lines[at].number)
        if given is not None:
            return bisect_right(self._lines, given.end, key=attrgetter("number"))
        cells, end = self._cells(at), at
        while cells and end < len(self._lines) and (end == at or not self._lines[end].after_gap):
            if self._cells(end) != cells and not (end > at and _RULE.fullmatch(self._shown(self._lines[end]))):
                break
            end += 1
        return end if end > at + 1 else at

    def _cells(self, at: int) -> int:
        """Return how many cells a line has; 0 if it is no row."""
        line = self._lines[at]
        found = self._text.count(" | ", line.start, line.end)
        return found + 1 if found else 0

    def _table(self, at: int, end: int, level: int) -> list[Block]:
        """Return the rows of a table, without its rules."""
        led = self._before is not None and self._before.kind in {*_LEADS, "caption"}
        level = max(level, self._lead_level()) if led else level
        given = self._tables.get(self._lines[at].number)
        has_header = given is None or given.has_header
        return [
            self._row("header" if row == at and has_header else "row", row, level)
            for row in range(at, end)
            if row == at or not _RULE.fullmatch(self._shown(self._lines[row]))
        ]

    def _row(self, kind: BlockKind, at: int, level: int) -> Block:
        """Return a row; the blank before the mark behind an empty first cell belongs to it."""
        block = self._block(kind, at, at + 1, level)
        start = block.span.start
        if not self._text.startswith(CELL_BREAK, start - 1):
            return block
        return replace(block, span=Span(start - 1, block.span.end))

    def _block(self, kind: BlockKind, at: int, end: int, level: int) -> Block:
        return Block(kind, Span(self._lines[at].start, self._lines[end - 1].end), level, self._lines[at].number)

    def _shown(self, line: _Line) -> str:
        return self._text[line.start : min(line.end, line.start + _SAMPLE)]


def _lines(text: str) -> Iterator[_Line]:
    number, counted, last = 1, 0, 0
    for found in _LINE.finditer(text):
        shown = found[0].strip()
        if not shown:
            continue
        number += text.count("\n", counted, found.start())
        counted = found.start()
        inner = found[0].index(shown)
        column = len(found[0][:inner].expandtabs(_TAB))
        yield _Line(found.start() + inner, found.start() + inner + len(shown), column, number, number > last + 1)
        last = number


def margin(columns: Iterable[int]) -> int:
    """Return the column at which most lines begin, at the latest: texts may be indented as a whole."""
    ordered = sorted(islice(columns, _SAMPLE))
    return ordered[len(ordered) // 3] if ordered else 0
