"""Whether a text is the entry of another setting or program: of ``max_tide`` for a question about ``max_tide_age``."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAME = re.compile(
    r"(?<![\w.])(?:[A-Za-z][a-z\d]{0,40}(?:_[A-Za-z\d]{1,40}){1,8}|[A-Za-z][a-z\d]{1,40}(?:[A-Z][a-z\d]{1,40}){1,8})(?!\w)"
)
"""A name of two parts or more, as programs write it: ``max_tide``, ``maxTide`` or ``MaxTide``."""
_PART = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+")
_ENTRY = re.compile(r"^[^\S\n]*(?:[-*\u2022]\s)?([\w.]{3,120})(?:\s\([^)\n]{1,40}\))?:\s", re.MULTILINE)
"""How an entry of a manual begins: "max_tide (integer): ..."."""
_STEM = 4
"""Letters that tell a word in whatever form: "retry" and "retries"."""
_MOST_WORDS = 3
"""Of a title or a heading that is the name of what it stands above: "MaxTide Directive"."""


def is_of_other_name(question: str, shown: str, place: Sequence[str]) -> bool:
    """Return whether a question names one setting or program, and a text is only about a similar one.

    The text is the entry of that one, or stands under its name, and has the asked name nowhere.

    A name is similar if it has a part in common; one with all parts may be what the question means, and so may one that
    differs by a letter.

    Args:
        question: The question.
        shown: The text.
        place: The title and the headings above it.
    """
    asked = dict.fromkeys(_NAME.findall(question))
    if len(asked) != 1:
        return False
    (name,) = asked
    spelt = r"[\s._-]?".join(map(re.escape, _PART.findall(name)))
    if re.search(spelt, "\n".join((*place, shown)), re.IGNORECASE):
        return False
    above = (_NAME.findall(one) for one in reversed(place) if len(one.split()) <= _MOST_WORDS)
    others = _NAME.findall("\n".join(_ENTRY.findall(shown))) or next(filter(None, above), [])
    return bool(others) and all(_is_similar(name, other) for other in others)


def _is_similar(name: str, other: str) -> bool:
    """Return whether two names have a part in common, but the other one may not be what is meant by the first."""
    parts, others = _stems(name), _stems(other)
    return not parts.isdisjoint(others) and not parts <= others and not _differ_by_letter(name, other)


def _stems(name: str) -> frozenset[str]:
    return frozenset(part.lower()[:_STEM] for part in _PART.findall(name))


def _differ_by_letter(one: str, other: str) -> bool:
    """Return whether one letter more, less or instead makes one name of the other, as where it is mistyped."""
    short, long = sorted((one.lower(), other.lower()), key=len)
    same = next((at for at, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]), len(short))
    rest = short[same:] if len(short) < len(long) else short[same + 1 :]
    return len(long) - len(short) <= 1 and rest == long[same + 1 :]
