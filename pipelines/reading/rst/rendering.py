"""From docutils' tree to a draft: what a person sees of reStructuredText, block by block."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docutils import nodes

from pipelines.reading.draft import Draft
from pipelines.reading.roman import roman
from pipelines.reading.rst.terms import with_definitions, with_sentences
from pipelines.reading.rst.words import Words
from pipelines.reading.spans import LONGEST_REPEATED, SpannedRows, under_names
from pipelines.types import BlockKind

_INDENT = "  "
_ENDINGS = (".", "!", "?", ":")
_LEADS = (":", "?")
_BREAK_IN_CELL = " / "
_FIELD_NAMES = {
    "param": "", "parameter": "", "arg": "", "argument": "", "key": "", "keyword": "", "type": "Type of ",
    "raises": "Raises ", "raise": "Raises ", "except": "Raises ", "exception": "Raises ",
    "var": "", "ivar": "", "cvar": "",
}  # fmt: skip
_FIELD_LABELS = {"return": "Returns", "returns": "Returns", "rtype": "Return type", "yields": "Yields"}
_LEFT_OPEN = frozenset({"|release|", "|today|", "|version|"})
"""What Sphinx puts in from its settings, which are in another file."""
_HIDDEN_FIELDS = frozenset({"orphan", "tocdepth", "nocomments", "nosearch", "no-search", "content-type"})
_KEYWORD = re.compile(r"\$(?:Revision|Date|Id|LastChangedDate|Author)\b[^$\n]*\$$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where blocks stand.

    Attributes:
        level: That of paragraphs here.
        lead: That of what leads into a list or a table that comes next.
        lists: How many lists are around.
        kind: What a paragraph is here.
        announced: Whether the paragraph before ended with a colon or a question mark.
    """

    level: int = 0
    lead: int = 0
    lists: int = 0
    kind: BlockKind = "paragraph"
    announced: bool = False

    @property
    def follower(self) -> int:
        """The level of code, a quote or definitions here: they belong to a paragraph that announces them."""
        return self.lead + 1 if self.announced else self.level

    def inside(self, level: int, lists: int = 0) -> Place:
        """Return the place of the blocks inside this one, ``lists`` levels deeper."""
        return Place(level=level + 1, lead=level, lists=self.lists + lists)


_TOP = Place()


class Renderer:
    """Writes the blocks of a tree into a draft.

    Args:
        document: The tree.
        draft: Receives the blocks.
        depth: How many levels of headings are above its sections.
    """

    def __init__(self, document: nodes.document, draft: Draft, depth: int = 0) -> None:
        self._draft = draft
        self._words = Words(document)
        self._depth = depth
        self._writers: dict[type[nodes.Node], Callable[[Any, Place], None]] = {
            nodes.section: self._section,
            nodes.bullet_list: self._list,
            nodes.enumerated_list: self._list,
            nodes.definition_list: self._definitions,
            nodes.field_list: self._fields,
            nodes.option_list: self._options,
            nodes.line_block: self._lines,
            nodes.literal_block: self._code,
            nodes.doctest_block: self._code,
            nodes.block_quote: self._quote,
            nodes.attribution: self._attribution,
            nodes.table: self._table,
            nodes.admonition: self._note,
            nodes.footnote: self._footnote,
            nodes.citation: self._footnote,
            nodes.caption: self._caption,
            nodes.image: self._caption,
            nodes.compound: self._compound,
        }

    def add_all(self, children: Iterable[nodes.Node], place: Place = _TOP) -> None:
        """Append what nodes show."""
        for node in with_definitions(children):
            if isinstance(node, nodes.paragraph):
                text = self._words.of(node)
                self._draft.add(text, place.kind, level=place.level, line=node.line)
                place = replace(place, lead=place.level, announced=text.endswith(_LEADS))
            elif not isinstance(node, nodes.Invisible):
                self._writers.get(type(node), self._other)(node, place)
                lead = place.level if isinstance(node, nodes.line_block) else place.lead
                place = replace(place, lead=lead, announced=place.announced and isinstance(node, nodes.literal_block))

    def _other(self, node: nodes.Node, place: Place) -> None:
        if isinstance(node, nodes.TextElement):
            self._draft.add(self._words.of(node), place.kind, level=place.level, line=node.line)
        else:
            self.add_all(node.children, place)

    def _section(self, node: nodes.section, place: Place) -> None:
        title = node.next_node(nodes.title)
        self._depth += 1
        if title is not None:
            self._draft.add_heading(self._depth, self._words.of(title), line=title.line)
        self.add_all([child for child in node.children if child is not title])
        self._depth -= 1

    def _list(self, node: nodes.Element, place: Place) -> None:
        numbered = isinstance(node, nodes.enumerated_list)
        for at, item in enumerate(node.children):
            self._item(item, _number(node, at) if numbered else "-", replace(place, level=place.lead + 1))

    def _item(self, item: nodes.Node, sign: str, place: Place) -> None:
        """Append an item with its first paragraph; what else it holds stands a level deeper."""
        words, rest = self._beginning(item)
        start = _INDENT * place.lists + sign
        if words:
            self._draft.add(f"{start} {words}", "item", level=place.level, line=item.line)
        elif sign != "-" and rest:
            self._draft.add(start, "item", level=place.level, line=item.line)
        self.add_all(rest, place.inside(place.level, lists=1))

    def _beginning(self, item: nodes.Node) -> tuple[str, Sequence[nodes.Node]]:
        """Return the words that an item begins with, and what else is in it.

        They are its first paragraph, or its title with what goes on with that: a line that is indented too much.
        """
        title, below = _titled(item)
        first, rest = _first_paragraph(below)
        words = self._words.of(first) if first is not None else ""
        if title is None:
            return words, rest
        named = self._words.of(title)
        return (f"{named} {words}", rest) if words[:1].islower() else (named, below)

    def _definitions(self, node: nodes.Element, place: Place) -> None:
        level = place.level if node.get("describes") else place.follower
        if node.get("describes") and node.astext().strip() == _title_behind(node):
            return  # a place to link to: the section behind it has its name
        for item in node.children:
            terms = [child for child in item.children if isinstance(child, nodes.term)]
            classifiers = [self._words.of(child) for child in item.children if isinstance(child, nodes.classifier)]
            for term in terms:
                words = self._words.of(term)
                self._draft.add(": ".join([words, *classifiers]), "term", level=level, line=term.line)
            for definition in item.children:
                if isinstance(definition, nodes.definition):
                    self._definition(definition, place.inside(level))

    def _definition(self, node: nodes.Node, place: Place) -> None:
        first, rest = _first_paragraph(node.children)
        if first is None:
            self.add_all(rest, place)
            return
        words = self._words.of(first)
        self._draft.add(words, "definition", level=place.level, line=first.line)
        self.add_all(rest, place.inside(place.level))

    def _fields(self, node: nodes.Element, place: Place) -> None:
        """Append fields as rows such as "Author: Ada Lovelace"."""
        for field in node.children:
            name, body = field.children[0], field.children[1]
            first, rest = _first_paragraph(body.children)
            words = self._words.of(first) if first is not None else ""
            label = self._words.of(name)
            if label.lower() in _HIDDEN_FIELDS or _KEYWORD.match(words) or _is_left_open(first, words):
                continue
            level = place.lead + 1
            text = f"{_field_label(label)}: {words}".strip()
            self._draft.add(text, "row", level=level, line=_first_line(field) or field.line)
            self.add_all(rest, place.inside(level))

    def _options(self, node: nodes.Element, place: Place) -> None:
        level = place.follower
        for item in node.children:
            group, description = item.children[0], item.children[1]
            term = ", ".join(option.astext() for option in group.children)
            self._draft.add(term, "term", level=level, line=_first_line(description))
            self._definition(description, place.inside(level))

    def _lines(self, node: nodes.Element, place: Place) -> None:
        shown = "\n".join(self._line_block(node, 0)).strip("\n")
        self._draft.add(shown, place.kind, level=place.level, line=_first_line(node))

    def _line_block(self, node: nodes.Element, depth: int) -> list[str]:
        found: list[str] = []
        for child in node.children:
            if isinstance(child, nodes.line_block):
                found += self._line_block(child, depth + 1)
            else:
                found.append((_INDENT * depth + self._words.of(child)).rstrip())
        return found

    def _code(self, node: nodes.Element, place: Place) -> None:
        code = self._words.raw(node).rstrip().strip("\n")
        self._draft.add(code, "code", level=place.follower, line=node.line)

    def _quote(self, node: nodes.Element, place: Place) -> None:
        """Append a quote; indented lists and code are no quotes, and belong to what leads into them."""
        self.add_all(node.children, replace(place, level=place.follower, kind="quote"))

    def _attribution(self, node: nodes.Element, place: Place) -> None:
        self._draft.add(f"— {self._words.of(node)}", place.kind, level=place.level, line=node.line)

    def _table(self, node: nodes.Element, place: Place) -> None:
        for title in node.children:
            if isinstance(title, nodes.title):
                self._draft.add(self._words.of(title), "caption", level=place.lead + 1, line=node.line)
        rows = list(node.findall(nodes.row))
        lines = [row.get("line") or _first_line(row) or node.line or 1 for row in rows]
        has_header = node.next_node(nodes.thead) is not None or _is_first_alone_bold(rows)
        cells = _rows(node, self._cell, has_header=has_header)
        self._draft.add_table(cells, has_header=has_header, level=place.lead, lines=lines)

    def _cell(self, entry: nodes.Node) -> str:
        """Return the words of a cell on one line."""
        texts = (node for node in entry.findall(nodes.TextElement) if not isinstance(node.parent, nodes.TextElement))
        return _BREAK_IN_CELL.join(filter(None, map(self._words.of, texts)))

    def _note(self, node: nodes.Element, place: Place) -> None:
        title = node.children[0] if node.children and isinstance(node.children[0], nodes.title) else None
        first, rest = _first_paragraph(node.children[1:] if title is not None else node.children)
        label = str(node.get("label", "")) if title is None else _label(self._words.of(title))
        words = self._words.of(first) if first is not None else ""
        if words.startswith(f"{label.rstrip(':')} "):
            label = ""  # people repeat it: "See also the chapter on sails."
        text = f"{label} {words}" if words else label if rest else f"{label.rstrip(':')}."
        self._draft.add(text.strip(), "note", level=place.level, line=node.line)
        self.add_all(rest, place.inside(place.level))

    def _footnote(self, node: nodes.Element, place: Place) -> None:
        first, rest = _first_paragraph(node.children[1:])
        words = self._words.of(first) if first is not None else ""
        text = f"[{self._words.of(node.children[0])}] {words}"
        self._draft.add(text.strip(), "note", level=place.level, line=node.line)
        self.add_all(rest, place.inside(place.level))

    def _caption(self, node: nodes.Element, place: Place) -> None:
        self._draft.add(self._words.of(node), "caption", level=place.level, line=node.line)

    def _compound(self, node: nodes.Element, place: Place) -> None:
        """Append the content of a directive; below its title, if it shows one, it stands a level deeper."""
        inner = replace(place, level=place.level + 1, lead=place.level, announced=False)
        self.add_all(node.children, inner if node.get("deeper") else place)


def _is_left_open(paragraph: nodes.Element | None, words: str) -> bool:
    """Return whether a field says nothing but what Sphinx puts in, and the document does not say it either."""
    written = paragraph.rawsource.strip() if paragraph is not None else ""
    return written in _LEFT_OPEN and written.strip("|") == words


def _titled(item: nodes.Node) -> tuple[nodes.Node | None, Sequence[nodes.Node]]:
    """Return the title of an item, if it has one, and what stands below that.

    It is a line above a paragraph that is indented more: docutils reads a list of one definition.
    """
    first = item.children[0] if item.children else None
    if isinstance(first, nodes.definition_list) and len(first.children) == 1 and not first.get("describes"):
        title, *more = first.children[0].children
        if len(more) == 1 and isinstance(more[0], nodes.definition):
            return title, [*more[0].children, *item.children[1:]]
    return None, item.children


def _first_paragraph(children: Sequence[nodes.Node]) -> tuple[nodes.paragraph | None, Sequence[nodes.Node]]:
    """Return the paragraph that begins a block, None where something else does, and what else is in it."""
    shown = [child for child in with_sentences(children) if not isinstance(child, nodes.Invisible)]
    if shown and isinstance(shown[0], nodes.paragraph):
        return shown[0], shown[1:]
    return None, shown


def _first_line(node: nodes.Node) -> int | None:
    lines = (inner.line for inner in node.findall(nodes.TextElement) if isinstance(inner, nodes.paragraph | nodes.line))
    return min((line for line in lines if line), default=None)


def _title_behind(node: nodes.Node) -> str | None:
    """Return the title of the section that begins right behind a node."""
    behind = node.next_node(lambda one: not isinstance(one, nodes.Invisible), descend=False, siblings=True, ascend=True)
    title = behind.next_node(nodes.title) if isinstance(behind, nodes.section) else None
    return title.astext() if title is not None else None


def _number(node: nodes.Element, at: int) -> str:
    """Return the number of an item as it is written, such as "2." or "(b)"."""
    ordinal = int(node.get("start", 1)) + at
    kind = str(node.get("enumtype", "arabic"))
    number = str(ordinal)
    if kind.endswith("roman"):
        number = roman(ordinal)
    elif kind.endswith("alpha"):
        number = chr(ord("a") + (ordinal - 1) % 26)
    return f"{node['prefix']}{number.upper() if kind.startswith('upper') else number}{node['suffix']}"


def _field_label(name: str) -> str:
    """Return the words of a field's name: "size (int)" for "param int size" of a function's description."""
    kind, _, subject = name.partition(" ")
    if kind not in _FIELD_NAMES or not subject:
        return _FIELD_LABELS.get(name, name)
    before, _, last = subject.rpartition(" ")
    return f"{_FIELD_NAMES[kind]}{last} ({before})" if before else f"{_FIELD_NAMES[kind]}{last}"


def _label(title: str) -> str:
    return title if title.endswith(_ENDINGS) else f"{title}:"


def _is_first_alone_bold(rows: Sequence[nodes.row]) -> bool:
    """Return whether all cells of the first row are bold, as names of columns without the rule below them may be."""
    return len(rows) > 1 and all(map(_is_bold, rows[0].children)) and not all(map(_is_bold, rows[1].children))


def _is_bold(entry: nodes.Node) -> bool:
    lines = entry.children
    return bool(lines) and all(len(line.children) == 1 and isinstance(line.children[0], nodes.strong) for line in lines)


def _rows(table: nodes.Element, words: Callable[[nodes.Node], str], *, has_header: bool) -> list[list[str]]:
    """Return the cells by row, one that spans rows or named columns in each: every row can stand alone."""
    found: list[list[str]] = []
    spanned = SpannedRows(LONGEST_REPEATED)
    for row in table.findall(nodes.row):
        spanned.begin()
        for entry in row.children:
            if isinstance(entry, nodes.entry):
                text = words(entry)
                down = 1 + int(entry.get("morerows", 0))
                spanned.add(text, 1 + int(entry.get("morecols", 0)), down)
        spanned.end()
        is_named = has_header and bool(found)
        found.append(under_names(found[0], spanned.cells, spanned.spread) if is_named else spanned.cells)
    return found
