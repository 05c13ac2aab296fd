"""The text inside a JATS element: words, formulas, and what is raised."""

from __future__ import annotations

import re

from lxml import etree

from pipelines.reading.tidying import MATH_SIGNS, joined_math, raised, tidy
from pipelines.reading.xmltree import raw_text

_UNSEEN = frozenset(
    {"graphic", "inline-graphic", "media", "object-id", "alt-text", "annotation", "fn", "ref-list"}
    | {"contrib-group", "aff"}  # the members of a group that is an author
)
_TEX = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def line(element: etree._Element | None) -> str:
    """Return an element's text on one line; empty for no element."""
    return on_one_line(inline(element)) if element is not None else ""


def on_one_line(text: str) -> str:
    """Return text with single blanks between its words."""
    return " ".join(tidy(text).split())


def inline(element: etree._Element) -> str:
    """Return what an element says inside a paragraph, as it is written."""
    tag = str(element.tag)
    if tag in _UNSEEN or _is_raised_reference(element):
        return ""
    if tag == "tex-math":
        text = raw_text(element)
        found = _TEX.search(text)
        return found[1].strip().strip("$") if found else text
    if tag == "alternatives":
        best = next((child for child in element if child.tag in ("math", "textual-form")), None)
        return "".join(inline(child) for child in (element if best is None else (best,)))
    if tag in MATH_SIGNS:
        return joined_math(tag, [inline(child) for child in element])
    text = (element.text or "") + "".join(inline(child) + (child.tail or "") for child in element)
    if tag == "sup":
        return raised(text)
    return f" {text} " if tag in ("p", "disp-formula", "title", "break", "def", "list-item") else text


def _is_raised_reference(element: etree._Element) -> bool:
    """Return whether it is the small number of a note or a source, which is no word of its sentence."""
    inner = {"sup": "xref", "xref": "sup"}.get(str(element.tag))
    return inner is not None and element.find(inner) is not None
