"""Follow-ups without a language model: a question that leans on earlier ones is given their subject.

The subject is the one word of the latest questions that is rarest in this tenant's documents (BM25's inverse document
frequency); a word of an earlier question counts for less, and so does one of a question that itself leaned on those
before it: "And its dose?" names a side of the subject and not the subject. The latest question that leans on none is
heard however long ago it was asked. One word does: with more of them a question whose subject is another one is led
astray. A question that has a rarer word of its own is left alone. docs/benchmarks.md has figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pipelines.query.context import Terms

Rarity = Callable[[str], float]
"""How rare a word is among the chunks; 0 where none has it."""

_LATEST = 3
_FADING = 0.7  # a turn
_LEANING = 0.5  # of a question that leans on those before it
_SHORT = 5  # terms
_MOST_WORDS = 64  # of a question, the last ones: the index is asked for each, and some paste a page before they ask
_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
_ONE = re.compile(r"\b(?:its?|he|him|his|she|hers?|this|that)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:they|them|theirs?|these|those|ones)\b", re.IGNORECASE)
_NAMED = re.compile(r"\s(?:an?\s|\w*[A-Z\d])")
_PLURAL = re.compile(r"[^isu]s$", re.IGNORECASE)
_POINTS = re.compile(
    rf"{_ONE.pattern}|{_SEVERAL.pattern}|\b(?:one|there|such|same|others?|another|else|former|latter)\b", re.IGNORECASE
)
_REFERS = re.compile(
    rf"{_POINTS.pattern}|\b(?:more|also|then|mean|meant|(?:what|how) about)\b|^\s*(?:and|or|but|so|why)\b",
    re.IGNORECASE,
)


def with_subject(question: str, earlier: Sequence[str], terms: Terms, rarity: Rarity) -> str | None:
    """The question with the subject of earlier ones behind it; None where it says itself what it is about.

    Args:
        question: What is asked now.
        earlier: The questions before it, the oldest first.
        terms: The terms of a text.
        rarity: How rare a word is in the documents.
    """
    own = terms(question)
    refers = _REFERS.search(question) is not None
    if not earlier or (len(own) > _SHORT and not refers):
        return None
    weight, subject = _subject(own, list(_heard(question, earlier)), terms, rarity)
    least = 0.0 if refers else max(map(rarity, set(_WORD.findall(question))), default=0.0)
    return f"{question} {subject}" if subject and weight > least else None


def _heard(question: str, earlier: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The questions among whose words the subject is, the latest first, and how much these count."""
    latest = list(reversed(earlier))
    leaning = [*(_REFERS.search(said) is not None for said in latest[:-1]), False]
    subject = leaning.index(False)
    for age in sorted({*range(min(_LATEST, len(latest))), subject}):
        fading = _FADING ** (min(age, 1) if age == subject else age)
        yield latest[age], fading * (_LEANING if leaning[age] and _aside(latest[age], question) else 1.0)


def _aside(said: str, question: str) -> bool:
    """Whether what leans on others names no subject for ``question``: it points at one, or is of another number.

    "What about side effects?" is not what "its dose" is of, but "What about insulins?" may be what "they" are. "And a
    pug?" and "What about DPP-4?" name a subject however one goes on.
    """
    if _POINTS.search(said):
        return True
    if _NAMED.search(said):
        return False
    one, several = _ONE.search(question) is not None, _SEVERAL.search(question) is not None
    words = _WORD.findall(said)
    return one != several and bool(words) and (_PLURAL.search(words[-1]) is not None) != several


def _subject(
    own: frozenset[int], heard: Sequence[tuple[str, float]], terms: Terms, rarity: Rarity
) -> tuple[float, str]:
    """The rarest word of the questions that are heard that is not in this one, and its weight; "" for none."""
    weights: dict[frozenset[int], float] = {}
    spelt: dict[frozenset[int], str] = {}
    for question, counts in heard:
        words = {terms(word): word for word in _WORD.findall(question)[-_MOST_WORDS:]}
        for said, word in words.items():
            if said and not said & own:
                weights[said] = weights.get(said, 0.0) + rarity(word) * counts
                spelt.setdefault(said, word)
    best = max(weights, key=weights.__getitem__, default=None)
    return (0.0, "") if best is None else (weights[best], spelt[best])
