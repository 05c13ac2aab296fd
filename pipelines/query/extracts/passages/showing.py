"""How passages are shown: verbatim words in a form that reads well on its own."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import takewhile
from textwrap import dedent

from pipelines.components.sentences import sentence_spans, word_count
from pipelines.query.citations import without_citations
from pipelines.query.extracts.passages.groups import is_further_name
from pipelines.types import CELL_BREAK, Block, Span, StoredText

_LEAST_ITEM_WORDS = 4
_LEAST_TERM_WORDS = 8
"""Of a term with its definition: cut shorter, its definition says nothing."""
_LEAST_ROW_WORDS = 20
"""Of a row: cut shorter, its cells say too little."""
_MOST_NAME_WORDS = 5
"""Of the first cell of a row that names what the row is about."""
CUT = " …"
"""Behind an item or a row that is cut short."""
OTHERS = "…"
"""Stands for the other items of a list of which one is shown."""
_DRAWN = re.compile(r"[-=*~](?<!\S.)[-=*~]{4,}(?!\S)")
"""A line that is drawn with signs, as mails without markup have between their parts."""
_NOTE_NUMBER = re.compile(r"(?:\d{1,3}|\(\d{1,3}\)) ?(?=[^\W\d_])")
_NAMES = re.compile(r"[^\W\d_]|^\W+$")
"""A letter, or nothing but signs, as the name of an operator; a number names no row."""
_CODE = re.compile(r"(?:[A-Z]{1,6}[-./]?)?\d[\w./-]{0,20}")
"""What rows are counted by: "7", "B-204"."""
_FIGURE = re.compile(r"\W{0,3}\d")
"""What begins a value and no name: "210 mm" behind "A4"."""
_DISTINCT = 0.8
"""The share of the rows of a table with names of their own; an operator may have two meanings."""
_HAS_NAME = re.compile(r"(?:[^\s:]{1,20} ){0,2}[^\s:]{1,20}: \S")
"""A cell that begins with a name of its own: "Invoice no.: 7"."""
_ENTRY_NAME = re.compile(r"([^\n:]{1,60}?)(?::| [-\u2013\u2014])\s")
"""What an item begins with that names what it is about: "furl: roll the sail up"."""
_REFERS_BACK = re.compile(
    r"(?:it|such|that|these|they|this|those)\s(?:[\w'\u2019-]{1,20}\s){0,2}[\w'\u2019-]{1,20}:", re.IGNORECASE
)
"""What leads into a list and is not understood without the sentence before it: "This includes:"."""
_LEAD_IN_WORDS = 30
_ENTRY_WORDS = 75
"""Of a term with the beginning of a long definition: the first sentence may only lead to what the thing is."""
_ITEM = re.compile(r"^[^\S\n]*(?:[-*\u2022\u2610-\u2612]|\w{1,3}[.)])\s+(.*)$", re.MULTILINE)
ITEM_MARK = re.compile(r"^(?:[-*•]|\w{1,3}[.)])\s+")
"""The mark before the text of an item."""


class ExtractRenderer:
    """Shows stretches of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines: dict[Span, str] = {}

    def line(self, span: Span) -> str:
        """Return a stretch as one line, without lines that are drawn in it."""
        if span not in self._lines:
            self._lines[span] = self._line(span)
        return self._lines[span]

    def _line(self, span: Span) -> str:
        return without_citations(" ".join(_DRAWN.sub(" ", self.text[span.start : span.end]).split()))

    def block(self, block: Block) -> str:
        """Return a block: code without the indentation of all its lines, anything else as one line, indented as deep as
        an item is.
        """
        written = self.text[block.span.start : block.span.end]
        if block.kind == "code":
            return dedent(written)
        indent = written[: len(written) - len(written.lstrip())] if block.kind == "item" else ""
        return indent + self.line(block.span)

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Return blocks below each other; rows with the names of their columns, terms before their definitions.

        Neighbouring pieces of code keep their indentation beside each other.
        """
        lines: list[str] = []
        code: list[str] = []
        header: Block | None = None
        for index, block in enumerate(blocks):
            if header is not None and block.level < header.level:
                header = None
            if block.kind == "header":
                header = block
            elif block.kind == "row":
                lines.append(f"- {self.row(block, header)}")
            elif block.kind == "definition" and index and blocks[index - 1].kind == "term":
                lines[-1] = f"{lines[-1].removesuffix(':')}: {self.line(block.span)}"
            elif is_further_name(blocks, index):
                lines[-1] += f", {self.line(block.span)}"
            elif block.kind == "code":
                code += [self.text[block.span.start : block.span.end]]
                if index + 1 == len(blocks) or blocks[index + 1].kind != "code":
                    lines.append(dedent("\n\n".join(code)))
                    code.clear()
            else:
                lines.append(self.block(block))
        if header is not None and blocks[-1] is header:
            lines.append(self.line(header.span))
        return "\n".join(lines)

    def row(self, row: Block, header: Block | None) -> str:
        """Return a row as "column: cell; column: cell", without empty cells; a cell "Place:" names the next one.

        In a table of two columns without names, the first cell names the second, unless that has a label of its own.
        """
        cells = self.cells(row)
        if is_field(self.text, row):
            return without_citations(cells[0])
        if header is None and len(cells) == 2 and all(cells) and not _HAS_NAME.match(cells[1]):
            return without_citations(f"{cells[0].removesuffix(':')}: {cells[1]}")
        names = self.cells(header) if header is not None else []
        if len(names) * 2 <= len(cells):  # a few names above many cells are the title of a form
            names = []
        names += [""] * (len(cells) - len(names))  # empty cells at the end of a row are left out, others are not
        named = (
            f"{name.removesuffix(':')}: {cell}" if name else cell
            for name, cell in zip(names, cells, strict=False)
            if cell
        )
        return without_citations("; ".join(named).replace(":; ", ": "))

    def lead_in(self, block: Block | None) -> str:
        """Return what leads into a list: its last sentence, or all of it if it is short and does not end in a colon.

        The sentence before goes with one that only refers to it: "This includes:".
        """
        if block is None:
            return ""
        spans = sentence_spans(self.text, block.span.start, block.span.end) or [(block.span.start, block.span.end)]
        before, last = spans[-2:-1], spans[-1]
        whole, ending = self.line(block.span), self.line(Span(*last))
        if before and _REFERS_BACK.fullmatch(ending):
            ending = self.line(Span(before[0][0], last[1]))
        return ending if ending.endswith(":") or word_count(whole) > _LEAD_IN_WORDS else whole

    def shortened(self, blocks: Sequence[Block], most_words: int) -> str:
        """Return a long list with each item cut short, at most ``most_words`` in all; empty where too little would
        be left.
        """
        items = [block for block in blocks if block.kind in ("item", "term")]
        if not items:
            return self._shortened_rows(blocks, most_words)
        level = min(block.level for block in items)
        of_level = (index for index, block in enumerate(blocks) if block in items and block.level == level)
        starts = [index for index in of_level if not is_further_name(blocks, index)]
        tops = [blocks[start:end] for start, end in zip(starts, [*starts[1:], len(blocks)], strict=True)]
        lead_in = self.lead_in(blocks[0]) if blocks[0].kind not in ("item", "term") else ""
        each = (most_words - word_count(lead_in)) // len(tops)
        if each < (_LEAST_TERM_WORDS if tops[0][0].kind == "term" else _LEAST_ITEM_WORDS):
            names = self._names_of_entries([top[0] for top in tops])
            fits = names and word_count(lead_in) + word_count(names) <= most_words
            return "\n".join(filter(None, [lead_in, names])) if fits else ""
        return "\n".join(filter(None, [lead_in, *(self._shortened(top, each) for top in tops)]))

    def _shortened_rows(self, blocks: Sequence[Block], most_words: int) -> str:
        header = next((block for block in blocks if block.kind == "header"), None)
        rows = [self.row(block, header).split() for block in blocks if block.kind == "row"]
        lead_in = self.lead_in(blocks[0]) if blocks[0].kind not in ("header", "row") else ""
        each = (most_words - word_count(lead_in)) // (len(rows) or 1)
        if not rows:
            return ""
        if each < _LEAST_ROW_WORDS:
            names = self._names_of_rows(blocks, header)
            shown_words = word_count(lead_in) + word_count(names)
            return "\n".join(filter(None, [lead_in, names])) if names and shown_words <= most_words else ""
        shown = (" ".join(row[:each]) + (CUT if len(row) > each else "") for row in rows)
        return "\n".join(filter(None, [lead_in, *(f"- {row}" for row in shown)]))

    def _names_of_rows(self, blocks: Sequence[Block], header: Block | None) -> str:
        """Return the names of a table's rows, as "Level: error; warning; info"; empty if the table has no column of
        names.

        Names stand in the first column, or in the second if the first has codes or numbers.
        """
        rows = [self.cells(block) for block in blocks if block.kind == "row"]
        is_coded = all(len(row) > 1 and _CODE.fullmatch(row[0]) and not _FIGURE.match(row[1]) for row in rows)
        at = 1 if is_coded else 0
        names = list(dict.fromkeys(row[at] for row in rows))
        are_names = all(_NAMES.search(name) and word_count(name) <= _MOST_NAME_WORDS for name in names)
        column = "".join(self.cells(header)[at : at + 1]).removesuffix(":") if header is not None else ""
        if not column or not are_names or len(names) < _DISTINCT * len(rows):
            return ""
        return without_citations(f"{column}: {'; '.join(names)}{CUT}")

    def _names_of_entries(self, entries: Sequence[Block]) -> str:
        """Return the names of terms, or of items such as "name: text", in a line; empty if one of them has no name."""
        names = [self._name(entry) for entry in entries]
        are_names = all(0 < word_count(name) <= _MOST_NAME_WORDS for name in names)
        return f"- {', '.join(names)}{CUT}" if are_names else ""

    def _name(self, entry: Block) -> str:
        line = ITEM_MARK.sub("", self.line(entry.span))
        if entry.kind == "term":
            return line.rstrip(":")
        return entry_name_of(line)

    def _shortened(self, top: Sequence[Block], most_words: int) -> str:
        """Return an item, or a term with its definition, in at most so many words: its first sentence, or the words
        of it. An item that leads into a list is followed by its items, terms or fields, or by the sign that something
        is left out; a term above other terms is followed by these.
        """
        block, *inner = top
        shown = self.block(block)
        below = [one for one in inner if one.kind == block.kind and one.level == block.level + 1]
        defined = next((one for one in inner if one.kind != "term"), None)
        if block.kind == "term" and below and inner[0] is below[0]:
            shown = f"- {self._with_names(shown, below)}"
        elif block.kind == "term" and defined is not None and defined.kind == "definition":
            names = [self.block(one).strip() for one in top[: top.index(defined)]]
            shown = self._defined(names, defined)
            if word_count(shown) > most_words:  # what the thing is rather than all of its names
                shown = self._defined(names[:1], defined)
        elif block.kind == "term" and inner:
            return f"{shown}{CUT}"
        elif shown.endswith(":") and inner:
            shown = self._led(shown, inner, block.level + 1, most_words)
        elif inner and inner[0].kind == "paragraph" and _is_name(shown):
            shown = f"{shown.rstrip(':')}: {self._first_sentence(inner[0])}"
        elif word_count(shown) > most_words:
            shown = self._first_sentence(block)
        if word_count(shown) <= most_words:
            return shown
        return " ".join(shown.split()[:most_words]) + CUT

    def _led(self, shown: str, inner: Sequence[Block], level: int, most_words: int) -> str:
        """Return what leads into a list inside of an item with its entries behind it, where that is not too long."""
        below = [one for one in inner if one.kind in ("item", "term", "row") and one.level == level]
        whole = self._with_names(shown, below)
        fits = bool(below) and word_count(whole) <= most_words
        return whole if fits or (below and below[0].kind == "item") else f"{shown}{CUT}"

    def _with_names(self, shown: str, below: Sequence[Block]) -> str:
        """Return what leads into items or terms with these behind it."""
        names = (ITEM_MARK.sub("", self.line(one.span)).rstrip(".;,:") for one in below)
        between = "; " if any(one.kind == "row" for one in below) else ", "
        return f"{shown.removesuffix(':')}: {between.join(names)}"

    def _defined(self, names: Sequence[str], definition: Block) -> str:
        return f"- {', '.join(names).removesuffix(':')}: {self._first_sentence(definition)}"

    def entry(self, blocks: Sequence[Block]) -> str:
        """Return a term, with as much of a long definition as reads well; empty for anything else."""
        defined = next((block for block in blocks if block.kind != "term"), None)
        if blocks[0].kind != "term" or defined is None or defined.kind != "definition":
            return ""
        names = [self.line(block.span) for block in blocks[: blocks.index(defined)]]
        sentences = sentence_spans(self.text, defined.span.start, defined.span.end)
        shown = (
            f"- {', '.join(names).removesuffix(':')}: {self.line(Span(defined.span.start, end))}"
            for _, end in sentences
        )
        return max(takewhile(lambda text: word_count(text) <= _ENTRY_WORDS, shown), key=len, default="")

    def _first_sentence(self, block: Block) -> str:
        """Return the first sentence of a block, with the one behind it if it is only a name: "Depth. How far ..."."""
        spans = sentence_spans(self.text, block.span.start, block.span.end)
        if not spans:
            return ""
        (start, end), *others = spans
        is_name = word_count(ITEM_MARK.sub("", self.line(Span(start, end)))) < _LEAST_ITEM_WORDS
        return self.line(Span(start, others[0][1] if is_name and others else end))

    def cells(self, block: Block) -> list[str]:
        """Return the cells of a row."""
        return [cell.strip() for cell in self.text[block.span.start : block.span.end].split(CELL_BREAK.rstrip())]


def is_field(text: str, row: Block) -> bool:
    """Return whether a row is a single cell with a name of its own, such as "Author: Ann", and no row of a table."""
    is_single = text.find(CELL_BREAK.rstrip(), row.span.start, row.span.end) < 0
    return is_single and _HAS_NAME.match(text, row.span.start, row.span.end) is not None


def _is_name(item: str) -> bool:
    """Return whether an item is nothing but the name of what the paragraph below it is about."""
    return word_count(item) <= _MOST_NAME_WORDS and item[-1] not in ".!?"


def items_in(shown: str) -> list[str]:
    """Return the items of a list that is shown, each up to the end of its line and without its mark."""
    return _ITEM.findall(shown)


def names_of_entries(shown: str) -> list[str]:
    """Return what the items of a list are about by their own words: "furl" of "- furl: roll the sail up"."""
    return list(filter(None, map(entry_name_of, items_in(shown))))


def entry_name_of(item: str) -> str:
    """Return what an item without its mark begins with that names what it is about; maybe nothing."""
    named = _ENTRY_NAME.match(item)
    return named[1] if named else ""


def names_in(shown: str) -> list[str]:
    """Return the names that stand for the entries of a long list; none where more of them is shown."""
    items = items_in(shown)
    if len(items) != 1 or not items[0].endswith(CUT) or not shown.endswith(items[0]):
        return []
    names = items[0].removesuffix(CUT).split(", ")
    return names if len(names) > 1 and all(word_count(name) <= _MOST_NAME_WORDS for name in names) else []


def without_note_number(stored: StoredText, span: Span, shown: str) -> str:
    """Return a shown stretch without the number at its beginning if a note begins there: the mark was left out."""
    at = bisect_left(stored.blocks, span.start, key=lambda block: block.span.start)
    begins = at < len(stored.blocks) and stored.blocks[at].span.start == span.start and stored.blocks[at].kind == "note"
    return _NOTE_NUMBER.sub("", shown, count=1) if begins and _NOTE_NUMBER.match(shown) else shown
