"""What should stand behind another passage: second reasons, ways that are given up, lists of what is not meant."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from pipelines.query.extracts.language.denials import denies_otherwise
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.question_types import question_form, thing_stem
from pipelines.query.verdicts.polarity import negates

_FURTHER = re.compile(
    r"(?:[-*\u2022]\s+)?(?:also|alternatively|another|furthermore|moreover|the\s+(?:last|other|second|third)"
    r"|(?:it|that|this)\s+is(?:,\s+however(?=,)|\s+(?:also|however)))\b",
    re.IGNORECASE,
)
"""How what follows another thing of its kind begins: "Another reason is ..."."""
_GIVEN_UP = re.compile(r"\b(?:deprecated|legacy|obsolete|superseded)\b", re.IGNORECASE)
_NOT_TAKEN = re.compile(
    r"\b(?:(?:abandoned|considered|deferred|discarded|dismissed|rejected)\s+(?:\w+\s+)?"
    r"(?:alternatives|approach(?:es)?|designs?|ideas?|options|proposals?|solutions?|ways?)"
    r"|alternatives\s+(?:\w+\s+)?(?:considered|discarded|rejected)"
    r"|(?:future|possible)\s+(?:directions?|enhancements?|extensions?|ideas|improvements|work)|open\s+(?:issues|questions))\b",
    re.IGNORECASE,
)
"""A heading of what somebody only thought of."""
_ASKS_THOUGHTS = re.compile(
    r"\b(?:abandon|alternative|consider|could\b|defer|direction|discard|dismiss|enhanc|future|idea|improve|later\b|limitation"
    r"|might\b|missing|next\b|open\s+(?:issues|points|questions)|open\W*$|plan|possible|propos|reject|remain|roadmap|should\b"
    r"|still\b|suggest|undecided|unresolved|unsolved|why\b|yet\b)",
    re.IGNORECASE,
)
_NOT_OF_THOUGHTS = ("definition", "howto", "list")
_ASKED_OF = re.compile(
    r"\W*(?:which|what|who)\b[^?]{0,120}?\b(?:are|be|been|get|gets|is|was|were)\s+(?:\w+ly\s+)?"
    r"(?!(?:not|part|there|these|this|those)\b)([a-z]{5,40})\b",
    re.IGNORECASE,
)
"""What things are asked for: "affected" of "Which boats are affected by the recall?"."""
_DENYING = r"\b(?:(?:no|not|never|neither|without)\s+(?:\w+\s+){0,2}?|\w+n['\u2019]t\s+(?:\w+\s+){0,2}?|un|non-?)"
_WHAT = re.compile(r"\W*what\s+(?:is|was|will\s+be)\b", re.IGNORECASE)
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


def is_not_taken(question: str, passage: Passage) -> bool:
    """Return whether a section tells what was only thought of, or rejected, and a question asks what is or how to."""
    if question_form(question) not in _NOT_OF_THOUGHTS or _ASKS_THOUGHTS.search(question):
        return False
    return any(map(_NOT_TAKEN.search, passage.headings))


def denies_items(question: str, shown: str) -> bool:
    """Return whether a list is of what is not meant, and a question asks for a list or a way and denies nothing."""
    lead_in, *items = shown.split("\n")
    is_led = bool(items) and lead_in.rstrip().endswith(":")
    said = _SENTENCE.split(lead_in)[-1] if is_led else ""
    says_not = negates(_CLAUSE.split(said)[0]) and not _CONTRAST.search(said)
    return question_form(question) in ("howto", "list") and is_led and says_not and not negates(question)


def denies_asked(question: str, shown: str) -> bool:
    """Return whether a question asks which things something holds for, and a text says only which it does not hold for.

    "Sloops are not affected." does not say which boats are affected, but "No boats are affected." does.
    """
    asked = _ASKED_OF.match(question) if not negates(question) else None
    if asked is None or denies_otherwise(shown) or _CONTRAST.search(shown) or _says_none(question, shown):
        return False
    word = re.escape(asked[1])
    denied = re.compile(rf"{_DENYING}{word}\b", re.IGNORECASE)
    first = _SENTENCE.split(shown, maxsplit=1)[0]
    said = len(re.findall(rf"{word}\b", shown, re.IGNORECASE))
    return denied.search(first) is not None and len(denied.findall(shown)) == said


def _says_none(question: str, shown: str) -> bool:
    """Return whether a text begins with "no" and what is asked for; "What is needed?" asks for any thing."""
    thing = "" if _WHAT.match(question) else rf"(?:\w+\s+)?{re.escape(thing_stem(question) or question)}"
    return re.match(rf"\W*(?:there\s+(?:are|is)\s+)?no\s+{thing}", shown, re.IGNORECASE) is not None


def is_change_file(source: str) -> bool:
    """Return whether a file is called as those are that list changes: "NEWS", "ebb_CHANGELOG.md"."""
    return _CHANGE_FILE.fullmatch(PurePosixPath(source).stem) is not None
