"""What should stand behind another passage: second reasons, ways that are given up, lists of what is not meant."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.question_types import question_form
from pipelines.query.verdicts.polarity import negates

_FURTHER = re.compile(
    r"(?:[-*\u2022]\s+)?(?:also|alternatively|another|furthermore|moreover|the\s+(?:last|other|second|third)"
    r"|(?:it|that|this)\s+is(?:,\s+however(?=,)|\s+(?:also|however)))\b",
    re.IGNORECASE,
)
"""How what follows another thing of its kind begins: "Another reason is ..."."""
_GIVEN_UP = re.compile(r"\b(?:deprecated|legacy|obsolete|superseded)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_CLAUSE = re.compile(r"[,;]\s")
_CONTRAST = re.compile(r"\bbut\b", re.IGNORECASE)
_CHANGE_FILE = re.compile(
    r"(?:^|.*[\W_])(?:change-?logs?|changes|news|release[-_ ]?notes?|what['\u2019]?s[-_ ]?new)(?:[\W_].*)?",
    re.IGNORECASE,
)


def is_further(shown: str) -> bool:
    """Return whether a text begins as what follows another thing of its kind does."""
    return _FURTHER.match(shown) is not None


def is_given_up(question: str, passage: Passage) -> bool:
    """Return whether a question asks how to do something, and the heading says that this way is not used any more."""
    heading = passage.headings[-1] if passage.headings and question_form(question) == "howto" else ""
    return _GIVEN_UP.search(heading) is not None and _GIVEN_UP.search(question) is None


def denies_items(question: str, shown: str) -> bool:
    """Return whether a list is of what is not meant, and a question asks for a list or a way and denies nothing."""
    lead_in, *items = shown.split("\n")
    is_led = bool(items) and lead_in.rstrip().endswith(":")
    said = _SENTENCE.split(lead_in)[-1] if is_led else ""
    says_not = negates(_CLAUSE.split(said)[0]) and not _CONTRAST.search(said)
    return question_form(question) in ("howto", "list") and is_led and says_not and not negates(question)


def is_change_file(source: str) -> bool:
    """Return whether a file is called as those are that list changes: "NEWS", "ebb_CHANGELOG.md"."""
    return _CHANGE_FILE.fullmatch(PurePosixPath(source).stem) is not None
