"""What PowerPoint wraps for older programs, and python-pptx passes over: shapes with formulas, models and ink."""

from __future__ import annotations

from lxml import etree

from pipelines.reading.office.wordmath import write_formulas
from pipelines.reading.xmltree import local_name, replace_by

_SHAPES = ("sp", "grpSp", "graphicFrame", "cxnSp", "pic")
_PICTURES = ("pic", "grpSp")
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_FORMULA = "{http://schemas.microsoft.com/office/drawing/2010/main}m"


def unwrap(shapes: etree._Element) -> None:
    """Put the shapes of a slide that have two forms in their places, and the text of its formulas into theirs."""
    write_formulas(shapes)
    for formula in list(shapes.iter(_FORMULA)):
        replace_by(formula, list(formula))
    for wrapper in list(shapes.iter("{*}AlternateContent")):
        parent = wrapper.getparent()
        if parent is not None and local_name(parent) in ("spTree", "grpSp"):
            replace_by(wrapper, _chosen(wrapper))


def _chosen(wrapper: etree._Element) -> list[etree._Element]:
    """Return the newer form of shapes if it says anything, else the pictures of the older, which show the same."""
    forms = [[shape for shape in form if local_name(shape) in _SHAPES] for form in wrapper]
    older = [shape for shape in forms[-1] if local_name(shape) in _PICTURES] if forms else []
    return next((form for form in forms[:1] if any(map(_says, form))), older)


def _says(shape: etree._Element) -> bool:
    has_chart = next(shape.iter(f"{{{_DRAWING}/chart}}chart"), None) is not None
    return has_chart or any((text.text or "").strip() for text in shape.iter(f"{{{_DRAWING}/main}}t"))
