"""Kinds of changes: what was removed, added or fixed stands under that heading, and what is only deprecated was not yet
removed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from pipelines.query.question_types import KEPT_QUESTIONS

KindOfChange = Literal["added", "changed", "deprecated", "fixed", "removed"]

_KINDS: tuple[tuple[KindOfChange, str], ...] = (
    ("removed", r"remov(?:als?|ed)|dropped|deleted"),
    ("added", r"add(?:ed|itions?)|introduced|(?:new(?:\s+in)?|minor|major)\b.*|features?|enhancements?"),
    ("deprecated", r"deprecat(?:ed|ions?)"),
    ("fixed", r"(?:bug\s?-?)?fix(?:ed|es)|bugs|resolved|security"),
    (
        "changed",
        r"(?:[\w-]+\s+)?chang(?:ed|es)|improve(?:d|ments?)|updat(?:ed|es)|breaking|internal|miscellaneous|other|misc",
    ),
)
_ALSO = (
    r"(?:and|or|without)\s+(?:additions?|changes|deprecations?|enhancements?|features?|fixes|improvements?|removals?)"
)
_HEADINGS = tuple(
    (
        kind,
        re.compile(
            rf"\W*(?:{called})\W*(?:(?:features?|fixes|functions?|in\s+\S+|issues)\W*)?(?:{_ALSO}\W*)?", re.IGNORECASE
        ),
    )
    for kind, called in _KINDS
)
"""What a heading is called that stands above changes of a kind: "Removed", "Deprecated features", "Deprecations and
removals".
"""
_VERBS: tuple[tuple[KindOfChange, str], ...] = (
    ("removed", r"remov|drop|delet"),
    ("added", r"add|introduc|releas|ship"),
    ("deprecated", r"deprecat"),
    ("fixed", r"fix|resolv"),
)
_VERBS_OF = {kind: re.compile(rf"\b(?:{verbs})\w*", re.IGNORECASE) for kind, verbs in _VERBS}
_SINCE_WHEN = re.compile(r"\b(?:when|since|(?:what|which)\s+(?:[\w-]+\s+)?(?:release|version)s?)\b", re.IGNORECASE)
_FUTURE = re.compile(r"\b(?:shall|to\s+be|will)\b", re.IGNORECASE)
_PLANNED = re.compile(
    r"\b(?:(?:going|planned|scheduled)\s+(?:for|to)|should|to|will)\s+(?:be\s+)?(?:[\w-]+\s+)?"
    r"(?:add|delet|drop|fix|introduc|releas|remov|ship)\w*|\bplanned\b",
    re.IGNORECASE,
)
_VERSION = re.compile(r"\d\.\d")
_ONLY_WHEN = re.compile(
    r"(?:\w+:\s+)?(?:added|changed|deprecated|introduced|new|removed)\s+(?:in|since)(?:\s+version)?\s+v?\d[\w.]*\.?",
    re.IGNORECASE,
)
"""Nothing but since when: "Info: Added in 25.0.0."."""


_ASKS_REMOVAL = re.compile(
    r"\W*(?:since\s+)?when\s+(?:are|did|do|does|had|has|have|is|was|were|will)\b(?=.{0,300}\b(?:deleted|discontinued|dropped"
    r"|removed|retired|(?:delete|discontinue|drop|remove|retire)\s+(?:its|our|support|the|their))\b)",
    re.IGNORECASE,
)
_TELLS_REMOVAL = re.compile(
    r"\b(?:abandon|abolish|ceas|clean|clear|clos|delet|demolish|deprecat|discontinu|dismantl|drop|empt|end|eras|expir|gone|keep"
    r"|kept|last|no\s+(?:longer|more)|phas|pull|purg|remov|replac|retain|reti|scrap|stop|(?:take|taken|took|tore|torn|went)\s+\w+"
    r"|unsupported|until|wip|withdr)\w*",
    re.IGNORECASE,
)


def kind_of_change(heading: str) -> KindOfChange | None:
    """Return the kind of the changes that stand under a heading; None if its words do not say."""
    return next((kind for kind, called in _HEADINGS if called.fullmatch(heading)), None)


def is_of_changes(headings: Sequence[str]) -> bool:
    """Return whether what stands right under these headings is a change: under a version, or a kind of changes."""
    return bool(headings) and (_VERSION.search(headings[-1]) is not None or kind_of_change(headings[-1]) is not None)


def tells_only_when(text: str) -> bool:
    """Return whether a text says nothing but in which version something changed: "New in version 2.4."."""
    return _ONLY_WHEN.fullmatch(text.rstrip(".")) is not None


def tells_other_change(question: str, shown: str, headings: Sequence[str]) -> bool:
    """Return whether a question asks when something was removed, added or fixed, and a text tells of another change.

    The text calls it planned, or stands under another kind of change in its version.
    """
    asked = _asked(question)
    if asked is None:
        return False
    done, planned = _PLANNED.subn(" ", shown)
    if _VERBS_OF[asked].search(done):
        return False
    found = next(filter(None, map(kind_of_change, reversed(headings))), None)
    is_other = found not in (None, "changed") and any(map(_VERSION.search, headings))
    return found != asked and (planned > 0 or is_other)


def lacks_removal(question: str, place: str) -> bool:
    """Return whether a question asks when something was removed, and the text and its headings name no removal."""
    return _ASKS_REMOVAL.match(question) is not None and _TELLS_REMOVAL.search(place) is None


@lru_cache(KEPT_QUESTIONS)
def _asked(question: str) -> KindOfChange | None:
    """Return what it is asked for since when it has been done; None where that is in the future, or nothing."""
    future = max((found.start() for found in _FUTURE.finditer(question)), default=-1)
    begins = next((found.end() for found in _SINCE_WHEN.finditer(question) if found.end() > future), None)
    if begins is None:
        return None
    return next((kind for kind, verb in _VERBS_OF.items() if verb.search(question, begins)), None)
