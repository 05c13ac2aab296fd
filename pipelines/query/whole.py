"""The name of what all documents are about: "in Kubernetes" says nothing in a question about its manual.

It stands on most pages, so it draws the search and the choice of the passage to those that say it once more.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pipelines.query.extracts.language.day_names import is_day

_COMMON = 1.1
"""The rarity of a word that a third of the chunks have."""
_NAME = r"(?P<name>[A-Z][\w.+-]*(?:\s+[A-Z][\w.+-]*)?|[a-z][\w.+-]*)"
_PLACE = "(?:in|inside|on|using|with|within)"
_BEFORE = re.compile(rf"(?:(?i:(?:for|{_PLACE}))\s+{_NAME}\s*[,:]|{_NAME.replace('name', 'alone')}\s*:)\s+(?=\w)")
_BEHIND = re.compile(rf"\s+{_PLACE}\s+{_NAME}(?=\s*[?.!]*$)")
_FEWEST_WORDS = 3


def without_whole(question: str, rarity: Callable[[str], float], is_word: Callable[[str], bool]) -> str:
    """Return the question without the place that all documents are about, at its beginning or its end.

    Args:
        question: What is asked.
        rarity: How rare a word is in the documents; 0 where none has it.
        is_word: Recognises common words, which without a capital are no names.
    """
    found = _BEFORE.match(question)
    if found is not None and _is_whole(found["name"] or found["alone"], rarity, is_word):
        question = question[found.end() :]
    found = _BEHIND.search(question)
    if found is not None and _is_whole(found["name"], rarity, is_word):
        rest = question[: found.start()] + question[found.end() :]
        return rest if len(rest.split()) >= _FEWEST_WORDS else question
    return question


def _is_whole(name: str, rarity: Callable[[str], float], is_word: Callable[[str], bool]) -> bool:
    is_common = all(0 < rarity(word) <= _COMMON and not is_day(word) for word in name.split())
    return is_common and (name[0].isupper() or not is_word(name))
