"""Judges a claim by the passages that it cites.

A claim is *supported* where a passage says it: by its terms and by its meaning, with the same numbers and names, and
without denying it. Overlap alone is no proof: a claim that shares its words and not its numbers, its names or its
"not" with what it cites is *unsupported*. In between it is *partial*. Where the profile names an entailment model, a
claim is supported only if the passage entails it, and unsupported if it contradicts it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.query.verdicts.evidence import Reading, Vector, Window
from pipelines.query.verdicts.names import names, unknown
from pipelines.query.verdicts.numbers import missing, quantities
from pipelines.query.verdicts.polarity import polarity
from pipelines.types import Hit, Verdict

_STRONG = 0.7
_WEAK = 0.45
_HALF = 0.5  # of an entailment model's probability
_PAIR_COSTS = 0.03  # of two windows that support equally, one sentence says it more clearly than two
_PUNCTUATION = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Entailment:
    """How likely a passage entails a claim, and how likely it contradicts it, both in 0..1."""

    entails: float
    contradicts: float


Entails = Callable[[Sequence[tuple[str, str]]], Sequence[Entailment]]
"""Judges pairs of a passage and a claim."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, what each named check found, and for each cited chunk that has one its best passage, best first."""

    verdict: Verdict
    checks: Mapping[str, Any]
    evidence: tuple[Window, ...]


class Verifier:
    """Judges claims.

    Args:
        entails: An entailment model; None: the verdict rests on the other checks.
    """

    def __init__(self, entails: Entails | None = None) -> None:
        self._entails = entails

    def judge(self, claim: str, cited: Sequence[Hit], others: Sequence[Hit], reading: Reading) -> Judgement:
        """The verdict on ``claim`` from the chunks that it cites.

        One that cites nothing is held against ``others``, everything its answer could have cited, and is at best
        partial: it may be so, but no footnote says it.
        """
        if not cited:
            found = self._judged(claim, others, reading, at_most=1)
            verdict: Verdict = "partial" if found.verdict == "supported" else found.verdict
            return Judgement(verdict, {"cited": False, **found.checks}, found.evidence)
        found = self._judged(claim, cited, reading, at_most=len(cited))
        return Judgement(found.verdict, {"cited": True, **found.checks}, found.evidence)

    def _judged(self, claim: str, hits: Sequence[Hit], reading: Reading, at_most: int) -> Judgement:
        (vector,) = reading.vectors([claim])
        terms = reading.terms(claim)
        best = [max(windows, key=lambda w: _fit(terms, vector, w)) for hit in hits if (windows := reading.windows(hit))]
        best.sort(key=lambda window: -_fit(terms, vector, window))
        evidence = tuple(best[:at_most])
        if not evidence:
            return Judgement("unsupported", {"lexical": 0.0, "embedding": 0.0}, ())
        if any(_bare(claim) in _bare(window.text) for window in evidence):
            return Judgement("supported", {"verbatim": True}, evidence)
        checks = self._checks(claim, terms, vector, evidence, reading)
        return Judgement(_verdict(checks), checks, evidence)

    def _checks(
        self, claim: str, terms: frozenset[int], vector: Vector, evidence: Sequence[Window], reading: Reading
    ) -> dict[str, Any]:
        told = " ".join(window.text for window in evidence)
        known = " ".join(" ".join((w.hit.title, *w.hit.headings, w.hit.content)) for w in evidence)
        numbers, unknown_names = missing(quantities(claim), quantities(told)), unknown(names(claim), known)
        said = polarity(claim, reading.terms)
        checks: dict[str, Any] = {
            "lexical": round(_lexical(terms, frozenset().union(*(window.terms for window in evidence))), 3),
            "embedding": round(max(float(window.vector @ vector) for window in evidence), 3),
            "numbers": not numbers,
            "names": not unknown_names,
            "negation": not said.contradicts(polarity(evidence[0].text, reading.terms)),
        }
        if numbers or unknown_names:
            checks["missing"] = [*numbers, *unknown_names]
        if self._entails is not None:
            (found,) = self._entails([(told, claim)])
            checks["nli"] = {"entails": round(found.entails, 3), "contradicts": round(found.contradicts, 3)}
        return checks


def _verdict(checks: Mapping[str, Any]) -> Verdict:
    strength = (checks["lexical"] + max(checks["embedding"], 0.0)) / 2
    nli = checks.get("nli")
    if strength < _WEAK and not (nli and nli["entails"] >= _HALF):
        return "unsupported"
    if not (checks["numbers"] and checks["names"] and checks["negation"]) or (nli and nli["contradicts"] >= _HALF):
        return "unsupported"
    if nli:
        return "supported" if nli["entails"] >= _HALF else "partial"
    return "supported" if strength >= _STRONG else "partial"


def _fit(terms: frozenset[int], vector: Vector, window: Window) -> float:
    return (_lexical(terms, window.terms) + float(window.vector @ vector)) / 2 - _PAIR_COSTS * (window.sentences - 1)


def _lexical(claimed: frozenset[int], told: frozenset[int]) -> float:
    """The share of a claim's terms that is told."""
    return len(claimed & told) / len(claimed) if claimed else 0.0


def _bare(text: str) -> str:
    return _PUNCTUATION.sub(" ", text.lower()).strip()
