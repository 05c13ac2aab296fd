"""Corrects a slip of the pen in a question: "conatiner", which neither the documents nor a dictionary know.

Only a word is taken in its place that the documents have and that is one letter away (added, left out, replaced, or
swapped with its neighbour): P. Norvig, "How to Write a Spelling Corrector" (2007). A word that is capitalised inside
of a sentence is a name, and one with other letters is another name: "Valkey" is no valley, but "Djnago" is Django.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from spellchecker import SpellChecker

from pipelines.components.sentences import sentence_spans
from pipelines.query.terms import Terms

_DICTIONARIES = {
    "arabic": "ar", "basque": "eu", "dutch": "nl", "english": "en", "french": "fr", "german": "de", "italian": "it",
    "portuguese": "pt", "russian": "ru", "spanish": "es",
}  # fmt: skip
_WORD = re.compile(r"(?<![\w./@#:$-])[^\W\d_]{2,}+(?![\w/@#:$-]|\.\w)")
"""A word that is no part of a path, an address or an identifier."""
_NOUNS_ARE_CAPITALISED = frozenset({"german"})
_BREAK = re.compile(r"[:\n]")
_ANY_WORD = re.compile(r"[^\W\d_]+")
_LOW_IN_TITLES = frozenset(
    ["a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or", "as"]
)
_FEWEST_LETTERS, _MOST_LETTERS = 5, 30
_FEWEST_REPLACED = 6
"""Of a word of which a letter is replaced or added: short words have too many neighbours."""
_MOST_WORDS = 40
_MOST_KNOWN = 20_000
"""Words of which is kept that they are known."""


class Spelling:
    """Corrects the words of questions; safe to share between threads.

    Args:
        language: That of the documents. Without a dictionary of it nothing is corrected.
        terms: The terms of a text; stop words have none.
    """

    def __init__(self, language: str, terms: Terms) -> None:
        self._code = _DICTIONARIES.get(language)
        self._has_names = language not in _NOUNS_ARE_CAPITALISED
        self._terms = terms
        self._known: set[str] = set()

    def corrected(self, question: str, rarity: Callable[[str], float]) -> str:
        """Return the question with its slips corrected.

        Args:
            question: What is asked.
            rarity: How rare a word is in the documents; 0 where none has it.
        """
        if self._code is None:
            return question
        names = _capitalised_inside(question) if self._has_names else frozenset[str]()
        for word in dict.fromkeys(_WORD.findall(question)[:_MOST_WORDS]):
            if _is_common(word) and not self._is_known(word, rarity):
                right = self._nearest(word.lower(), rarity, same_letters=word in names)
                if right != word.lower():
                    question = re.sub(rf"\b{word}\b", right.capitalize() if word[0].isupper() else right, question)
        return question

    def is_word(self, word: str) -> bool:
        """Return whether the dictionary has a word; without a dictionary any may be one."""
        return self._code is None or word.lower() in _dictionary(self._code)

    def _is_known(self, word: str, rarity: Callable[[str], float]) -> bool:
        """Return whether the documents or a dictionary have a word; the dictionary is read when it is first needed."""
        plain = word.lower()
        if plain in self._known:
            return True
        assert self._code is not None
        is_known = not self._terms(word) or rarity(word) > 0 or plain in _dictionary(self._code)
        if is_known and len(self._known) < _MOST_KNOWN:
            self._known.add(plain)
        return is_known

    def _nearest(self, word: str, rarity: Callable[[str], float], *, same_letters: bool) -> str:
        """Return the word of the documents that differs from ``word`` by one letter; ``word`` itself if there is none.

        A word of the same letters comes first, then the commonest. With ``same_letters`` only the former count.
        """
        assert self._code is not None
        words = _dictionary(self._code)
        near = words.edit_distance_1(word) if len(word) >= _FEWEST_REPLACED else ()
        likely = (one for one in {*words.known(near), *_swapped(word)} if _begins_alike(one, word))
        allowed = (one for one in likely if not same_letters or set(one) == set(word))
        rare = {one: found for one in allowed if (found := rarity(one)) > 0}
        return min(rare, key=lambda one: (set(one) != set(word), rare[one], one), default=word)


def load_dictionary(language: str) -> None:
    """Read the dictionary of a language, if there is one, so that no question waits for it."""
    if language in _DICTIONARIES:
        _dictionary(_DICTIONARIES[language])


def _is_common(word: str) -> bool:
    """Return whether a word is neither an abbreviation nor too short or too long."""
    return _FEWEST_LETTERS <= len(word) <= _MOST_LETTERS and not word.isupper()


def _capitalised_inside(question: str) -> frozenset[str]:
    """Return the words with a capital that do not begin a sentence; none where all words have one, as in a title."""
    sentences = (question[start:end] for start, end in sentence_spans(question))
    parts = (part for sentence in sentences for part in _BREAK.split(sentence))
    inside = [word for part in parts for word in _ANY_WORD.findall(part)[1:]]
    names = frozenset(word for word in inside if word[0].isupper())
    is_title = len(names) > 1 and all(word in names or word in _LOW_IN_TITLES for word in inside)
    return frozenset() if is_title else names


def _begins_alike(one: str, other: str) -> bool:
    """Return whether two words have the same first letter, which slips seldom hit: "kompose" is no "compose"."""
    return one[:1] == other[:1] or sorted(one) == sorted(other)


def _swapped(word: str) -> Iterable[str]:
    """Yield a word with two neighbouring letters swapped, or one letter less: a slip in a word of no dictionary."""
    for index in range(len(word) - 1):
        yield word[:index] + word[index + 1] + word[index] + word[index + 2 :]
    for index in range(1, len(word)):
        yield word[:index] + word[index + 1 :]


@lru_cache
def _dictionary(code: str) -> SpellChecker:
    return SpellChecker(language=code, distance=1)
