"""What Word wraps its text in, and mammoth passes over with all that is inside."""

from __future__ import annotations

from lxml import etree

from pipelines.reading.office.wordlists import child
from pipelines.reading.xmltree import local_name, replace_by

_AROUND_RUNS = ("{*}fldSimple", "{*}dir", "{*}bdo")


def unwrap(root: etree._Element) -> None:
    """Put in the place of each wrapper what it holds: of simple fields their result, of ruby the text below it."""
    for wrapper in list(root.iter(*_AROUND_RUNS)):
        replace_by(wrapper, list(wrapper))
    for ruby in list(root.iter("{*}ruby")):
        base = child(ruby, "rubyBase")
        replace_by(ruby, list(base) if base is not None else [])
    for wrapper in list(root.iter("{*}AlternateContent")):
        if child(wrapper, "Fallback") is None:
            newest = child(wrapper, "Choice")
            replace_by(wrapper, list(newest) if newest is not None else [])
    for drawing in list(root.iter("{*}drawing")):
        _take_boxes(drawing)


def _take_boxes(drawing: etree._Element) -> None:
    """Put the text boxes of a drawing where those of older files are; nothing else in it would be read."""
    boxes = list(drawing.iter("{*}txbxContent"))
    if boxes:
        older = etree.Element(str(drawing.tag).removesuffix(local_name(drawing)) + "pict")
        older.extend(boxes)
        replace_by(drawing, [older])
