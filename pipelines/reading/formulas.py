r"""LaTeX's formulas as text in a line, such as "(a+b)/2 ≤ x_i" for ``\frac{a+b}{2} \leq x_i``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from unicodedata import normalize
from xml.etree.ElementTree import Element

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element

from pipelines.reading.tidying import grouped, joined_math

_OWN_ERRORS: tuple[type[Exception], ...] = tuple(
    error for error in vars(exceptions).values() if isinstance(error, type) and issubclass(error, Exception)
)
_UNREADABLE: tuple[type[Exception], ...] = (
    *_OWN_ERRORS,
    AttributeError,
    LookupError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What the converter raises at LaTeX that it does not know: no formula may refuse a document."""
_LONGEST = 2_000
"""Characters of a formula that is read: deep ones take long."""
_SIGN = re.compile(r"[\\^_{}=<>+]|^\w'?(?:\s*[-*/]\s*\w{1,3})?$|^[^/]*\w\s*\([^()]*\)$")
"""What tells a formula from prices and variables."""
_COMMAND = re.compile(r"\\[A-Za-z{}%,;:!|\\ ]")
_SHELL_OR_PRICE = re.compile(r"^[{(][^{}()]*[)}]$|^\{|[A-Z]{2}[A-Z_]|[/:.,;|&(=-]\s*$|`|\*\*")
"""What stands between the dollars of a shell's variables, as in "$HOME/$USER", and of prices."""
_INDEX = re.compile(r"[_^](?:\{[^{}]*\}|\w+)")
_PROSE = re.compile(
    r"(?<![A-Za-z])(?!(?:arccos|arcsin|arctan|arg|cos|cosh|cot|deg|det|dim|exp|gcd|inf|ker|lim|log|max|min|mod|sin|sinh|sup"
    r"|tan|tanh)\b)[A-Za-z]{3,}"
)
"""A word that is no function and no index; the letters of a product are fewer."""
_WORD_BEFORE = re.compile(r"\w$")
_WORD_BEHIND = re.compile(r"(?!(?:nd|rd|st|th|s)\b)\w")
_RELATIONS = frozenset("=\u2260\u2264\u2265<>\u2248\u223c\u2192\u21d2\u21d4\u2208\u2209\u2282\u2286\u2261:")
_ACCENTS = {
    "^": "\u0302", "\u00af": "\u0304", "~": "\u0303", "\u2192": "\u20d7", "\u02d9": "\u0307", "\u00a8": "\u0308",
}  # fmt: skip
_BRACES = ("\u23de", "\u23df")
"""What is drawn above and below a part."""
_LIMITS = {"munder": "msub", "mover": "msup", "munderover": "msubsup"}
_SCRIPTS = frozenset({"msub", "msup", "msubsup"})
_STYLED = re.compile("[\U0001d400-\U0001d7ff]")
"""Letters that are bold or slanted by themselves, which no keyboard has."""
_WITH_COLUMNS = re.compile(r"\\begin\{(?:\w*matrix|array|\w*cases)\*?\}")
_UNKNOWN = re.compile(r"\\([A-Za-z]+)")


def formula_text(latex: str) -> str:
    """Return what a formula says; LaTeX that cannot be read stays as it is."""
    if len(latex) > _LONGEST:
        return latex.strip()
    try:
        text = normalize("NFC", " ".join(_shown(convert_to_element(_without_columns(latex))).split()))
    except _UNREADABLE:
        return latex.strip()
    return text or latex.strip()


def is_formula(written: str, before: str = "", behind: str = "") -> bool:
    """Return whether what stands between two dollars is a formula, and not prose, prices or variables.

    Args:
        written: What stands between them.
        before: The character before the first dollar, if there is one.
        behind: What stands behind the second one.
    """
    if len(written) > _LONGEST or _WORD_BEFORE.search(before) or _WORD_BEHIND.match(behind):
        return False
    if _COMMAND.search(written):
        return True
    is_of_shell = _SHELL_OR_PRICE.search(written) is not None
    return _SIGN.search(written) is not None and not is_of_shell and not _PROSE.search(_INDEX.sub("", written))


def _without_columns(latex: str) -> str:
    r"""Return aligned equations without the signs that align them, a comma between two lines."""
    if _WITH_COLUMNS.search(latex):
        return latex
    bare = re.sub(r"\\(?:begin|end)\{\w+\*?\}|\\label\{[^{}]*\}", " ", latex)
    bare = re.sub(r"\\tag\*?\{([^{}]*)\}", r"\\text{ (\1)}", bare)
    return re.sub(r"(?<!\\)&", " ", re.sub(r"\\\\(?:\[[^\]]*\])?(?=\s*\S)", r",\\text{ } ", bare)).replace(r"\\", " ")


def _shown(element: Element) -> str:
    tag = _name(element)
    parts = [_shown(child) for child in element]
    accent = _ACCENTS.get(parts[-1].strip()) if tag == "mover" and len(parts) == 2 else None
    if accent or (tag in _LIMITS and parts[-1].strip() in _BRACES):
        return f"{parts[0].strip()}{accent or ''}"
    if tag in _SCRIPTS or tag in _LIMITS:
        of_sign = len(element) > 0 and _name(element[0]) == "mo"
        return joined_math(_LIMITS.get(tag, tag), parts) + " " * of_sign
    match tag:
        case "mfrac":
            return _fraction(*parts, has_line=element.get("linethickness") != "0")
        case "msqrt" | "mroot":
            base, index = (parts[0], grouped(parts[1])) if tag == "mroot" else ("".join(parts), "")
            return f"{index}\u221a{grouped(base)}"
        case "mtable" | "mtr":
            return ("; " if tag == "mtable" else ", ").join(map(str.strip, parts))
        case _:
            return "".join((*_own_words(element, tag), *parts))


def _fraction(above: str, below: str, *, has_line: bool) -> str:
    """Return a fraction; what stands below its line ends with it: "1/(2x)" is not "1/2x"."""
    if not has_line:
        return f"{above.strip()} over {below.strip()}"
    bare = below.strip()
    is_product = bare.isalnum() and not (bare.isdigit() or bare.isalpha())
    return f"{grouped(above)}/{f'({bare})' if is_product else grouped(below)}"


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _own_words(element: Element, tag: str) -> Iterator[str]:
    text = _UNKNOWN.sub(r"\1", unescape(element.text or "")).replace("\u2212", "-")
    text = _STYLED.sub(lambda letter: normalize("NFKC", letter[0]), text)
    is_apart = (tag == "mi" and len(text) > 1 and text.isalpha()) or (tag == "mo" and text in _RELATIONS and text)
    yield f" {text} " if is_apart else text
