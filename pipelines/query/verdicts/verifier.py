"""Judges a claim by the passages that it cites.

A claim is *supported* where a passage says it: by its terms and by its meaning, with the same numbers and names, and
without denying it. Overlap alone is no proof: a claim that shares its words and not its numbers, its names or its
"not" with what it cites is *unsupported*. In between it is *partial*. Where the profile names an entailment model, a
claim is supported only if the passage entails it, and unsupported if it contradicts it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.components.models.entailment import Entails
from pipelines.query.verdicts.alignment import Swap, swaps
from pipelines.query.verdicts.conditions import is_excepted, is_reserved, left_out
from pipelines.query.verdicts.evidence import ClaimPart, Reading, Window, best_windows, overlap, strength
from pipelines.query.verdicts.names import capitalised, is_spelt_otherwise, names, unknown
from pipelines.query.verdicts.numbers import missing, quantities, stated_quantities
from pipelines.query.verdicts.polarity import contradict, negates
from pipelines.query.verdicts.roles import exchanged
from pipelines.query.verdicts.short_answers import affirms, is_denied
from pipelines.query.verdicts.subjects import other_subject
from pipelines.types import Hit, Verdict

_STRONG = 0.7
_WEAK = 0.45
_HALF = 0.5  # of an entailment model's probability
_NEARLY_THE_SAME = 0.7  # of a claim's terms
_RESTATED = 0.8  # of a claim's terms, in a sentence that says who did what in its words
_LEAST_WORDS = 5  # of a clause
_DECISIVE = ("numbers", "names", "negation", "roles")
_BETWEEN_CLAUSES = re.compile(r";\s+|,\s+(?:and|but|while|whereas|so)\s+", re.IGNORECASE)
_ITEM = re.compile(r"^(?:[-*+\u2022\u2023]\s+)?[*_]{0,3}\d{1,3}[.)][*_]{0,3}\s+|^[-*+\u2022\u2023]\s+")
_TOKEN = re.compile(r"(?<![^\W_])[-\u2212](?=\d)|\d+(?:[.,]\d+)*|[^\W\d_]+|[$\u20ac\u00a3]")


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

    def judge(
        self, claim: str, cited: Sequence[Hit], others: Sequence[Hit], reading: Reading, *, question: str = ""
    ) -> Judgement:
        """Return the verdict on ``claim`` from the chunks that it cites.

        One that cites nothing is held against ``others``, everything its answer could have cited, and is at best
        partial: it may be so, but no footnote says it. One of few words is judged as the answer to ``question``.
        """
        claim = _ITEM.sub("", claim)  # the number of a list item is not a fact of the source
        if cited:
            found = self._judged(claim, cited, reading, question, most=len(cited))
            return Judgement(found.verdict, {"cited": True, **found.checks}, found.evidence)
        found = self._judged(claim, others, reading, question, most=1)
        verdict: Verdict = "partial" if found.verdict == "supported" else found.verdict
        return Judgement(verdict, {"cited": False, **found.checks}, found.evidence)

    def _judged(self, said: str, hits: Sequence[Hit], reading: Reading, question: str, most: int) -> Judgement:
        claim = f"{question} {said}".strip()
        parts = clauses(claim)
        whole, *clause_vectors = reading.vectors([claim, *parts] if len(parts) > 1 else [claim])
        part = ClaimPart(claim, reading.terms(claim), whole)
        evidence = best_windows(part, hits, reading)[:most]
        if not evidence:
            return Judgement("unsupported", {"lexical": 0.0, "embedding": 0.0}, ())
        quoted = next((window for window in evidence if _is_quoted(part, window, reading)), None)
        restriction = left_out(claim, (quoted or evidence[0]).text, reading.terms)
        if quoted is not None and restriction is None:
            return Judgement("supported", {"verbatim": True}, evidence)
        if quoted is not None:
            return Judgement("partial", {"verbatim": True, "left_out": restriction}, evidence)
        checks = self._checks(part, evidence, reading, question, said)
        verdict = _verdict(checks)
        if restriction is not None and verdict == "supported":
            return Judgement("partial", {**checks, "left_out": restriction}, evidence)
        if len(parts) > 1 and "nli" not in checks:
            strengths = [
                strength(ClaimPart(part, reading.terms(part), vector), hits, reading)
                for part, vector in zip(parts, clause_vectors, strict=True)
            ]
            if min(strengths) < _WEAK and max(strengths) >= _STRONG:
                return Judgement("partial", {**checks, "clauses": [round(one, 3) for one in strengths]}, evidence)
        return Judgement(verdict, checks, evidence)

    def _checks(
        self, part: ClaimPart, evidence: Sequence[Window], reading: Reading, question: str, said: str
    ) -> dict[str, Any]:
        text = " ".join(window.text for window in evidence)
        alone = part.text if affirms(said) else said  # "Yes." says the numbers and names of its question
        lexical = overlap(part.terms, frozenset[int]().union(*(window.terms for window in evidence)))
        numbers = missing(quantities(alone), stated_quantities(text))
        strange = _strange_names(alone, evidence, text, lexical)
        swapped, turned = ((), None) if question else _roles(part, evidence, reading)
        denied = (
            is_denied(question, said, evidence[0].text, reading.terms) if question else _denied(part, evidence, reading)
        )
        checks: dict[str, Any] = {
            "lexical": round(lexical, 3),
            "embedding": round(max(float(window.vector @ part.vector) for window in evidence), 3),
            "numbers": not numbers,
            "names": not strange,
            "negation": not denied,
            "roles": not swapped and turned is None,
        }
        if numbers or strange:
            checks["missing"] = [*numbers, *strange]
        if swapped:
            checks["swapped"] = [{"said": one.claimed, "told": one.stated} for one in swapped]
        if turned is not None:
            checks["exchanged"] = list(turned)
        if self._entails is not None:
            (found,) = self._entails([(text, part.text)])
            checks["nli"] = {"entails": round(found.entails, 3), "contradicts": round(found.contradicts, 3)}
        return checks


def _is_quoted(part: ClaimPart, window: Window, reading: Reading) -> bool:
    """Return whether a claim stands in a passage word by word, and not as a part of what the passage denies.

    "No." or "It is." stands in many a passage, and says nothing of it.
    """
    if not part.terms or _bare(part.text) not in _bare(window.text):
        return False
    return not contradict(part.text, window.text, reading.terms)


def _roles(
    part: ClaimPart, evidence: Sequence[Window], reading: Reading
) -> tuple[tuple[Swap, ...], tuple[str, str] | None]:
    """Return what stands in another's place in a claim, and two of its words that have each other's part."""
    restated = _sentences(evidence, reading)
    swapped = swaps(part.text, restated, " ".join(window.hit.content for window in evidence))
    return swapped, _exchanged(part, restated, reading) or other_subject(part.text, restated, reading.terms)


def _denied(part: ClaimPart, evidence: Sequence[Window], reading: Reading) -> bool:
    told = evidence[0].text
    if is_excepted(part.text, told, reading.terms):
        return not negates(part.text)
    return contradict(part.text, told, reading.terms) or is_reserved(part.text, told, reading.terms)


def _sentences(evidence: Sequence[Window], reading: Reading) -> list[str]:
    """Return the single sentences of the chunks that a claim is held against."""
    hits = {window.hit.chunk_id: window.hit for window in evidence}.values()
    return [window.text for hit in hits for window in reading.windows(hit) if window.sentences == 1]


def _exchanged(part: ClaimPart, sentences: Sequence[str], reading: Reading) -> tuple[str, str] | None:
    """Return two words of a claim that have each other's part, unless some sentence says it as the claim does."""
    found = None
    for text in sentences:
        if len(reading.terms(text) & part.terms) >= _RESTATED * len(part.terms):
            turned = exchanged(part.text, text, reading.terms)
            if turned is None:
                return None
            found = turned
    return found


def clauses(claim: str) -> list[str]:
    """Return the parts of a claim that could each be a claim of their own; the claim alone where it cannot be
    parted.
    """
    parts = [part.strip() for part in _BETWEEN_CLAUSES.split(claim)]
    return parts if all(len(part.split()) >= _LEAST_WORDS for part in parts) else [claim]


def _strange_names(claim: str, evidence: Sequence[Window], text: str, lexical: float) -> tuple[str, ...]:
    """Return the names of a claim that its sources do not know, or that take another's place in nearly the same
    words.
    """
    titles = " ".join(" ".join((window.hit.title, *window.hit.headings)) for window in evidence)
    strange = _unknown(claim, " ".join([titles, *(window.hit.content for window in evidence)]))
    if strange or lexical < _NEARLY_THE_SAME:
        return strange
    elsewhere = _unknown(claim, f"{titles} {text}")
    replaced = capitalised(evidence[0].text) - capitalised(claim) - {word.lower() for word in claim.split()}
    return elsewhere if replaced else ()


def _unknown(claim: str, text: str) -> tuple[str, ...]:
    """Return the names of a claim that do not occur in a text, as they are, in the plural or as initials."""
    missing_names = unknown(names(claim), text)
    return tuple(name for name in missing_names if not is_spelt_otherwise(name, claim, text))


def _verdict(checks: Mapping[str, Any]) -> Verdict:
    level = (checks["lexical"] + max(checks["embedding"], 0.0)) / 2
    nli = checks.get("nli")
    if level < _WEAK and not (nli and nli["entails"] >= _HALF):
        return "unsupported"
    if not all(checks[name] for name in _DECISIVE) or (nli and nli["contradicts"] >= _HALF):
        return "unsupported"
    if nli:
        return "supported" if nli["entails"] >= _HALF else "partial"
    return "supported" if level >= _STRONG else "partial"


def _bare(text: str) -> str:
    """Return the words and whole numbers of a text, between blanks: "5" is neither in "50" nor in "0.5" nor in "-5"."""
    return f" {' '.join(_TOKEN.findall(text.lower()))} "
