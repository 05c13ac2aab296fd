r"""LaTeX's formulas as text in a line, such as "(a+b)/2 ≤ x_i" for ``\frac{a+b}{2} \leq x_i``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from unicodedata import normalize
from xml.etree.ElementTree import Element

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element

from pipelines.reading.tidying import MATH_SIGNS, grouped, joined_math

_OWN_ERRORS: tuple[type[Exception], ...] = tuple(
    error for error in vars(exceptions).values() if isinstance(error, type) and issubclass(error, Exception)
)
_UNREADABLE: tuple[type[Exception], ...] = (*_OWN_ERRORS, IndexError, RecursionError, StopIteration, ValueError)
"""What the converter raises at LaTeX that it does not know."""
_LONGEST = 2_000
"""Characters of a formula that is read: deep ones take long."""
_SIGN = re.compile(r"[\\^_{}=<>+]|^\w'?(?:\s*[-*/]\s*\w{1,3})?$|^[^/]*\w\s*\([^()]*\)$")
"""What tells a formula from prices and variables."""
_NO_FORMULA = re.compile(r"[A-Z]{2}[A-Z_]|[/:.,;|&(=-]\s*$|[A-Za-z]{3,}\s+[({]?[A-Za-z]{3,}")
"""What stands between the dollars of a shell's variables, as in "$HOME/$USER", and of prices: words of prose."""
_RELATIONS = frozenset("=\u2260\u2264\u2265<>\u2248\u223c\u2192\u21d2\u21d4\u2208\u2209\u2282\u2286\u2261:")
_ACCENTS = {
    "^": "\u0302", "\u00af": "\u0304", "~": "\u0303", "\u2192": "\u20d7", "\u02d9": "\u0307", "\u00a8": "\u0308",
}  # fmt: skip
_BRACES = ("\u23de", "\u23df")
"""What is drawn above and below a part."""
_LIMITS = {"munder": "msub", "mover": "msup", "munderover": "msubsup"}
_STYLED = re.compile("[\U0001d400-\U0001d7ff]")
"""Letters that are bold or slanted by themselves, which no keyboard has."""
_UNKNOWN = re.compile(r"\\([A-Za-z]+)")


def formula_text(latex: str) -> str:
    """Return what a formula says; LaTeX that cannot be read stays as it is."""
    if len(latex) > _LONGEST:
        return latex
    try:
        return normalize("NFC", " ".join(_said(convert_to_element(_without_columns(latex))).split()))
    except _UNREADABLE:
        return latex


def marked_formula(written: str, mark: str) -> str:
    """Return what stands between two dollars as a person sees it: a formula, or prices and variables as written."""
    is_formula = _SIGN.search(written) is not None and ("\\" in written or _NO_FORMULA.search(written) is None)
    return formula_text(written) if is_formula else f"{mark}{written}{mark}"


def _without_columns(latex: str) -> str:
    r"""Return aligned equations without the signs that align them, a comma between two lines."""
    if "matrix}" in latex or "array}" in latex or "cases}" in latex:
        return latex
    bare = re.sub(r"\\(?:begin|end)\{\w+\*?\}|\\(?:label|tag)\*?\{[^{}]*\}", " ", latex)
    return re.sub(r"(?<!\\)&", " ", re.sub(r"\\\\(?:\[[^\]]*\])?(?=\s*\S)", r",\\text{ } ", bare)).replace(r"\\", " ")


def _said(element: Element) -> str:
    tag = _name(element)
    parts = [_said(child) for child in element]
    accent = _ACCENTS.get(parts[-1].strip()) if tag == "mover" and len(parts) == 2 else None
    if accent or (tag in _LIMITS and parts[-1].strip() in _BRACES):
        return f"{parts[0].strip()}{accent or ''}"
    if tag in MATH_SIGNS or tag in _LIMITS:
        of_sign = len(element) > 0 and _name(element[0]) == "mo"
        return joined_math(_LIMITS.get(tag, tag), parts) + " " * of_sign
    match tag:
        case "msqrt":
            return f"\u221a{grouped(''.join(parts))}"
        case "mroot":
            return f"{grouped(parts[1])}\u221a{grouped(parts[0])}"
        case "mtable" | "mtr":
            return ("; " if tag == "mtable" else ", ").join(map(str.strip, parts))
        case _:
            return "".join((*_own_words(element, tag), *parts))


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _own_words(element: Element, tag: str) -> Iterator[str]:
    text = _UNKNOWN.sub(r"\1", unescape(element.text or "")).replace("\u2212", "-")
    text = _STYLED.sub(lambda letter: normalize("NFKC", letter[0]), text)
    is_apart = (tag == "mi" and len(text) > 1 and text.isalpha()) or (tag == "mo" and text in _RELATIONS and text)
    yield f" {text} " if is_apart else text
