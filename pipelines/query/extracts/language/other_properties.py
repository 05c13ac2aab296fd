"""Whether a text gives another property of the same name than the one that is asked for: the net weight for the gross
weight.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from pipelines.query.question_types import KEPT_QUESTIONS, question_form

_EXCLUSIVE = (
    "melting boiling flash freezing ignition/autoignition/auto-ignition softening dew pour cloud",
    "gross net tare",
    "maximum/max/top/highest/peak/maximal minimum/min/lowest/least/minimal average/mean/median",
    "hourly daily weekly monthly quarterly yearly/annual",
    "invoice/billing/issue order/purchase delivery/shipping/arrival customer/client/account serial/machine "
    "article/item/part/product batch/lot vat/tax registration/register contract/agreement policy passport tracking fax "
    "phone/telephone/mobile/cell due/payment expiry/expiration/end/closing start/starting/opening birth return",
    "inner/inside/internal outer/outside/external",
    "adult child/children student/reduced/concession senior group",
    "relative absolute",
    "production/prod/live staging/stage sandbox test/testing development/dev",
    "primary replica/secondary/standby",
    "ingress/inbound/incoming egress/outbound/outgoing",
    "client server",
    "public private",
    "read write",
)
"""What is said before one word to tell properties apart: synonyms with a slash between them, others with a blank."""
_GROUPS = tuple(
    {word: group for group in row.split() for word in group.split("/")} for row in _EXCLUSIVE
)  # each word with its synonyms
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SAME = {"no": "number", "nr": "number", "nos": "number"}
_FEWEST = 3
"""Letters of the name of a property."""


def tells_other_property(question: str, shown: str, place: str = "") -> bool:
    """Return whether a text has what a question asks for only with another word before it that tells it apart.

    The asked word, or one for the same, may stand anywhere in the text or in the titles and headings above it.
    """
    asked = _asked(question)
    if not asked or question_form(question) == "comparison":
        return False
    words = [word.lower() for word in _WORD.findall(shown)]
    said = frozenset((*words, *map(str.lower, _WORD.findall(place))))
    named = [(before, _plain(word)) for before, word in pairwise(("", *words))]
    return all(
        said.isdisjoint(_GROUPS[row][before].split("/"))
        and _only_others(row, [one for one, has in named if has == word])
        for row, before, word in asked
    )


def _only_others(row: int, before: list[str]) -> bool:
    """Return whether words stand before a property, and all of them tell it apart."""
    return bool(before) and all(word in _GROUPS[row] for word in before)


@lru_cache(KEPT_QUESTIONS)
def _asked(question: str) -> tuple[tuple[int, str, str], ...]:
    """Return the properties that a question names with a word that tells them apart: its row, it, and the property."""
    words = [word.lower() for word in _WORD.findall(question)]
    return tuple(
        (row, before, _plain(word))
        for before, word in pairwise(words)
        for row, groups in enumerate(_GROUPS)
        if before in groups and len(_plain(word)) >= _FEWEST and word not in groups and not word.endswith("ing")
    )


def _plain(word: str) -> str:
    return _SAME.get(word, word.removesuffix("s"))
