"""The text of JATS elements: paragraphs, lists, tables, figures and formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from pipelines.reading.markup import parse_html, to_markdown
from pipelines.reading.tidying import raised, tidy
from pipelines.reading.xmltree import raw_text, words

_BLOCKS = frozenset({"p", "list", "def-list", "table-wrap", "fig", "disp-quote", "boxed-text", "preformat"})
_GROUPS = frozenset({"fig-group", "table-wrap-group", "boxed-text", "fn", "fn-group", "statement"})
_UNSEEN = frozenset(
    {"graphic", "inline-graphic", "media", "object-id", "alt-text", "annotation", "fn", "ref-list"}
    | {"contrib-group", "aff"}  # the members of a group that is an author
)
_MATH = {"msup": "^", "msub": "_", "mfrac": "/"}
_TEX = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def line(element: etree._Element | None) -> str:
    """Return an element's text on one line; empty for no element."""
    return " ".join(tidy(_inline(element)).split()) if element is not None else ""


def blocks(element: etree._Element) -> Iterator[str]:
    """Yield the paragraphs, lists, tables and captions of an element, in their order."""
    tag = element.tag
    if tag == "list":
        yield "\n".join(_items(element))
    elif tag == "def-list":
        items = element.iterfind("def-item")
        yield "\n".join(f"- {line(item.find('term'))}: {line(item.find('def'))}" for item in items)
    elif tag in ("table-wrap", "fig"):
        yield from _captioned(element)
    elif tag == "disp-quote":
        yield from (f"> {block}" for child in element for block in blocks(child))
    elif tag == "preformat":
        yield f"```\n{raw_text(element)}\n```"
    elif tag in _GROUPS:
        yield from (block for child in element for block in blocks(child))
    else:
        yield from _flow(element)


def _flow(element: etree._Element) -> Iterator[str]:
    """Yield a paragraph, cut where a list, a table or a figure stands inside it."""
    text = element.text or ""
    for child in element:
        if child.tag in _BLOCKS:
            yield from _line(text)
            yield from blocks(child)
            text = ""
        else:
            text += _inline(child)
        text += child.tail or ""
    yield from _line(text)


def _line(text: str) -> Iterator[str]:
    cleaned = " ".join(tidy(text).split())
    if cleaned:
        yield cleaned


def _inline(element: etree._Element) -> str:
    tag = str(element.tag)
    if tag in _UNSEEN or _is_raised_reference(element):
        return ""
    if tag == "tex-math":
        text = raw_text(element)
        found = _TEX.search(text)
        return found[1].strip().strip("$") if found else text
    if tag == "alternatives":
        best = next((child for child in element if child.tag in ("math", "textual-form")), None)
        return "".join(_inline(child) for child in (element if best is None else (best,)))
    if tag in _MATH:
        return _MATH[tag].join(_inline(child).strip() for child in element)
    text = (element.text or "") + "".join(_inline(child) + (child.tail or "") for child in element)
    if tag == "sup":
        return raised(text)
    return f" {text} " if tag in ("p", "disp-formula", "title", "break", "def", "list-item") else text


def _is_raised_reference(element: etree._Element) -> bool:
    """Whether it is the small number of a note or a source, which is no word of its sentence."""
    inner = {"sup": "xref", "xref": "sup"}.get(str(element.tag))
    return inner is not None and element.find(inner) is not None


def _items(element: etree._Element) -> Iterator[str]:
    ordered = element.get("list-type") == "order"
    for number, item in enumerate(element.iterfind("list-item"), start=1):
        label = line(item.find("label"))
        sign = label or (f"{number}." if ordered else "-")
        text = "\n".join(block for child in item if child.tag != "label" for block in blocks(child))
        yield f"{sign if sign[-1:] in '.)-' else f'- {sign}'} {text}".replace("\n", "\n  ")


def _captioned(element: etree._Element) -> Iterator[str]:
    caption = element.find("caption")
    parts = (element.find("label"), *(caption if caption is not None else ()))
    title = " ".join(filter(None, map(line, parts)))
    if title:
        yield title
    for found in element.iter("table"):
        yield to_markdown(parse_html(etree.tostring(found, encoding="unicode", with_tail=False)))
    foot = element.find("table-wrap-foot")
    if foot is not None and words(foot):
        yield line(foot)
