"""Query expansion: the sparse leg also looks for what a question's words stand for.

The dense leg knows synonyms already. For BM25 they are terms of their own, and are added with a smaller weight, so that
the user's own words count most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from qdrant_client.models import SparseVector

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.synonyms import Synonyms

_RELATED = 0.5
"""What a related term counts beside one that means the same."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """Where a question has all ``terms``, those of each of ``meant`` are looked for too."""

    terms: frozenset[int]
    meant: tuple[frozenset[int], ...]
    share: float = 1.0


def with_terms(asked: SparseVector, added: Mapping[int, float]) -> SparseVector:
    """Return the terms of a question with others and their weights; those that it has itself keep theirs."""
    new = {term: weight for term, weight in added.items() if term not in asked.indices}
    return SparseVector(indices=[*asked.indices, *new], values=[*asked.values, *new.values()]) if new else asked


class Expander:
    """Adds synonyms to the terms of questions; safe to share between threads.

    Args:
        synonyms: What means what.
        encoder: Gives the terms of phrases.
        weight: What an added term counts, where the question's own count 1. A phrase that is longer than the one it
            stands for counts no more than that one would: its terms share the weight. A related one counts half.
    """

    def __init__(self, synonyms: Iterable[Synonyms], encoder: Bm25Encoder, weight: float) -> None:
        self._weight = weight
        self._rules: dict[int, list[_Rule]] = defaultdict(list)  # by one of their terms, which a question must have
        for rule in _rules(synonyms, encoder):
            self._rules[min(rule.terms)].append(rule)

    def __call__(self, asked: SparseVector) -> SparseVector:
        """``asked`` with what its terms stand for."""
        own = frozenset(asked.indices)
        added: dict[int, float] = {}
        for rule in self._fitting(own):
            for phrase in rule.meant:
                share = self._weight * rule.share * min(1.0, len(rule.terms) / len(phrase))
                for term in phrase - own:
                    added[term] = max(added.get(term, 0.0), share)
        return with_terms(asked, added)

    def _fitting(self, own: frozenset[int]) -> Iterator[_Rule]:
        return (rule for term in own for rule in self._rules.get(term, ()) if rule.terms <= own)


def _rules(synonyms: Iterable[Synonyms], encoder: Bm25Encoder) -> Iterator[_Rule]:
    for line in synonyms:
        meant = {terms for phrase in line.meanings if (terms := encoder.terms(phrase))}
        for terms in filter(None, map(encoder.terms, line.phrases)):
            if others := tuple(meant - {terms}):
                yield _Rule(terms, others, _RELATED if line.related else 1.0)
