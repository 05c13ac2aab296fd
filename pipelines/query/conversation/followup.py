"""Follow-ups without a language model: a question that leans on earlier ones is given their subject.

The subject is the one word of the latest questions that is rarest in this tenant's documents (BM25's inverse document
frequency); a word of an earlier question counts for less. One word does: with more of them a question whose subject is
another one is led astray. A question that has a rarer word of its own is left alone. docs/benchmarks.md has figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pipelines.query.context import Terms

Rarity = Callable[[str], float]
"""How rare a word is among the chunks; 0 where none has it."""

_LATEST = 3
_FADING = 0.7  # a turn
_SHORT = 5  # terms
_MOST_WORDS = 64  # of a question, the last ones: the index is asked for each, and some paste a page before they ask
_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
_REFERS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|hers?|this|that|these|those|ones?|there|such|same|others?|"
    r"another|else|more|also|then|mean|meant|former|latter|(?:what|how) about)\b|^\s*(?:and|or|but|so|why)\b",
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
    weight, subject = _subject(earlier, own, terms, rarity)
    least = 0.0 if refers else max(map(rarity, set(_WORD.findall(question))), default=0.0)
    return f"{question} {subject}" if subject and weight > least else None


def _subject(earlier: Sequence[str], own: frozenset[int], terms: Terms, rarity: Rarity) -> tuple[float, str]:
    """The rarest word of the latest questions that is not in this one, and its weight; "" for none."""
    weights: dict[frozenset[int], float] = {}
    spelt: dict[frozenset[int], str] = {}
    for age, question in enumerate(reversed(earlier[-_LATEST:])):
        words = {terms(word): word for word in _WORD.findall(question)[-_MOST_WORDS:]}
        for said, word in words.items():
            if said and not said & own:
                weights[said] = weights.get(said, 0.0) + rarity(word) * _FADING**age
                spelt.setdefault(said, word)
    best = max(weights, key=weights.__getitem__, default=None)
    return (0.0, "") if best is None else (weights[best], spelt[best])
