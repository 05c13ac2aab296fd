"""Recognises prose that says no several things though such are asked for: "There are many boats". For English."""

from __future__ import annotations

import re
from itertools import pairwise

from pipelines.query.question_types import thing_stem

ITEM = re.compile(r"^[^\S\n]*(?:[-*•]|\w{1,3}[.)])\s", re.MULTILINE)
_SEVERAL = re.compile(
    r"^\W*(?:(?:and|so)\s+)?(?:which|what(?!\s+(?:are|did|do|does|is|was|were)\b))\s+(?:[\w-]+\s+){0,3}?"
    r"(?!(?:does|is|this|was)\b)[\w-]+s\s+"
    r"(?:apply|are|can|come|could|do|does|exist|have|may|must|ship|should|were|work)\b(?!\s+not\b)",
    re.IGNORECASE,
)
"""Asks for several things: "Which hooks are there?"."""
_LABELS = re.compile(r":\s[^:]{0,200}?(?:[,;/\n]|\b(?:and|or)\b)|;\s[^;]*;\s")
_NAMED_ENTRY = re.compile(r"^[^:\n]{1,80}:\s", re.MULTILINE)
_COMMA_OR_AND = re.compile(r",|\b(?:and|or)\b")
_AND_LAST = re.compile(r"\s{0,3}(?:and|or)\s")
_PAIR = re.compile(r"\b(?:are|both|either|includes?|namely)\s(?:[^\s,]{1,40}\s){1,4}(?:and|or)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_NUMBERED = re.compile(r"\b(?:numbers|ports|releases|versions|years)\b", re.IGNORECASE)
"""Things that one figure with "and later" or "from ... to" names several of."""
_FIGURE = re.compile(r"\d")
_NAME = re.compile(r"[A-Z\d_]|\w[.-]\w")
"""What is in a name and in no plain word."""
_POINTER = re.compile(r"\W*see\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\s*(?:as|at|because|but|by|for|from|if|in|like|of|on|so|than|that|to|when|where|whether|which|while|who|with)\b",
    re.IGNORECASE,
)
"""What goes on with a sentence after a comma, and is no part of a series: "sails of all kinds, from small to big"."""
_MANY_NAMES = re.compile(
    r"\b[A-Z][\w'\u2019-]{0,40}(?:\s[A-Z][\w'\u2019-]{0,40})?"
    r"(?:,\s(?:(?:and|or|the)\s)?[A-Z][\w'\u2019-]{0,40}(?:\s[A-Z][\w'\u2019-]{0,40})?){3}"
)
_SHORT_PART = 4
_SHORT_SENTENCE = 8


def lists_nothing(question: str, shown: str) -> bool:
    """Return whether it is asked which things there are, and ``shown`` says no several, in no list and no sentence."""
    if _SEVERAL.match(question) is None or ITEM.search(shown) or _says_several(shown, thing_stem(question)):
        return False
    return not (_NUMBERED.search(question) and _FIGURE.search(shown))


def lists_names(text: str) -> bool:
    """Return whether a text has a series of four names or more, which need not say what these are."""
    return _MANY_NAMES.search(text) is not None


def _says_several(shown: str, stem: str) -> bool:
    """Return whether a text has several entries, or names several things of one kind in a sentence.

    Examples: "loop, while and for", "are read and write", "modes: a, b".
    """
    sentences = _SENTENCE_END.split(shown)
    return len(_NAMED_ENTRY.findall(shown)) > 1 or any(_is_series(one, stem) for one in sentences)


def _is_series(sentence: str, stem: str) -> bool:
    """Return whether a sentence has a series that may be of the things: it says what they are, or has names."""
    if _POINTER.match(sentence):
        return False
    if _LABELS.search(sentence) or _PAIR.search(sentence):
        return True
    names_thing = stem in sentence.lower()
    joints = list(_COMMA_OR_AND.finditer(sentence))
    if joints and joints[-1][0] != "," and len(sentence.split()) <= _SHORT_SENTENCE:
        return names_thing or _NAME.search(sentence, 1) is not None
    between = (
        sentence[joint.end() : behind.start()]
        for joint, behind in pairwise(joints)
        if joint[0] == "," and (behind[0] != "," or _AND_LAST.match(sentence, behind.end()))
    )
    parts = (part for part in between if 0 < len(part.split()) <= _SHORT_PART and not _GOES_ON.match(part))
    return any(names_thing or _NAME.search(part) is not None for part in parts)
