"""Word by word, where a claim departs from the sentence that it restates: another name or number, or the opposite.

A claim in nearly the words of a sentence is aligned with it. What stands between the same words on both sides is
compared: another name there says something else of the same thing, though the passage holds both names, and so does
"weekly" in the place of "daily". Where only numbers differ, they are compared one by one, and so is what they are the
least or the most of. Paraphrases have few words in common with any one sentence, and are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest
from operator import itemgetter

from pipelines.query.verdicts.bounds import WORDS as BOUND_WORDS
from pipelines.query.verdicts.bounds import Bound, excludes
from pipelines.query.verdicts.numbers import WORDS, missing, quantities, stated_quantities
from pipelines.query.verdicts.opposites import exclude_each_other
from pipelines.query.verdicts.polarity import negates

_RESTATED = 0.65  # of a claim's words
_LONGEST_RUN = 4  # words that take each other's place
_MOST_CLAIM_WORDS = 120
_MOST_WORDS = 160  # of a sentence; tables can be one sentence
_MOST_ALIGNED = 12  # sentences, those that share most words with the claim
_SAME_STEM = 4  # letters
_TOKEN = re.compile(r"(?:(?<!\w)\.(?=\d))?[^\W_]+(?:(?:[-'\u2019.&/]|(?<=\d),(?=\d))[^\W_]+)*")
_SUFFIX = re.compile(r"(?:['\u2019]s?|s)$")
_SMALL_WORDS = (
    "I The A An In On At It They This These That Those If When He She We You Our Their His Her Its There What Which "
    "Who For With From By To Of And Or But As Is Are Was Were"
)
_NO_NAMES = frozenset(_SMALL_WORDS.split())
_LIGHT = BOUND_WORDS | frozenset(("a", "an", "can", "may", "must", "should", "will", "shall", "is", "are", "was", "be"))
"""Words that two sentences on the same number may differ in besides what it is the least or the most of."""
_COUNTS = {"one": 1.0, **WORDS}
_SPELT: dict[Bound | None, str] = {"most": "at most ", "below": "below ", "least": "at least ", "above": "above "}


@dataclass(frozen=True, slots=True)
class Swap:
    """What a claim says in the place of what its source says, both as they are written."""

    claimed: str
    stated: str


@dataclass(frozen=True, slots=True)
class _Words:
    """A text's words as they are written and as they are compared."""

    text: str
    written: tuple[str, ...]
    compared: tuple[str, ...]


def swaps(claim: str, sentences: Sequence[str], passage: str) -> tuple[Swap, ...]:
    """Return the names, numbers and opposites that stand in another's place in the sentence that a claim restates.

    Args:
        claim: What is claimed.
        sentences: Those of the passages that it is held against.
        passage: What tells that two names mean the same: ``Bayesian Optimisation (BO)``.

    Returns:
        Nothing where the claim restates no sentence, and where one that it restates as closely has no other words.
    """
    claim_words = _words(claim, _MOST_CLAIM_WORDS)
    shares = [
        (_shared(claim_words, sentence_words), sentence_words)
        for sentence_words in (_words(text, _MOST_WORDS) for text in sentences)
    ]
    near = nlargest(_MOST_ALIGNED, (pair for pair in shares if pair[0] >= _RESTATED), key=itemgetter(0))
    aligned = [one for _, sentence_words in near if (one := _aligned(claim_words, sentence_words)).share >= _RESTATED]
    best = max((one.share_of_words for one in aligned), default=0.0)
    closest = (one for one in aligned if one.share_of_words == best)
    return min((tuple(_swapped(claim_words, one, passage)) for one in closest), key=len, default=())


@dataclass(frozen=True, slots=True)
class _Aligned:
    """A sentence beside a claim: the runs that differ in place, and the share of the claim's words that it has.

    ``share_of_words`` leaves out numbers: the sentence with all words and another number is the one that is restated.
    """

    sentence_words: _Words
    share: float
    share_of_words: float
    replaced: tuple[tuple[slice, slice], ...]
    apart: tuple[tuple[slice, slice], ...]
    """All runs of words that are not on both sides, but for what the sentence has before and behind the claim."""


def _shared(claim_words: _Words, sentence_words: _Words) -> float:
    """Return the share of the claim's words that a sentence has, in any order: aligning the two takes far longer."""
    known = frozenset(sentence_words.compared)
    return (
        sum(word in known for word in claim_words.compared) / len(claim_words.compared) if claim_words.compared else 0.0
    )


def _aligned(claim_words: _Words, sentence_words: _Words) -> _Aligned:
    codes = SequenceMatcher(None, claim_words.compared, sentence_words.compared, autojunk=False).get_opcodes()
    equal = [range(i, j) for tag, i, j, _, _ in codes if tag == "equal"]
    words = [place for place, word in enumerate(claim_words.compared) if not word[:1].isdigit()]
    same = frozenset(place for run in equal for place in run)
    replaced = tuple((slice(i, j), slice(k, m)) for tag, i, j, k, m in codes if tag == "replace")
    outer = [code for code in (codes[0], codes[-1]) if code[0] == "insert"] if codes else []
    apart = tuple(
        (slice(i, j), slice(k, m)) for tag, i, j, k, m in codes if tag != "equal" and (tag, i, j, k, m) not in outer
    )
    share_of_words = sum(place in same for place in words) / len(words) if words else 0.0
    return _Aligned(sentence_words, len(same) / len(claim_words.written), share_of_words, replaced, apart)


def _swapped(claim_words: _Words, sentence: _Aligned, passage: str) -> Iterator[Swap]:
    sentence_words = sentence.sentence_words
    yield from _other_bounds(claim_words, sentence)
    only_numbers = all(
        _are_numbers(claim_words.written[mine], sentence_words.written[other]) for mine, other in sentence.apart
    )
    lost = bool(missing(quantities(claim_words.text), stated_quantities(sentence_words.text)))
    for mine, other in sentence.replaced:
        ours, theirs = claim_words.written[mine], sentence_words.written[other]
        beside = theirs[: len(ours)] if mine.stop == len(claim_words.written) else theirs  # the sentence may go on
        if _opposed(ours, beside, claim_words, sentence_words):
            yield Swap(" ".join(ours), " ".join(beside))
            continue
        if max(len(ours), len(theirs)) > _LONGEST_RUN:
            continue
        named = any(_is_name(word) and not _occurs(word, sentence_words) for word in ours)
        replaces = any(_is_name(word) and word not in claim_words.written for word in theirs)
        other_name = named and replaces and not _mean_the_same(ours, theirs, passage)
        other_number = lost and _holds_digit(ours) and _holds_digit(theirs)
        other_number = other_number or (only_numbers and _differ(ours, theirs))
        if other_name or other_number:
            yield Swap(" ".join(ours), " ".join(theirs))


def _other_bounds(claim_words: _Words, sentence: _Aligned) -> Iterator[Swap]:
    """Yield each number that the claim gives as the least, and the sentence as the most; "at least 50", "up to 50"."""
    written = sentence.sentence_words.written
    differing = (
        word.lower() for mine, other in sentence.apart for word in (*claim_words.written[mine], *written[other])
    )
    if not all(word in _LIGHT for word in differing) or negates(claim_words.text) != negates(
        sentence.sentence_words.text
    ):
        return
    stated = quantities(sentence.sentence_words.text)
    for one in quantities(claim_words.text):
        same = [other for other in stated if one.agrees(other)]
        if same and all(excludes(one.bound, other.bound) for other in same):
            yield Swap(*(f"{_SPELT.get(each.bound, '')}{each.written}" for each in (one, same[0])))


def _are_numbers(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    return bool(ours and theirs) and all(_compared(word)[:1].isdigit() for word in (*ours, *theirs))


def _differ(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    mine, other = (quantities(" ".join(map(_compared, words))) for words in (ours, theirs))
    return bool(missing(mine, other))


def _opposed(ours: Sequence[str], theirs: Sequence[str], claim_words: _Words, sentence_words: _Words) -> bool:
    """Return whether a run has a word that excludes one in its place; "not open" and "closed" say the same."""
    if len(ours) != len(theirs) or len(ours) > _LONGEST_RUN:
        return False
    if quantities(" ".join((*ours, *theirs))):  # "a week" is 7 days
        return False
    return negates(claim_words.text) == negates(sentence_words.text) and any(
        exclude_each_other(one, another)
        for one in ours
        for another in theirs
        if not _occurs(one, sentence_words) and not _occurs(another, claim_words)
    )


def _words(text: str, most: int) -> _Words:
    written = tuple(found[0] for found, _ in zip(_TOKEN.finditer(text), range(most), strict=False))
    return _Words(text, written, tuple(map(_compared, written)))


def _compared(word: str) -> str:
    low = word.lower()
    return f"{_COUNTS[low]:g}" if low in _COUNTS else _SUFFIX.sub("", word).lower()  # "HTTPS" is no plural


def _is_name(word: str) -> bool:
    return word not in _NO_NAMES and len(word) > 1 and any(sign.isupper() for sign in word)


def _occurs(word: str, sentence_words: _Words) -> bool:
    return _compared(word) in sentence_words.compared


def _holds_digit(words: Sequence[str]) -> bool:
    return any(sign.isdigit() for word in words for sign in word)


def _mean_the_same(ours: Sequence[str], theirs: Sequence[str], passage: str) -> bool:
    """Return whether one is the other's initials or shares its stem, or the passage gives one behind the other in
    brackets.
    """
    one, other = " ".join(ours), " ".join(theirs)
    if _is_short_for(one, theirs) or _is_short_for(other, ours):
        return True
    stem = min(len(one), len(other), max(_SAME_STEM, min(len(one), len(other)) - 2))
    if len(ours) == len(theirs) and stem >= _SAME_STEM and one[:stem].lower() == other[:stem].lower():
        return True
    low = passage.lower()
    return any(f"{first} ({second}".lower() in low for first, second in ((one, other), (other, one)))


def _is_short_for(short: str, words: Sequence[str]) -> bool:
    letters = "".join(sign for sign in short if sign.isalnum()).lower()
    initials = "".join(word[0] for word in words).lower()
    capitals = "".join(word[0] for word in words if word[0].isupper()).lower()
    return len(letters) > 1 and letters in (initials, capitals)
