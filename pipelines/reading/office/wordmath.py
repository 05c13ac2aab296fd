"""The formulas of Word files as text in a line, such as "x_i^2 = (a + b)/(2c)"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lxml import etree

from pipelines.reading.tidying import grouped
from pipelines.reading.xmltree import local_name

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_INTEGRAL = "∫"


def write_formulas(root: etree._Element) -> None:
    """Put a run with its text in the place of each formula of a document."""
    for outer in [*root.iter(f"{_MATH}oMathPara"), *root.iter(f"{_MATH}oMath")]:
        paragraph = next(outer.iterancestors("{*}p"), None)
        parent = outer.getparent()
        if paragraph is None or parent is None or local_name(parent) == "oMathPara":
            continue
        space = str(paragraph.tag).removesuffix("p")
        run = etree.Element(f"{space}r")
        etree.SubElement(run, f"{space}t").text = " ".join(formula_text(outer).split())
        run.tail = outer.tail
        parent.replace(outer, run)


def formula_text(element: etree._Element) -> str:
    """Return what a formula, or a part of one, says: "x^2" for what is higher, "x_1" for what is lower."""
    writer = _WRITERS.get(local_name(element))
    if writer is not None:
        return writer(element)
    if local_name(element) == "t":
        return element.text or ""
    pieces = (formula_text(child) for child in element if isinstance(child.tag, str) and not _is_look(child))
    return (" " if local_name(element) == "oMathPara" else "").join(pieces)


def _is_look(element: etree._Element) -> bool:
    return local_name(element).endswith("Pr")


def _part(element: etree._Element, name: str) -> str:
    found = element.find(f"{_MATH}{name}")
    return formula_text(found) if found is not None else ""


def _sign(element: etree._Element, name: str, default: str) -> str:
    """Return a sign that the properties of a part give; an empty one is none."""
    found = next(element.iterfind(f"{_MATH}{local_name(element)}Pr/{_MATH}{name}"), None)
    return default if found is None else str(found.get(f"{_MATH}val") or "")


def _inner(element: etree._Element, name: str = "e") -> Iterator[str]:
    return (formula_text(child) for child in element.iterfind(f"{_MATH}{name}"))


def _scripts(element: etree._Element) -> str:
    lower, upper = _part(element, "sub"), _part(element, "sup")
    return (f"_{grouped(lower)}" if lower.strip() else "") + (f"^{grouped(upper)}" if upper.strip() else "")


def _fraction(element: etree._Element) -> str:
    return f"{grouped(_part(element, 'num'))}/{grouped(_part(element, 'den'))}"


def _delimited(element: etree._Element) -> str:
    between = _sign(element, "sepChr", "|")
    return _sign(element, "begChr", "(") + between.join(_inner(element)) + _sign(element, "endChr", ")")


def _limited(element: etree._Element) -> str:
    sign = "_" if local_name(element) == "limLow" else "^"
    return f"{_part(element, 'e')}{sign}{grouped(_part(element, 'lim'))}"


_WRITERS: Mapping[str, Callable[[etree._Element], str]] = {
    "f": _fraction,
    "d": _delimited,
    "rad": lambda element: f"{_part(element, 'deg')}√{grouped(_part(element, 'e'))}",
    "sSup": lambda element: _part(element, "e") + _scripts(element),
    "sSub": lambda element: _part(element, "e") + _scripts(element),
    "sSubSup": lambda element: _part(element, "e") + _scripts(element),
    "sPre": lambda element: f"{_scripts(element)} {_part(element, 'e')}",
    "nary": lambda element: f"{_sign(element, 'chr', _INTEGRAL)}{_scripts(element)} {_part(element, 'e')}",
    "func": lambda element: f"{_part(element, 'fName')} {_part(element, 'e')}",
    "limLow": _limited,
    "limUpp": _limited,
    "eqArr": lambda element: "; ".join(_inner(element)),
    "m": lambda element: f"[{'; '.join(_inner(element, 'mr'))}]",
    "mr": lambda element: ", ".join(_inner(element)),
}
