"""The text of OpenDocument: headings, paragraphs, lists with their numbers, tables and notes."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from pipelines.reading.draft import Draft
from pipelines.reading.office.pictures import AddPicture, alternative
from pipelines.reading.tables import heads_columns
from pipelines.reading.tidying import tidy
from pipelines.reading.xmltree import words
from pipelines.types import BlockKind, Span

# What is not part of the text: directories of it, comments, what was deleted, and what only programs read.
_LEFT_OUT = frozenset({
    "table-of-content", "alphabetical-index", "illustration-index", "table-index", "object-index", "user-index",
    "bibliography", "tracked-changes", "annotation", "annotation-end", "forms", "sequence-decls", "variable-decls",
    "user-field-decls", "notes", "desc", "title", "object", "object-ole", "plugin", "event-listeners", "script",
})  # fmt: skip
_APART = frozenset({"note", "text-box", "annotation"})
"""What hangs on a paragraph and has paragraphs of its own."""
_MOST_SPACES = 100
_KINDS: Mapping[str, BlockKind] = {
    "Quotations": "quote",
    "Preformatted Text": "code",
    "Caption": "caption",
    "Table": "caption",
    "Illustration": "caption",
    "Figure": "caption",
}
_DEEPEST_HEADING = 6


@dataclass(frozen=True, slots=True)
class _List:
    """A list around what is read: its style's name, its depth from 0, and the level of its items."""

    style: str
    depth: int
    level: int


class TextBody:
    """Appends parts of a file's content to a draft.

    Args:
        draft: What is appended to.
        content: The root of ``content.xml``, which defines styles of its own.
        styles: The root of ``styles.xml``, if there is one.
        add_picture: Takes the pictures.
    """

    def __init__(
        self, draft: Draft, content: etree._Element, styles: etree._Element | None, add_picture: AddPicture
    ) -> None:
        self._draft = draft
        self._add_picture = add_picture
        self._styles = _Styles(content, styles)
        self._numbers: dict[tuple[str, int], int] = {}
        self._leads = False
        self._readers: Mapping[str, Callable[[etree._Element, int], None]] = {
            "h": self._add_heading,
            "p": self._add_paragraph,
            "list": lambda element, level: self._add_list(element, self._list_of(element, level)),
            "table": self._add_table,
            "image": self._add_lone_image,
        }

    def add(self, container: etree._Element, level: int = 0) -> None:
        """Append what a part of the file holds, such as its body, a section or a text box."""
        for element in container:
            if element.tag in self._readers:
                self._readers[element.tag](element, level)
            elif element.tag not in _LEFT_OUT:
                self.add(element, level)

    def _add_heading(self, element: etree._Element, level: int) -> None:
        written = attribute(element, "outline-level")
        known = written.isdecimal() and len(written) < 9 and int(written) > 0
        depth = min(int(written), _DEEPEST_HEADING) if known else 1
        self._put_heading(depth, paragraph_text(element))
        self._add_attached(element, level)

    def _put_heading(self, level: int, title: str) -> None:
        self._draft.add_heading(level, tidy(title))
        self._leads = False

    def _add_paragraph(self, element: etree._Element, level: int) -> None:
        style = self._styles.name_of(attribute(element, "style-name"))
        text = tidy(paragraph_text(element)).strip()
        if style == "Title" and text:
            self._put_heading(1, text)
        else:
            kind = _KINDS.get(style, "paragraph")
            self._put(text if kind == "code" else "\n".join(map(str.strip, text.split("\n"))), kind, level)
        self._add_attached(element, level)

    def _put(self, text: str, kind: BlockKind, level: int) -> Span:
        if text:
            self._leads = kind == "paragraph"
        return self._draft.add(text, kind, level=level)

    def _add_attached(self, element: etree._Element, level: int) -> None:
        """Append the pictures, notes and text boxes that hang on a paragraph, behind it."""
        self._add_images(element, level)
        self._add_notes(element, level)
        for box in _outermost(element, "text-box"):
            self.add(box, level)

    def _add_notes(self, element: etree._Element, level: int) -> None:
        for note in _outermost(element, "note"):
            said = " ".join(paragraph_text(p) for body in note.iterfind("note-body") for p in body.iter("p"))
            self._draft.add(" ".join(f"Note: {said}".split()) if said.strip() else "", "note", level=level + 1)

    def _add_images(self, element: etree._Element, level: int) -> None:
        for image in _outermost(element, "image", apart=_APART):
            self._add_image(image, level)

    def _add_lone_image(self, image: etree._Element, level: int) -> None:
        """Append a picture that stands in no paragraph, and what is written on it."""
        self._add_image(image, level)
        self.add(image, level)

    def _add_image(self, image: etree._Element, level: int) -> None:
        self._draft.add(self.picture(image), "picture", level=level)

    def picture(self, image: etree._Element) -> str:
        """Return the text of a picture's block: of the forms that a frame has it in, the first that is kept."""
        frame = image.getparent()
        if frame is None or frame.find("table") is not None or frame.find("image") is not image:
            return ""
        caption = self._caption(frame)
        return next(filter(None, (self._add_picture(_address(form), caption) for form in frame.iterfind("image"))), "")

    def _caption(self, frame: etree._Element) -> str:
        """Return the alternative text of a picture, else the words of the caption that it stands in."""
        said = alternative(words(frame.find("desc"))) or alternative(words(frame.find("title")))
        around = next(frame.iterancestors("p"), None)
        if said or around is None:
            return said
        style = self._styles.name_of(attribute(around, "style-name"))
        return tidy(paragraph_text(around)) if _KINDS.get(style) == "caption" else ""

    def _list_of(self, element: etree._Element, level: int) -> _List:
        return _List(attribute(element, "style-name"), 0, level + 1 if self._leads else level)

    def _add_list(self, element: etree._Element, around: _List) -> None:
        if attribute(element, "continue-numbering") != "true":
            self._numbers.pop((around.style, around.depth), None)
        for item in element:
            if item.tag in ("list-item", "list-header"):
                self._add_item(item, around)

    def _add_item(self, item: etree._Element, around: _List) -> None:
        labelled = item.tag == "list-header"
        for child in item:
            if child.tag == "list":
                inner = _List(attribute(child, "style-name") or around.style, around.depth + 1, around.level + 1)
                self._add_list(child, inner)
            elif child.tag == "h":
                self._add_heading(child, around.level)  # numbered headings stand in lists
                labelled = True
            elif child.tag == "p" and not labelled:
                labelled = self._add_labelled(item, child, around)
            elif child.tag in self._readers:
                self._readers[child.tag](child, around.level + 1)

    def _add_labelled(self, item: etree._Element, paragraph: etree._Element, around: _List) -> bool:
        text = " ".join(tidy(paragraph_text(paragraph)).split())
        if text:
            label = self._label(item, around)
            self._draft.add(f"{'  ' * around.depth}{label} {text}", "item", level=around.level)
            self._leads = False
        self._add_attached(paragraph, around.level)
        return bool(text)

    def _label(self, item: etree._Element, around: _List) -> str:
        if not self._styles.is_numbered(around.style, around.depth):
            return "-"
        key = (around.style, around.depth)
        written = attribute(item, "start-value")
        self._numbers[key] = int(written) if written.isdecimal() and len(written) < 9 else self._numbers.get(key, 0) + 1
        return f"{self._numbers[key]}."

    def _add_table(self, element: etree._Element, level: int) -> None:
        rows = [_cells(row) for row in _rows(element)]
        self._draft.add_table(rows, has_header=heads_columns(rows), level=level)
        for image in element.iter("image"):
            self._add_image(image, level)
        self._add_notes(element, level)
        self._leads = False


class _Styles:
    """The styles of a file: of which of its own a paragraph's is a variant, and which lists are numbered."""

    def __init__(self, content: etree._Element, styles: etree._Element | None) -> None:
        roots = [content] if styles is None else [content, styles]
        self._parents: dict[str, str] = {}
        self._numbered: set[tuple[str, int]] = set()
        for root in roots:
            for style in root.iter("style"):
                self._parents.setdefault(attribute(style, "name"), attribute(style, "parent-style-name"))
            for numbered in root.iter("list-level-style-number"):
                self._note_numbered(numbered)

    def _note_numbered(self, numbered: etree._Element) -> None:
        parent, written = numbered.getparent(), attribute(numbered, "level")
        if parent is not None and written.isdecimal() and len(written) < 9 and attribute(numbered, "num-format"):
            self._numbered.add((attribute(parent, "name"), int(written) - 1))

    def name_of(self, style: str) -> str:
        """Return the known style that ``style`` is, or is derived from; itself if it is from none of those."""
        current = style
        for _ in range(_DEEPEST_HEADING):
            shown = current.replace("_20_", " ")
            if shown in _KINDS or shown == "Title" or not current:
                return shown
            current = self._parents.get(current, "")
        return style

    def is_numbered(self, style: str, depth: int) -> bool:
        """Return whether the items of a list of this style have numbers at this depth."""
        return (style, depth) in self._numbered


def _outermost(element: etree._Element, tag: str, apart: frozenset[str] = frozenset()) -> Iterator[etree._Element]:
    """Yield the elements of a tag below ``element`` that are in no other of them, and in none that stands apart."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag not in apart:
            yield from _outermost(child, tag, apart)


def _address(image: etree._Element) -> str:
    """Return the name of the part that an image refers to."""
    return posixpath.normpath(unquote(attribute(image, "href")))


def paragraph_text(element: etree._Element) -> str:
    """Return the words of a paragraph with its line breaks, without notes and what hangs on it."""
    parts: list[str] = []
    _collect(element, parts)
    return "".join(parts)


def _collect(element: etree._Element, parts: list[str]) -> None:
    parts.append(" ".join(element.text.split("\n")) if element.text else "")
    for child in element:
        if child.tag == "s":
            written = attribute(child, "c")
            parts.append(" " * (min(int(written), _MOST_SPACES) if written.isdecimal() and len(written) < 9 else 1))
        elif child.tag in ("tab", "line-break"):
            parts.append("\t" if child.tag == "tab" else "\n")
        elif child.tag not in _LEFT_OUT and child.tag not in ("note", "text-box"):
            _collect(child, parts)
        parts.append(child.tail or "")


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    """Yield the rows of a table, without those of tables in its cells."""
    for child in table:
        if child.tag == "table-row":
            yield child
        elif child.tag in ("table-header-rows", "table-row-group", "table-rows"):
            yield from _rows(child)


def _cells(row: etree._Element) -> list[str]:
    """Return the words of each cell, those of a table in it too, without notes and comments."""
    cells = (cell for cell in row if cell.tag in ("table-cell", "covered-table-cell"))
    return [" ".join(paragraph_text(p) for p in cell.iter("p", "h") if not _is_aside(p)) for cell in cells]


def _is_aside(paragraph: etree._Element) -> bool:
    return next(paragraph.iterancestors("note", "annotation"), None) is not None


def attribute(element: etree._Element, name: str) -> str:
    """Return an attribute whatever its namespace: the same names mean the same in all of OpenDocument."""
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")
