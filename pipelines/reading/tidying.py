"""Text freed of what cannot be seen."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPACES = re.compile("[\xa0\u2000-\u200a\u202f\u3000]")
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\u00ad\u200b\u2060\ufeff\ufffe\uffff]")
_BLANK_LINES = re.compile(r"\n{3,}")
_ORDINAL = re.compile(r"st|nd|rd|th|er|[TSR]M|[ªº©®™]", re.IGNORECASE)

MATH_SIGNS = {"msup": "^", "msub": "_", "msubsup": "_^", "mfrac": "/"}
"""The signs between the parts of an element of MathML."""


def tidy(text: str) -> str:
    """Return text without invisible characters, odd spaces, spaces at line ends and runs of blank lines."""
    lines = _INVISIBLE.sub("", _SPACES.sub(" ", text)).split("\n")
    return _BLANK_LINES.sub("\n\n", "\n".join(line.rstrip(" \t") for line in lines)).strip("\n")


def raised(text: str) -> str:
    """Return superscript as plain text shows it: 10^5 and no 105, yet 1st and Acme™."""
    bare = text.strip()
    return text if not bare or _ORDINAL.fullmatch(bare) else f"^{bare}"


def grouped(text: str) -> str:
    """Return a part of a formula in parentheses where it is more than a number or a sign."""
    bare = text.strip()
    whole = bare.startswith("(") and bare.find(")") == len(bare) - 1
    return bare if len(bare) < 2 or bare.isalnum() or whole else f"({bare})"


def joined_math(name: str, parts: Sequence[str]) -> str:
    """Return what an element of MathML says whose parts stand above, below or over each other."""
    signs = ("", *MATH_SIGNS[name], *" " * len(parts))
    base = 0 if name == "mfrac" else 1
    shown = [part.strip() for part in parts[:base]] + [grouped(part) for part in parts[base:]]
    return "".join(f"{sign}{part}" for sign, part in zip(signs, shown, strict=False))
