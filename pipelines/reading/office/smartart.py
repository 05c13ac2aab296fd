"""The words of SmartArt: a tree of points shown as boxes, arrows or circles."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from pipelines.reading.tidying import tidy
from pipelines.reading.xmltree import parse_xml

_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DEEPEST = 9


def smartart_items(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the depth, from 0, and the words of each point of a SmartArt's data, in the order of its tree."""
    root = parse_xml(data, "Office")
    points = {str(point.get("modelId")): point for point in root.iter(f"{_DIAGRAM}pt")}
    below: dict[str, list[tuple[int, str]]] = {}
    for link in root.iter(f"{_DIAGRAM}cxn"):
        if link.get("type", "parOf") == "parOf":
            below.setdefault(str(link.get("srcId")), []).append((_order(link), str(link.get("destId"))))
    waiting = [(0, key) for key in reversed(list(points)) if points[key].get("type") == "doc"]
    while waiting:
        depth, key = waiting.pop()
        point = points.pop(key, None)  # one that is its own ancestor is shown once
        if point is None:
            continue
        text = _words(point)
        if text:
            yield max(depth - 1, 0), text
        waiting += [(min(depth + 1, _DEEPEST), inner) for _, inner in sorted(below.get(key, ()), reverse=True)]


def _order(link: etree._Element) -> int:
    written = link.get("srcOrd", "")
    return int(written) if written.isdecimal() and len(written) < 9 else 0


def _words(point: etree._Element) -> str:
    paragraphs = ("".join(text.text or "" for text in each.iter(f"{_DRAWING}t")) for each in point.iter(f"{_DRAWING}p"))
    return " ".join(tidy(" ".join(paragraphs)).split())
