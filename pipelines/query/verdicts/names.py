"""The proper names of a text: capitalised words that do not merely begin a sentence, and acronyms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

_WORD = re.compile(r"[^\W\d_][\w'\u2019&-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+|\n)[\W\d_]*$")
_NO_NAMES = frozenset(("I", "The", "A", "An", "In", "On", "At", "It", "They", "This", "These", "That", "If", "When"))
_ROW = re.compile(r"(?:\b[A-Z][\w'\u2019]*(?:[\s-]+(?:(?:of|and|for|the|in|on|&)\s+){0,2}(?=[A-Z]))?){2,12}")
_JOINING_WORDS = (
    "what which who whose whom where why how is are was were am be do does did can could should will would shall has "
    "have had must may might for to with without by from as of into onto under over above below about against between "
    "among through across and or but nor so yet then since after before during while until although though because "
    "unless whether once whereas however also both each every all any some no not only even such other another like "
    "unlike according there here we you he she his her its their our your my please let list name define explain "
    "describe compare tell give show say use"
)
_INITIAL = re.compile(r"\b([^\W\d_])\.(?=\s?(?:-?[^\W\d_]\.\s?){0,3}([^\W\d_][\w'\u2019-]{1,40}))")
_LAST_NAME_FIRST = re.compile(r"\b([^\W\d_][\w'\u2019-]{1,40}),\s?([^\W\d_])\.")
_MOST_GIVEN_NAMES = 3
_BEGINNINGS = frozenset(_JOINING_WORDS.split())
"""Words that begin a sentence and are no part of the name that follows: "Does Django ...", "After Napoleon ..."."""


def names(text: str) -> tuple[str, ...]:
    """Return the names in a text, each word once; a word that begins a sentence counts if another name follows it."""
    found: dict[str, None] = {}
    words = list(_WORD.finditer(text))
    for number, match in enumerate(words):
        word = match[0]
        if not word[0].isupper() or word in _NO_NAMES:
            continue
        following = words[number + 1] if number + 1 < len(words) else None
        begins = _SENTENCE_START.search(text[max(match.start() - 8, 0) : match.start()]) is not None
        joined = (
            following is not None
            and following[0][0].isupper()
            and following.start() == match.end() + 1
            and _bare(word).lower() not in _BEGINNINGS
        )
        if len(_bare(word)) > 1 and (not begins or joined or word.isupper()):
            found[_bare(word)] = None
    return tuple(found)


def joins(word: str) -> bool:
    """Return whether a word, in lower case, joins others or asks, such as "by" or "does": titles write it small."""
    return word in _BEGINNINGS


def capitalised(text: str) -> frozenset[str]:
    """Return every word that may be a name, also those that only begin a sentence; in lower case.

    Words that join others, such as "By", are no names.
    """
    words = (match[0] for match in _WORD.finditer(text))
    found = (_bare(word).lower() for word in words if word[0].isupper() and word not in _NO_NAMES)
    return frozenset(word for word in found if word not in _BEGINNINGS)


def unknown(claimed: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the names that do not occur in the evidence, ignoring case."""
    words = {_bare(word).lower() for word in _WORD.findall(text)}
    words |= {part for word in words for part in word.split("-")}
    return tuple(name for name in claimed if name.lower() not in words and not _parts(name) <= words)


def initialled(claim: str, text: str) -> frozenset[str]:
    """Return the first names of a claim of which a text has the initial beside the same last name: "S. Aune"."""
    pairs = {(first.lower(), _bare(last).lower()) for first, last in _INITIAL.findall(text)}
    pairs |= {(first.lower(), _bare(last).lower()) for last, first in _LAST_NAME_FIRST.findall(text)}
    return frozenset(
        first
        for row in _capitalised_rows(claim)
        for place, first in enumerate(row)
        for last in row[place + 1 : place + 1 + _MOST_GIVEN_NAMES]
        if (first[0].lower(), last.lower()) in pairs
    )


def _capitalised_rows(text: str) -> Iterator[list[str]]:
    """Yield each row of capitalised words that follow each other."""
    for is_name, row in groupby(_WORD.findall(text), key=lambda word: word[0].isupper()):
        if is_name:
            yield [_bare(word) for word in row]


def is_spelt_otherwise(name: str, claim: str, text: str) -> bool:
    """Return whether a text has a name of a claim in the plural or singular, or as initials: GDPR, spelt out or not."""
    if is_in_other_number(name, text):
        return True
    if name.isupper():
        return any(name in initials for initials, _ in _spelt_out(text))
    acronyms = [word for word in _WORD.findall(text) if len(word) > 1 and word.isupper()]
    return any(
        name in words[place : place + len(acronym)]
        for initials, words in _spelt_out(claim)
        for acronym in acronyms
        if (place := initials.find(acronym)) >= 0
    )


def is_in_other_number(name: str, text: str) -> bool:
    """Return whether a text has a name in the plural or singular: "Mr Ellison" is one of the Ellisons."""
    return name.lower().removesuffix("s") in {_bare(word).lower().removesuffix("s") for word in _WORD.findall(text)}


def _spelt_out(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the initials of each row of capitalised words, and the words; "of" and "and" stand among them unread."""
    for row in _ROW.findall(text):
        words = [word for word in _WORD.findall(row) if word[0].isupper()]
        yield "".join(word[0] for word in words), words


def _bare(word: str) -> str:
    return re.sub(r"['\u2019]\w{0,2}$", "", word)


def _parts(name: str) -> set[str]:
    return set(name.lower().split("-"))
