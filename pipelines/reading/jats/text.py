"""The text of JATS elements: paragraphs, lists, tables, figures and quotes, as blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from lxml import etree

from pipelines.reading.draft import Draft
from pipelines.reading.jats.inline import inline, line, on_one_line
from pipelines.reading.jats.tables import table_rows
from pipelines.reading.xmltree import raw_text
from pipelines.types import BlockKind

_BLOCKS = frozenset({"p", "list", "def-list", "table-wrap", "fig", "disp-quote", "boxed-text", "preformat"})
_LED = frozenset({"list", "def-list", "preformat"})
_GROUPS = frozenset({"fig-group", "table-wrap-group", "boxed-text", "fn", "fn-group", "statement"})


def add_blocks(draft: Draft, element: etree._Element, kind: BlockKind = "paragraph", level: int = 0) -> None:
    """Append the paragraphs, lists, tables and captions of an element, in their order.

    Args:
        draft: Takes them.
        element: Holds them.
        kind: What its paragraphs are.
        level: Their level.
    """
    tag = element.tag
    if tag == "list":
        _add_list(draft, element, level)
    elif tag == "def-list":
        for item in element.iterfind("def-item"):
            draft.add(line(item.find("term")), "term", level=level)
            draft.add(line(item.find("def")), "definition", level=level + 1)
    elif tag in ("table-wrap", "fig"):
        _add_captioned(draft, element, level)
    elif tag == "preformat":
        draft.add(raw_text(element).strip("\n"), "code", level=level)
    elif tag in _GROUPS or tag == "disp-quote":
        add_all(draft, element, "quote" if tag == "disp-quote" else kind, level)
    else:
        _add_flow(draft, element, kind, level)


def add_all(draft: Draft, elements: Iterable[etree._Element], kind: BlockKind = "paragraph", level: int = 0) -> None:
    """Append the blocks of elements; a list belongs to the paragraph right before it."""
    led = False
    for element in elements:
        add_blocks(draft, element, kind, level + 1 if led and element.tag in _LED else level)
        led = element.tag == "p" or (led and element.tag in _LED)


def _add_flow(draft: Draft, element: etree._Element, kind: BlockKind, level: int) -> None:
    """Append a paragraph, cut where a list, a table or a figure stands inside it, which then belong to it."""
    led = False
    for part in _parts(element):
        if isinstance(part, str):
            draft.add(part, kind, level=level)
            led = True
        else:
            add_blocks(draft, part, kind, level + 1 if led else level)


def _parts(element: etree._Element) -> Iterator[str | etree._Element]:
    """Yield the words of an element and the blocks inside it, in their order."""
    pieces: list[str | etree._Element] = [element.text or ""]
    for child in element:
        pieces += [child if child.tag in _BLOCKS else inline(child), child.tail or ""]
    for is_text, group in groupby(pieces, key=lambda piece: isinstance(piece, str)):
        if not is_text:
            yield from group
        elif text := on_one_line("".join(map(str, group))):
            yield text


def _add_list(draft: Draft, element: etree._Element, level: int, depth: int = 0) -> None:
    ordered = element.get("list-type") == "order"
    for number, item in enumerate(element.iterfind("list-item"), start=1):
        label = line(item.find("label"))
        sign = label or (f"{number}." if ordered else "-")
        sign = sign if sign[-1:] in ".)-" else f"- {sign}"
        _add_item(draft, item, f"{'  ' * depth}{sign} ", level, depth)


def _add_item(draft: Draft, item: etree._Element, sign: str, level: int, depth: int) -> None:
    """Append an item: its first words behind its sign, and what follows them a level below."""
    begun = False
    for child in item.iterchildren(etree.Element):
        if child.tag == "list":
            _add_list(draft, child, level + 1, depth + 1)
        elif child.tag != "label":
            for part in _parts(child) if child.tag == "p" else (child,):
                if isinstance(part, str) and not begun:
                    draft.add(sign + part, "item", level=level)
                elif isinstance(part, str):
                    draft.add(part, level=level + 1)
                elif part.tag == "list":
                    _add_list(draft, part, level + 1, depth + 1)
                else:
                    add_blocks(draft, part, level=level + 1)
                begun = True


def _add_captioned(draft: Draft, element: etree._Element, level: int) -> None:
    caption = element.find("caption")
    parts = (element.find("label"), *(caption if caption is not None else ()))
    draft.add(" ".join(filter(None, map(line, parts))), "caption", level=level)
    for table in element.iter("table"):
        rows, has_header = table_rows(table)
        draft.add_table(rows, has_header=has_header, level=level)
    for note in element.iterfind("table-wrap-foot"):
        add_all(draft, note, "note", level)
