"""Kinds that go by a number or a letter: type 1 diabetes, a phase II trial, the third tier, class B, ferry 3."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import takewhile

from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.question_types import KEPT_QUESTIONS
from pipelines.query.verdicts.names import joins

Numbered = tuple[str, str]
"""A word for a kind, and its number in digits or its letter in upper case."""

_KINDS = frozenset((
    "band", "category", "class", "generation", "grade", "group", "level", "phase", "priority", "severity", "stage",
    "tier", "type", "zone",
))  # fmt: skip
_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
_NUMBERS = {spelling: str(number) for row in (_WORDS, _ROMAN) for number, spelling in enumerate(row, 1)}
_BEFORE = {spelling: str(number) for number, spelling in enumerate(_ORDINALS, 1)}
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d{1,3}")
_NTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_DECIMALS = re.compile(r"[.,]\d")
_TO_NUMBER = re.compile(r"\s?[:#-]?\s?")
_ON = re.compile(r"[\s,/&\u2013-]{1,3}")
_JOINING = frozenset(("and", "or", "to"))
_SPEAKER = re.compile(r"\s+(?:am|can|could|do|get|have|may|must|need|should|use|want|will|would)\b")
"""What stands behind an I that is the one who asks: "Which type I should choose"."""
_NUMBERED_NOUN = re.compile(
    r"\b([^\W\d_]{3,30})\s(\d{1,3})\b(?![.,:/%\u2013-]?\d|\s?[%\u00b0]|\s+(?!is\b|was\b|has\b|does\b)\w{1,30}s\b)"
)
"""A noun with its number, and no plural behind it: "ferry 3", not "carry 3 boats"."""
_NAMED_BY_NUMBER = re.compile(r"(?<=[a-z,] )([A-Z][a-z]{2,29})\s(\d{1,3})\b(?![.,:/%\u2013-]?\d|\s?[%\u00b0])")
"""The same with a capital inside of a question, which is a name whatever stands behind it: "the Year 8 parents"."""
_ORDINAL = re.compile(
    rf"\b(\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS[2:])})((?:\s[^\W\d_]{{2,30}}){{1,3}})", re.IGNORECASE
)
"""An ordinal and the words after it, one of which it numbers; "first" and "second" often mean something else."""
_COUNTED = (
    "above age aged appendix article chapter clause equals figure first item last least less maximum minimum more most "
    "next only page paragraph part past plus section since step table than times top under until version within "
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_NO_NOUNS = frozenset(_COUNTED.split())
"""What stands before an amount, or before the number of a place in a text, which other places refer to."""
_ONGOING = frozenset((
    "day", "days", "hour", "hours", "month", "months", "time", "times", "week", "weeks", "year", "years",
))  # fmt: skip
"""What holds from one of them on: "from the second year" answers for the third one."""
_MOST = 6
_WIDEST = 20


@lru_cache(KEPT_QUESTIONS)
def numbered_kinds(question: str) -> frozenset[Numbered]:
    """Return the numbered kinds that a question names."""
    return kinds_in(question)


def kinds_in(text: str, kinds: Collection[str] = _KINDS) -> frozenset[Numbered]:
    """Return the numbered kinds in a text, in whichever spelling: "types I and II", "second-type", "types 1-2"."""
    words = list(_WORD.finditer(text))
    return frozenset(
        (kind, number)
        for index, word in enumerate(words)
        if (kind := _kind(word[0], kinds)) is not None
        for number in (*_before(words, index), *_behind(text, words, index))
    )


def lacks_kind(question: str, text: str) -> bool:
    """Return whether a text names a kind, or a noun of a question, by other numbers than the question, and not by that
    one.
    """
    asked, nouns = numbered_kinds(question), numbered_nouns(question)
    named = kinds_in(text, frozenset(kind for kind, _ in (*asked, *nouns))) if asked or nouns else frozenset()
    if _lacks_nth(question, text) or any(
        one not in named and any(kind == one[0] for kind, _ in named) for one in asked if not _is_held(one, text)
    ):
        return True
    return any(
        one not in named and any(noun == one[0] and number.isdecimal() for noun, number in named)
        for one in nouns
        if not _is_held(one, text)
    )


def _is_held(one: Numbered, text: str) -> bool:
    """Return whether a text speaks of all of a kind from a number on, or up to it: year 4 is among "from year 3"."""
    kind, number = one
    if not number.isdecimal():
        return False
    named = rf"{re.escape(kind)}s?\s(\d{{1,3}})\b(?!\s?(?:[-\u2013]|to\b|until\b))"
    begun = rf"\bfrom\s{named}|\b{named}\s(?:and|or)\s(?:above|higher|later|over|up|upwards)\b"
    ended = rf"\b(?:up\sto|until)\s{named}|\b{named}\s(?:and|or)\s(?:below|earlier|lower|under)\b"
    least, most = (re.findall(form, text, re.IGNORECASE) for form in (begun, ended))
    return any(int(before or behind) <= int(number) for before, behind in least) or any(
        int(number) <= int(before or behind) for before, behind in most
    )


@lru_cache(KEPT_QUESTIONS)
def numbered_nouns(question: str) -> frozenset[Numbered]:
    """Return the nouns of a question that have a number, such as that of one ferry of several."""
    named = (*_NUMBERED_NOUN.findall(question), *_NAMED_BY_NUMBER.findall(question))
    found = ((noun.lower(), number) for noun, number in named)
    return frozenset(
        (noun, str(int(number)))
        for noun, number in found
        if noun not in _NO_NOUNS and noun not in _KINDS and not joins(noun)
    )


def lacks_numbered(question: str, text: str) -> bool:
    """Return whether a text does not speak of what a question gives a number: of ferries, for "ferry 3"."""
    nouns = [noun for noun, _ in numbered_nouns(question)]
    words = words_of(text) if nouns else frozenset()
    return not all(is_among(noun, words) for noun in nouns)


def _lacks_nth(question: str, text: str) -> bool:
    """Return whether a text has other ordinals before a noun than a question, such as the second permit only."""
    asked = _nth_nouns(question)
    nouns = frozenset(noun for noun, _ in asked)
    words = list(_WORD.finditer(text)) if asked else []
    told = frozenset(
        (noun, number)
        for index, word in enumerate(words)
        if (noun := _kind(word[0], nouns)) is not None
        for number in _before(words, index)
    )
    return any(one not in told and any(noun == one[0] for noun, _ in told) for one in asked)


@lru_cache(KEPT_QUESTIONS)
def _nth_nouns(question: str) -> frozenset[Numbered]:
    """Return the words after the ordinals of a question, up to one that joins others: "third resident permit"."""
    return frozenset(
        (noun, _BEFORE.get(nth) or nth[:-2])
        for nth, words in _ORDINAL.findall(question.lower())
        for noun in takewhile(lambda word: not joins(word) and word not in _NO_NOUNS, words.split())
        if noun not in _KINDS and noun not in _ONGOING
    )


def _kind(word: str, kinds: Collection[str]) -> str | None:
    plain = word.lower()
    forms = (plain, plain.removesuffix("s"), plain.removesuffix("es"), f"{plain.removesuffix('ies')}y")
    return next((form for form in forms if form in kinds), None)


def _before(words: list[re.Match[str]], index: int) -> Iterator[str]:
    """Yield the ordinal before a kind."""
    word = words[index - 1][0].lower() if index else ""
    nth = _NTH.fullmatch(word)
    if nth is not None or word in _BEFORE:
        yield nth[1] if nth is not None else _BEFORE[word]


def _behind(text: str, words: list[re.Match[str]], index: int) -> Iterator[str]:
    """Yield the numbers behind a kind: one, several, or all of a range."""
    end, last, is_range = words[index].end(), None, False
    for word in words[index + 1 : index + 1 + _MOST]:
        between = text[end : word.start()]
        end = word.end()
        if (_TO_NUMBER if last is None else _ON).fullmatch(between) is None:
            return
        if last is not None and word[0] in _JOINING:
            is_range = word[0] == "to"
            continue
        number = _number(text, word)
        if number is None:
            return
        yield from _between(last, number) if is_range or (last and between in ("-", "\u2013")) else ()
        yield number
        last, is_range = number, False


def _between(first: str | None, last: str) -> Iterator[str]:
    if first is not None and first.isdecimal() and last.isdecimal():
        yield from map(str, range(int(first) + 1, min(int(last), int(first) + _WIDEST)))


def _number(text: str, word: re.Match[str]) -> str | None:
    said = word[0]
    if _DIGITS.fullmatch(said):
        return None if _DECIMALS.match(text, word.end()) else str(int(said))
    if said == "I" and _SPEAKER.match(text, word.end()):
        return None
    if len(said) == 1 and said not in _NUMBERS:
        return said if "A" <= said <= "Z" else None
    return _NUMBERS.get(said)
