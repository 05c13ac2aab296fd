"""Recognises what compares other things than those that a question compares. For English."""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.query.question_types import KEPT_QUESTIONS

_SIDE_END = r"(?=\s+(?:as|for|if|in|on|regarding|when|with)\b|\W*$)"
_ASKS = (
    re.compile(
        rf"\bdifferences?\s+between\s+(?P<one>\S.{{0,80}}?)\s+(?:and|or|versus|vs\.?)\s+(?P<other>\S.{{0,80}}?){_SIDE_END}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bhow\s+(?:are|do|does|is)\s+(?P<one>\S.{0,80}?)\s+(?:differ|different)\s+(?:from|than|to)\s+"
        rf"(?P<other>\S.{{0,80}}?){_SIDE_END}",
        re.IGNORECASE,
    ),
)
_TELLS = re.compile(
    r"\bdifferences?\s+between\s++(?!(?:both|each|the\s+(?:two|three)|them|these|those)\b)", re.IGNORECASE
)
"""What names the things that a text compares."""
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+")
_WORD = re.compile(r"\w+")
_NO_NAME = "a an the of my your one ones other others normal ordinary plain regular standard usual"
_PLAIN = frozenset(_NO_NAME.split())
"""What no side is known by: "a normal one"."""
_STEM, _ENDING = 4, 2


def compares_others(question: str, shown: str) -> bool:
    """Return whether a question compares two things, and each sentence that says what it compares has one of them.

    A sentence with neither may call both by other names: "the sexes" of "men and women".
    """
    sides = _sides(question)
    told = [one.lower() for one in _SENTENCE_END.split(shown) if _TELLS.search(one)] if sides else []
    return bool(told) and all(sum(_has(one, side) for side in sides) == 1 < len(sides) for one in told)


def lacks_side(question: str, text: str) -> bool:
    """Return whether a question compares two things, and a text speaks of one of them alone."""
    sides = _sides(question)
    return len(sides) > 1 and sum(_has(text.lower(), side) for side in sides) == 1


@lru_cache(KEPT_QUESTIONS)
def _sides(question: str) -> tuple[frozenset[str], ...]:
    """Return what each of the two things has in its name and the other has not; all of it if that is nothing."""
    asks = next(filter(None, (one.search(question) for one in _ASKS)), None)
    if asks is None:
        return ()
    one, other = (frozenset(_WORD.findall(asks[side].lower())) - _PLAIN for side in ("one", "other"))
    return tuple(side for side in (one - other or one, other - one or other) if side)


def _has(sentence: str, side: frozenset[str]) -> bool:
    return any(word[: max(_STEM, len(word) - _ENDING)] in sentence for word in side)
