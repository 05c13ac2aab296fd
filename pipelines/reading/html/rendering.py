"""HTML as a person sees it: its text without markup, with its blocks and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bs4 import Comment, Tag
from bs4.element import NavigableString, PageElement, PreformattedString

from pipelines.reading.blocks import BlockWriter
from pipelines.reading.html.brokenlines import BrokenLines, broken_lines
from pipelines.reading.html.figures import figure_text, is_figure
from pipelines.reading.html.tables import is_layout, table_rows
from pipelines.reading.html.worditems import word_item
from pipelines.reading.html.words import BLOCKS, code_of, inline_text, tidy_line
from pipelines.reading.plain.blocks import plain_blocks
from pipelines.reading.tidying import tidy
from pipelines.types import BlockKind, StoredText

_INDENT = "  "
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CAPTIONS = frozenset({"figcaption", "caption"})
_FLAT = _HEADINGS | _CAPTIONS | {"pre", "table"}
"""What is shown without the blocks inside of it."""
_NO_PICTURES: Mapping[int, str] = {}
# What the classes of a box say that it is, in the order in which they are believed.
_NOTE_CLASSES = {
    "warning": "Warning", "caution": "Caution", "danger": "Danger", "important": "Important", "attention": "Attention",
    "tip": "Tip", "hint": "Hint", "seealso": "See also", "deprecated": "Deprecated", "info": "Note", "note": "Note",
    "admonition": "Note", "callout": "Note", "alert": "Note",
}  # fmt: skip
_NOTE_TITLES = ".admonition-title, .callout-title, .alert-heading, :scope > :is(h2, h3, h4, h5, h6).title"
_NOTE_TAGS = frozenset({"div", "section", "p", "aside", "blockquote", "td", "li"})
_LONG_TEXT = 40
_RULE = re.compile(r"^[ \t]*[-=_*]{4,}[ \t]*$", re.MULTILINE)
_SENTENCE = re.compile(r"[^\W\d_]+[.;,:]? [^\W\d_]+ [^\W\d_]+ [^\W\d_]+ [^\W\d_]+")
_CLASS_PART = re.compile(r"[a-z]+")


def render_html(root: Tag, pictures: Mapping[int, str] = _NO_PICTURES) -> StoredText:
    """Return the text that an element shows, with its blocks and headings; they have no lines.

    ``pictures`` are the texts of the blocks that stand for images, by the identities of their elements.
    """
    try:
        renderer = _Renderer(root, pictures)
        renderer.add_content(root, _Place())
    except RecursionError:
        # Nested deeper than any author would: the words are kept, the structure is not.
        return _flat(root)
    return renderer.writer.stored()


def _flat(root: Tag) -> StoredText:
    writer = BlockWriter()
    for text in root.find_all(string=True):
        if not isinstance(text, PreformattedString):
            writer.add(tidy_line(text))
    return writer.stored()


class _First(NamedTuple):
    """What the first paragraph of a place is: its kind, its level, and what stands before its words."""

    kind: BlockKind
    level: int
    prefix: str = ""


@dataclass(slots=True)
class _Place:
    """Where blocks stand, and what came before them there.

    ``lead`` is the level of what leads into a list or a table; ``first`` is None once there was a paragraph, which
    ``figures`` that stand before it follow.
    """

    level: int = 0
    lists: int = 0
    kind: BlockKind = "paragraph"
    first: _First | None = None
    lead: int = 0
    leads_code: bool = False
    leads_terms: bool = False
    top: bool = True
    figures: list[str] = field(default_factory=list)


class _Renderer:
    """Writes the blocks of a tree of HTML."""

    def __init__(self, root: Tag, pictures: Mapping[int, str]) -> None:
        self.writer = BlockWriter()
        self._pictures = pictures
        self._holders = _holders(root, pictures)

    def add_content(self, element: Tag, place: _Place) -> None:
        """Append what an element holds: words that stand together are a paragraph."""
        words: list[str] = []
        for child in element.children:
            if isinstance(child, Tag) and self._is_block(child):
                self._add_words(words, place)
                words = []
                self._add_block(child, place)
            else:
                words.append(inline_text(child))
        self._add_words(words, place)

    def _add_whole(self, element: Tag, place: _Place) -> None:
        """Append what an element holds whose first paragraph is of a kind; where there is none, its figures are."""
        self.add_content(element, place)
        if place.figures:
            self._add_words([place.figures.pop(0)], place)

    def _is_block(self, element: Tag) -> bool:
        return element.name in BLOCKS or id(element) in self._holders or id(element) in self._pictures

    def _add_words(self, words: list[str], place: _Place) -> None:
        text = tidy_line("".join(words))
        if not text:
            return
        first, place.first = place.first, None
        if first:
            shown = _prefixed(text, first.prefix)
            self.writer.add(shown, first.kind, level=first.level)
            place.lead = first.level
        elif place.kind == "paragraph" and (found := broken_lines(text)):
            self._add_broken(found, place)
        else:
            self.writer.add(text, place.kind, level=place.level)
            place.lead = place.level
        for figure in place.figures:
            self._add_caption(figure, place)
        place.figures.clear()
        place.leads_code, place.leads_terms = not text.endswith((".", "!", "?")), text.endswith(":")

    def _add_broken(self, found: BrokenLines, place: _Place) -> None:
        """Append the items of a paragraph; what stands above them leads into them if it ends in a colon."""
        leads = bool(found.lead_in) or place.leads_terms
        place.lead = place.level if found.lead_in else place.lead
        self.writer.add(found.lead_in, place.kind, level=place.level)
        for item in found.items:
            self.writer.add(_INDENT * place.lists + item, "item", level=place.lead + leads)

    def _add_block(self, element: Tag, place: _Place) -> None:
        if id(element) in self._pictures:
            self._add_picture(element, place)
            return
        self._add_other(element, place)
        if self._pictures and element.name in _FLAT and not (element.name == "table" and is_layout(element)):
            for image in element.find_all("img"):
                self._add_picture(image, place)

    def _add_picture(self, image: Tag, place: _Place) -> None:
        self.writer.add(self._pictures.get(id(image), ""), "picture", level=place.level)

    def _add_other(self, element: Tag, place: _Place) -> None:
        name = element.name
        label = _note_label(element)
        if label and name in _NOTE_TAGS:
            self._add_note(element, label, place)
        elif name in _HEADINGS:
            self._add_heading(element, place)
        elif name in _LISTS:
            self._add_list(element, place)
        elif name == "dl":
            level = place.level + place.leads_terms
            self.add_content(element, _Place(level, place.lists, lead=level, top=False))
        elif name in ("dt", "dd"):
            self._add_definition(element, place)
        elif name == "pre":
            self._add_code(element, place)
        elif name == "table" and not is_layout(element):
            self._add_table(element, place)
        elif name == "blockquote":
            self.add_content(element, _inside(place, kind="quote"))
        elif name in _CAPTIONS:
            self._add_caption(inline_text(element), place)
        else:
            self._add_plain(element, place)

    def _add_plain(self, element: Tag, place: _Place) -> None:
        if is_figure(element):
            self._add_figure(element, place)
            return
        item = word_item(element) if element.name == "p" and place.top and id(element) not in self._holders else None
        if item is None:
            self.add_content(element, place)
        elif item.text:
            shown = f"{_INDENT * (item.depth - 1)}{item.sign} {item.text}"
            self.writer.add(shown, "item", level=place.level + item.depth)

    def _add_heading(self, element: Tag, place: _Place) -> None:
        if place.top:
            self.writer.add_heading(int(element.name[1]), tidy_line(inline_text(element)))
            place.lead, place.leads_code, place.leads_terms = place.level, False, False
        else:
            self._add_words([inline_text(element)], place)

    def _add_figure(self, element: Tag, place: _Place) -> None:
        for image in element.find_all("img") if self._pictures else ():
            self._add_picture(image, place)
        said = figure_text(element)
        if said and place.first:
            place.figures.append(said)
        elif said:
            self._add_caption(said, place)

    def _add_caption(self, text: str, place: _Place) -> None:
        self.writer.add(" ".join(tidy_line(text).split()), "caption", level=place.level)
        place.lead, place.leads_code, place.leads_terms = place.level, True, False

    def _add_code(self, element: Tag, place: _Place) -> None:
        if place.first and place.first.prefix.strip(" -"):
            self._add_words([" "], place)
        text = code_of(element)
        if _is_prose(element, text):
            text = tidy(_RULE.sub("", text))
            self.writer.add_blocks(text, (replace(block, line=None) for block in plain_blocks(text)), level=place.level)
            return
        self.writer.add(text, "code", level=place.level + (place.leads_code and place.lead == place.level))

    def _add_list(self, element: Tag, place: _Place) -> None:
        outer = place.first
        # A list that begins an item is only set in: it stands in the item's place.
        set_in = outer is not None and outer.kind == "item"
        level, lists = (outer.level, place.lists - 1) if outer and set_in else (place.lead + 1, place.lists)
        for sign, item in _items(element):
            first = _First("item", level, f"{_INDENT * lists}{sign} ")
            inner = _Place(level + 1, lists + 1, first=first, lead=level, top=False)
            if isinstance(item, Tag) and item.name == "li":
                self._add_whole(item, inner)
            elif isinstance(item, Tag) and item.name in _LISTS:
                self._add_list(item, _Place(level, lists + 1, lead=level, top=False))
            else:
                self._add_words([inline_text(item)], inner)

    def _add_definition(self, element: Tag, place: _Place) -> None:
        level = place.level + (element.name == "dd")
        kind: BlockKind = "term" if element.name == "dt" else "definition"
        if kind == "term":
            _drop_bare_colon(element)
        self._add_whole(element, _Place(level, place.lists, first=_First(kind, level), lead=level, top=False))

    def _add_note(self, element: Tag, label: str, place: _Place) -> None:
        title = element.select_one(_NOTE_TITLES)
        if title is not None:
            found = tidy_line(inline_text(title.extract())).rstrip(":")
            if found.casefold() != label.casefold():
                label = f"{label}: {found}"
        first = _First("note", place.level, f"{label}: ")
        self._add_whole(element, _Place(place.level + 1, place.lists, first=first, lead=place.level, top=False))
        place.lead = place.level

    def _add_table(self, element: Tag, place: _Place) -> None:
        caption = element.find("caption")
        table = table_rows(element)
        title = tidy_line(inline_text(caption)) if isinstance(caption, Tag) else ""
        for text in filter(None, (title, table.title)):
            self._add_caption(text, place)
        self.writer.add_table(table.rows, has_header=table.has_header, level=place.lead)


def _drop_bare_colon(term: Tag) -> None:
    """Drop the colon with which a term begins in manuals that leave the kind of thing before it empty."""
    first = next((text for text in term.strings if text.strip()), None)
    if isinstance(first, NavigableString) and first.strip() == ":":
        first.extract()


def _is_prose(element: Tag, text: str) -> bool:
    """Return whether preformatted text is a whole document from before there was HTML."""
    return (
        element.find("code") is None and text.count("\n") >= _LONG_TEXT and len(_SENTENCE.findall(text)) >= _LONG_TEXT
    )


def _inside(place: _Place, kind: BlockKind) -> _Place:
    return _Place(place.level, place.lists, kind, lead=place.level, top=False)


def _prefixed(text: str, prefix: str) -> str:
    """Return a text behind its prefix; a note that says already what it is gets no other name."""
    label = prefix.rstrip(": ")
    if label and text.casefold().startswith(f"{label.casefold()}:"):
        return text
    return f"{prefix}{text}".replace("\n", "\n" + " " * (len(prefix) if prefix.endswith(("- ", ". ", ") ")) else 0))


def _holders(root: Tag, pictures: Mapping[int, str]) -> frozenset[int]:
    """Return the identities of the elements that hold a block somewhere inside."""
    found: set[int] = set()
    images = [image for image in root.find_all("img") if id(image) in pictures] if pictures else []
    for element in (*root.find_all(list(BLOCKS)), *images):
        above = element.parent
        while above is not None and id(above) not in found:
            found.add(id(above))
            above = above.parent
    return frozenset(found)


def _items(element: Tag) -> Iterator[tuple[str, PageElement]]:
    """Yield what a list holds with the sign of each item."""
    start = str(element.get("start") or "1")
    number = int(start) if start.isdecimal() and len(start) < 10 else 1
    letters = element.name == "ol" and element.get("type") in ("a", "A")
    for child in element.children:
        if isinstance(child, Comment) or (isinstance(child, NavigableString) and not child.strip()):
            continue
        if not isinstance(child, Tag) or child.name != "li":
            yield "-", child
            continue
        value = str(child.get("value") or "")
        number = int(value) if value.isdecimal() and len(value) < 10 else number
        shown = chr(ord(str(element["type"])) + number - 1) if letters and number <= 26 else str(number)
        yield (f"{shown}." if element.name == "ol" else "-"), child
        number += 1


def _note_label(element: Tag) -> str:
    """Return the label of a note; empty if it is not one."""
    classes = element.get("class")
    if element.name == "aside":
        given = [name for each in classes or () for name in _CLASS_PART.findall(each.lower())]
        return next((label for name, label in _NOTE_CLASSES.items() if name in given), "Note")
    if not classes and element.get("role") != "note":
        return ""
    given = [each.lower().removeprefix("alert-").removeprefix("callout-") for each in classes or ()]
    return next((label for name, label in _NOTE_CLASSES.items() if name in given), "Note" * (not classes))
