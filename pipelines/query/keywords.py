"""What keywords ask: "log levels pino" asks "Which log levels are there for pino?".

A search box taught people to leave out all words but those of the thing. Documents are found by these as well, but what
answers depends on what is asked for: a list, a task, a value. The rules are for English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

_MOST_WORDS = 8
_WORD = re.compile(r"[^\s,;]+")
_NO_KEYWORDS = re.compile(
    r"[?!:]|\b(?:what|which|who|whom|whose|when|where|why|how|am|are|can|could|did|do|does|had|has|have|is|may|might|must"
    r"|shall|should|was|were|will|would|i|me|my|you|your|we|us|our|it|they|he|she|this|that|these|those|please|tell|explain"
    r"|define|describe|list|show|give|name|compare|vs|versus|difference|differences|comme|comment|como|cual|das|dem|den|der"
    r"|des|die|du|e[ln]|ein|eine|est|et|la|las|le|les|los|ist|pour|pourquoi|qual|que|quel|quelle|quels|quoi|und|une|wann|warum"
    r"|was|welche|wie|wo)\b|[^\x00-\x7f\u2019]",
    re.IGNORECASE,
)
"""What sentences have, what asks by itself already, and what is not English."""
_TASK_WORDS = (
    "activate add allow apply assign attach backup build call cancel change check choose clean clear compile "
    "configure connect convert copy create customize debug define delete deploy disable download edit enable "
    "encrypt exclude export extend filter find fix force get handle import improve include increase initialize "
    "insert install integrate keep let make manage migrate monitor mount move open optimize override parse pass "
    "prevent protect publish put read redirect redact reduce refresh register reload remove rename renew replace "
    "reset resize restart restore revoke rotate run save secure see send serve set setup sign skip sort split "
    "start stop store submit switch sync test train translate undo uninstall unlock update upgrade upload use "
    "validate verify write"
)
_TASKS = frozenset(_TASK_WORDS.split())
"""Verbs that what is to be done begins with."""
_PLURAL = re.compile(r"[a-z][a-z-]*[^\Wsui]s")
_NO_PLURAL_WORDS = (
    "always kubernetes redis sales news means series species besides perhaps across address access process whereas"
)
_NO_PLURAL = frozenset(_NO_PLURAL_WORDS.split())
_OF = frozenset(["of", "for", "in", "on", "at", "with", "by", "from", "to", "between", "about"])
_VALUE_WORDS = (
    "cost costs date default defaults deadline duration length limit location maximum meaning minimum number port "
    "price size time version"
)
_VALUE = frozenset(_VALUE_WORDS.split())
"""What is asked for of the things before it: no list of them."""
_COUNTED = re.compile(r"\bper\b|\b(?:19|20)\d\d\b", re.IGNORECASE)
"""What is said of numbers of things: "accidents per year", "sales 2023"."""
_DEFAULT = frozenset(["default", "defaults"])
_LONGEST_THING = 3
_LONGEST_THINGS = 4


def question_of(keywords: str) -> str:
    """Return the question that a few keywords ask; what is a sentence or a question stays as it is."""
    words = _WORD.findall(keywords)
    if not 1 < len(words) <= _MOST_WORDS or _NO_KEYWORDS.search(keywords) or _COUNTED.search(keywords):
        return keywords
    if words[0].lower() in _TASKS:
        return f"How do I {' '.join(words)}?"
    if words[-1].lower() in _DEFAULT:
        return f"What is the default {' '.join(words[:-1])}?"
    if not _VALUE.isdisjoint(word.lower() for word in words):
        return f"What is the {' '.join(words)}?"
    is_title = keywords[0].isupper() or len(words) > _LONGEST_THING
    return _of_several(words) or (keywords if is_title else f"What is {' '.join(words)}?")


def _of_several(words: Sequence[str]) -> str | None:
    """Return the question which things there are, if the words begin with some: "log levels" of "log levels pino"."""
    at = next((at for at, word in enumerate(words[:_LONGEST_THINGS]) if _is_plural(word)), None)
    if at is None:
        return None
    end = at + len(list(takewhile(_is_plural, words[at:])))
    rest = words[end:]
    joint = [] if not rest or rest[0].lower() in _OF else ["for"]
    return f"{' '.join(['Which', *words[:end], 'are there', *joint, *rest])}?"


def _is_plural(word: str) -> bool:
    return word not in _NO_PLURAL and _PLURAL.fullmatch(word) is not None
