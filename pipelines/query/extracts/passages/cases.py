"""Cases of troubleshooting: paragraphs that tell a problem, its cause and what helps, each behind a label."""

from __future__ import annotations

import re

_PROBLEM = r"(?:symptoms?|problems?|issues?)"
_CAUSE = r"(?:(?:likely\s+|possible\s+|root\s+)?(?:causes?|reasons?))"
_REMEDY = r"(?:(?:quick\s+)?fix(?:es)?|solutions?|resolutions?|work-?arounds?|remed(?:y|ies))"
_BEGINS = re.compile(rf"{_PROBLEM}\s?[:\u2013\u2014]", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:{_CAUSE}|{_REMEDY})\s?[:\u2013\u2014]", re.IGNORECASE)
_HELPS = re.compile(rf"\b{_REMEDY}\s?[:\u2013\u2014]", re.IGNORECASE)


def is_of_case(text: str, before: tuple[int, int], behind: tuple[int, int]) -> bool:
    """Return whether two stretches that follow each other are of one case: a cause or remedy behind what it is of."""
    if _GOES_ON.match(text, *behind) is None:
        return False
    return (_BEGINS.match(text, *before) or _GOES_ON.match(text, *before)) is not None


def is_case(shown: str) -> bool:
    """Return whether a text tells a problem and what helps."""
    return _is_told(shown) and _HELPS.search(shown) is not None


def lacks_remedy(shown: str) -> bool:
    """Return whether a text tells a problem or its cause behind a label, and not what helps."""
    return _is_told(shown) and _HELPS.search(shown) is None


def _is_told(shown: str) -> bool:
    bare = shown.removeprefix("- ")
    return _BEGINS.match(bare) is not None or (_GOES_ON.match(bare) is not None and _HELPS.match(bare) is None)
