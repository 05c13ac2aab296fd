"""Headings that are another question than the one asked, as in an FAQ. The rules are for English."""

from __future__ import annotations

import re

from pipelines.query.conversation.subjects import is_small
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.paraphrases import with_paraphrases
from pipelines.query.question_types import question_form, question_kind

_QUESTION_END = re.compile(r"\?\W{0,3}$")
_LONGEST_END = 8
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[^\W\d_]{3,}")
_VERBS = "get gets give go goes happen happens make makes put see take takes use uses"
_ANY_VERB = frozenset(_VERBS.split())


def asks_otherwise(question: str, heading: str) -> bool:
    """Return whether a heading asks for something else than a question, and shares no word with it that tells much.

    "How do I leave the club?" is not answered below "When is the key due?".
    """
    if _QUESTION_END.search(heading[-_LONGEST_END:]) is None:
        return False
    *_, asking = _SENTENCE_END.split(heading.strip())
    if (question_form(asking), question_kind(asking)) == (question_form(question), question_kind(question)):
        return False
    words = words_of(with_paraphrases(question, heading).lower())
    return not any(is_among(word, words) for word in _telling(question))


def _telling(question: str) -> list[str]:
    words = (word.lower() for word in _WORD.findall(question) if not is_small(word))
    return [word for word in words if word not in _ANY_VERB]
