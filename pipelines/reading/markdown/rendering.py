"""Markdown as a person sees it: its text without markup, with its blocks and headings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from markdown_it.token import Token

from pipelines.reading.blocks import BlockWriter
from pipelines.reading.formulas import formula_text
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.linerecords import are_replies
from pipelines.reading.markdown.boldquestions import with_bold_questions
from pipelines.reading.markdown.directives import NOTES
from pipelines.reading.markdown.extensions import ATTRIBUTES, with_plain_notes
from pipelines.reading.markdown.folding import with_fold_titles
from pipelines.reading.markdown.footnotes import with_short_footnotes
from pipelines.reading.markdown.inline import shown, without_unknown_tags
from pipelines.reading.markdown.linerecords import records_in
from pipelines.reading.markdown.markedlines import marked_lines
from pipelines.reading.markdown.tree import NO_VALUES, Node, parse
from pipelines.reading.tidying import tidy
from pipelines.types import BlockKind, StoredText

_INDENT = "  "
_BREAK_IN_CELL = " / "
_ENDINGS = ".!?:"
_CODE = frozenset({"fence", "code_block"})
_CUSTOM_ID = re.compile(rf"(?: #+)? ?(?:\{{[#.:][^{{}}]{{0,300}}\}}|{ATTRIBUTES})$")
_ALERT = re.compile(r"\[!(\w{1,20})\][+-]?[ \t]*")
_ONLY_TAGS = re.compile(r"\s*(?:</?(?!img\b)[A-Za-z][^<>]*>\s*)*")
_CONTENTS = re.compile(r"\[{1,2}_?toc_?\]{1,2}|\$\{toc\}", re.IGNORECASE)
"""Where a program puts the page's contents."""


def render(
    markdown: str,
    *,
    lines: Sequence[int] = (),
    keep_breaks: bool = False,
    jsx: bool = False,
    values: Mapping[str, str] = NO_VALUES,
) -> StoredText:
    """Return the text that Markdown shows, with its blocks and headings.

    Args:
        markdown: The Markdown, without front matter.
        lines: The line of the file of each of its lines, for its blocks to know theirs.
        keep_breaks: Its line breaks are its author's, and not those of an editor that wraps lines.
        jsx: Tags that HTML does not know are components, as in MDX.
        values: What MyST's substitutions stand for, by name.
    """
    source = _Source(tuple(lines), keep_breaks=keep_breaks, jsx=jsx)
    renderer = _Renderer(source)
    parsed = parse(markdown, jsx=jsx, literal=keep_breaks, values=values)
    titled = list(with_bold_questions(list(with_fold_titles(parsed))))
    nodes = with_short_footnotes(titled, jsx=jsx)
    renderer.add_all(nodes, _Place())
    return renderer.writer.stored()


@dataclass(frozen=True, slots=True)
class _Source:
    """How Markdown is rendered, and the lines of its file; see `render`."""

    lines: tuple[int, ...]
    keep_breaks: bool
    jsx: bool

    def line(self, node: Node) -> int | None:
        """Return the line of the file where a node begins, from 1; None where it is not known."""
        return self.lines[node.start] if node.start < len(self.lines) else None

    def words(self, node: Node) -> str:
        """Return what the text of a node shows: of a paragraph, a heading, a term or a cell."""
        if node.words is None:
            return ""
        return self.shown(node.words.children or [])

    def words_and_records(self, node: Node) -> tuple[str, list[str]]:
        """Return what the text of a paragraph shows, without its lines that are a record each, and these."""
        return records_in(node.words.children or [], self.shown) if node.words is not None else ("", [])

    def shown(self, tokens: Sequence[Token]) -> str:
        """Return what the tokens of a text show."""
        return tidy(shown(tokens, keep_breaks=self.keep_breaks, jsx=self.jsx)).strip()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where blocks stand: how deep, in how many lists, and what a paragraph is there."""

    level: int = 0
    lists: int = 0
    kind: BlockKind = "paragraph"


class _Renderer:
    """Writes the blocks of a tree of Markdown."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        self.writer = BlockWriter()

    def add_all(self, nodes: Sequence[Node], place: _Place, lead: int | None = None) -> None:
        """Append blocks; ``lead`` is the level of what leads into a list or a table at their beginning."""
        lead = place.level if lead is None else lead
        leads_code, leads_terms = False, False
        for node in nodes:
            if node.kind == "paragraph":
                text, records = self._source.words_and_records(node)
                if _CONTENTS.fullmatch(text):
                    continue
                lead = self._add_paragraph(text, records, node, place, lead)
                leads_code, leads_terms = not text.endswith((".", "!", "?")), text.endswith(":")
            elif node.kind in _CODE:
                self._add_code(node, place.level + leads_code)
            elif node.kind in ("bullet_list", "ordered_list"):
                self._add_list(node, replace(place, level=lead + 1, kind="paragraph"))
            elif node.kind == "table":
                self._add_table(node, lead)
            elif node.kind == "dl":
                self._add_definitions(node, replace(place, level=place.level + leads_terms))
            else:
                self._add_other(node, place)
                lead = place.level
                leads_code = node.kind == "html_block" and node.token.content.startswith("<figcaption")

    def _add_other(self, node: Node, place: _Place) -> None:
        match node.kind:
            case "heading" if place == _Place():
                title = _CUSTOM_ID.sub("", " ".join(self._source.words(node).split()))
                self.writer.add_heading(int(node.token.tag[1]), title, line=self._source.line(node))
            case "heading":
                self._add_text(self._source.words(node), node, place.kind, place.level)
            case "blockquote":
                self._add_quote(node, place)
            case "footnote_reference":
                self._add_labelled(f"Footnote {node.token.meta.get('label', '')}:", "", node, node.children, place)
            case "math_block" | "amsmath":
                self._add_text(formula_text(node.token.content), node, place.kind, place.level)
            case "html_block":
                self._add_html(node.token.content, node, place)

    def _add_paragraph(self, text: str, records: Sequence[str], node: Node, place: _Place, lead: int) -> int:
        """Append a paragraph, and its records or lines with marks as items below it; return the level that leads on."""
        if records:
            if text:
                self._add_text(text, node, place.kind, place.level)
                lead = place.level
            for record, is_reply in zip(records, are_replies(records), strict=True):
                self._add_text(record, node, "item", lead + 1 + is_reply)
            return lead
        before, lines = marked_lines(node.words.children or [] if node.words is not None else [])
        self._add_text(self._source.shown(before) if lines else text, node, place.kind, place.level)
        for line in lines:
            self._add_text(self._source.shown(line), node, "item", (place.level if before else lead) + 1)
        return place.level

    def _add_text(self, text: str, node: Node, kind: BlockKind, level: int) -> None:
        self.writer.add(text, kind, level=level, line=self._source.line(node))

    def _add_code(self, node: Node, level: int) -> None:
        code = node.token.content.rstrip().strip("\n")
        code = code if self._source.keep_breaks else with_plain_notes(code)
        self._add_text(code, node, "code", level)

    def _add_list(self, node: Node, place: _Place) -> None:
        for item in node.children:
            sign = f"{item.token.info}." if node.kind == "ordered_list" else "-"
            self._add_item(item, sign, place)

    def _add_item(self, item: Node, sign: str, place: _Place) -> None:
        """Append an item of a list: its first paragraph with its sign, and what else it holds, a level deeper."""
        first = item.children[0] if item.children else None
        text = ""
        rest = item.children
        inside: Sequence[Sequence[Token]] = ()
        if first is not None and first.words is not None:
            before, inside = marked_lines(first.words.children or [])
            text, rest = self._source.shown(before), item.children[1:]
            text, inside = (text, inside) if text else (self._source.words(first), ())
        start = _INDENT * place.lists + sign
        if text:
            lines = f"{start} {text}".replace("\n", "\n" + " " * (len(start) + 1))
            self._add_text(lines, item, "item", place.level)
        elif sign != "-" and rest:
            self._add_text(start, item, "item", place.level)
        for line in inside:
            self._add_text(f"{_INDENT * (place.lists + 1)}{self._source.shown(line)}", item, "item", place.level + 1)
        inner = replace(place, level=place.level + 1, lists=place.lists + 1)
        self.add_all(rest, inner, lead=place.level)

    def _add_quote(self, node: Node, place: _Place) -> None:
        first = node.children[0].words if node.children and node.children[0].kind == "paragraph" else None
        alert = _ALERT.match(first.content) if first is not None else None
        title, text = _split_at_break(first.children or []) if first is not None else ([], [])
        head = self._source.shown(title)
        if alert is not None:
            label = _label(alert[1], _ALERT.sub("", head, count=1))
        elif first is not None and first.content[:1] in "*_" and head.rstrip(":").lower() in NOTES:
            label = _label(head.rstrip(":"), "")
        else:
            self.add_all(node.children, replace(place, kind="quote"))
            return
        self._add_labelled(label, self._source.shown(text), node, node.children[1:], place)

    def _add_labelled(self, label: str, text: str, node: Node, rest: Sequence[Node], place: _Place) -> None:
        """Append a note: what it is called, its first paragraph, and what else it holds, a level deeper."""
        if not text and rest and rest[0].kind == "paragraph":
            text, rest = self._source.words(rest[0]), rest[1:]
        said = text.removeprefix(label).lstrip()  # some notes say so once more: "**Note:** ..."
        self._add_text(f"{label} {said}".strip(), node, "note", place.level)
        self.add_all(rest, replace(place, level=place.level + 1, kind="paragraph"), lead=place.level)

    def _add_definitions(self, node: Node, place: _Place) -> None:
        for part in node.children:
            if part.kind == "dt":
                self._add_text(self._source.words(part), part, "term", place.level)
            else:
                self._add_definition(part, replace(place, level=place.level + 1, kind="paragraph"))

    def _add_definition(self, node: Node, place: _Place) -> None:
        rest = node.children
        if rest and rest[0].kind == "paragraph":
            self._add_text(self._source.words(rest[0]), node, "definition", place.level)
            rest = rest[1:]
        self.add_all(rest, place)

    def _add_table(self, node: Node, lead: int) -> None:
        rows = [row for part in node.children for row in part.children]
        cells = [[self._source.words(cell).replace("\n", _BREAK_IN_CELL) for cell in row.children] for row in rows]
        if max(map(len, cells), default=0) > 1:
            self.writer.add_table(cells, level=lead, lines=[self._source.line(row) for row in rows])
            return
        # A single column is a list that its header leads into.
        for row, (text, *_) in zip(rows, cells, strict=True):
            if row is rows[0]:
                self._add_text(text, row, "paragraph", lead)
            elif text:
                self._add_text(f"- {text}", row, "item", lead + 1)

    def _add_html(self, html: str, node: Node, place: _Place) -> None:
        markup = html if self._source.jsx else without_unknown_tags(html)
        is_comment = html.lstrip().startswith("<!--") and html.find("-->") == len(html.rstrip()) - len("-->")
        if is_comment or _ONLY_TAGS.fullmatch(markup):
            return
        found = render_html(parse_html(markup))
        line = self._source.line(node)
        blocks = [replace(block, line=line) for block in found.blocks]
        self.writer.add_blocks(found.text, blocks, found.headings, level=place.level)


def _split_at_break(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
    """Return what stands before the first line break, and behind it."""
    place = next((index for index, token in enumerate(tokens) if token.type.endswith("break")), len(tokens))
    return tokens[:place], tokens[place + 1 :]


def _label(kind: str, title: str) -> str:
    """Return what a note begins with, such as "Note:" or "Warning: Old disks."."""
    name = kind.capitalize()
    if not title or title.rstrip(":").casefold() == name.casefold():
        return f"{name}:"
    return f"{name}: {title}" if title[-1] in _ENDINGS else f"{name}: {title}."
