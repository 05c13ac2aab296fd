"""Whether a claim gives what one thing does to another thing of the same passage.

"The nurse signs it and the pharmacist checks it" shares every word with a passage in which each does what the other
does here. There is no parser: texts are parted into clauses, and the first words of a clause are taken for its subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipelines.query.terms import Terms

Clause = Sequence[tuple[str, frozenset[int]]]
"""The words of a clause that have terms, as they are written, each with its terms."""

_MOST_CLAUSES = 200  # of all sentences: a longer table says nothing about who does what
_LEAST_WORDS = 2  # of a clause
_SUBJECT_WORDS = 2  # "the left ventricle"
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*")
_BETWEEN_CLAUSES = re.compile(
    r"[,;:()]|\b(?:and|but|while|whereas|so|before|after|because|than|which|that|when|until)\b", re.IGNORECASE
)
_COMPARED = re.compile(r"(?P<before>.*?\b(?P<how>more|less|fewer|\w{2,}er)\b.*?)\bthan\b(?P<after>.*)", re.IGNORECASE)


def other_subject(claim: str, sentences: Sequence[str], terms: Terms) -> tuple[str, str] | None:
    """Return what a claim says does something, and what does it in ``sentences``, where the claim exchanges the two."""
    return _exchanged_subjects(claim, sentences, terms) or _exchanged_sides(claim, sentences, terms)


def _exchanged_subjects(claim: str, sentences: Sequence[str], terms: Terms) -> tuple[str, str] | None:
    claimed = list(_clauses(claim, terms))
    stated = [clause for sentence in sentences for clause in _clauses(sentence, terms)][:_MOST_CLAUSES]
    if len(claimed) < 2 or not stated:
        return None
    subjects = frozenset[int]().union(*map(_subject, stated))
    for place, clause in enumerate(claimed):
        elsewhere = frozenset[int]().union(*(_all(one) for one in (*claimed[:place], *claimed[place + 1 :])))
        nearest = max(stated, key=lambda one: (len(_all(clause) & _all(one)), -len(one)))
        if len(_all(clause) & _all(nearest)) * 2 < len(_all(clause)):
            continue
        mine, theirs = _subject(clause) - _all(nearest), _subject(nearest) - _all(clause)
        both_begin = clause[0][1] <= mine and nearest[0][1] <= theirs
        if both_begin and mine <= subjects and theirs <= elsewhere:
            return _written(clause, mine), _written(nearest, theirs)
    return None


def _exchanged_sides(claim: str, sentences: Sequence[str], terms: Terms) -> tuple[str, str] | None:
    """Return the two sides of a comparison ("more than") that a sentence has the other way round."""
    claimed, found = _COMPARED.fullmatch(" ".join(claim.split())), None
    if claimed is None:
        return None
    for sentence in sentences:
        stated = _COMPARED.fullmatch(" ".join(sentence.split()))
        if stated is None or stated["how"].lower() != claimed["how"].lower():
            continue
        mine, theirs = _second_side(claimed, terms), _second_side(stated, terms)
        if mine is None or theirs is None:
            continue
        if mine[1] == theirs[1]:
            return None
        if mine[1] <= terms(stated["before"]) and theirs[1] <= terms(claimed["before"]):
            found = mine[0], theirs[0]
    return found


def _second_side(compared: re.Match[str], terms: Terms) -> tuple[str, frozenset[int]] | None:
    """Return the first word behind "than" that is not before it too."""
    before = terms(compared["before"])
    words = ((word, terms(word)) for word in _WORD.findall(compared["after"]))
    return next(((word, found) for word, found in words if found and not found & before), None)


def _clauses(text: str, terms: Terms) -> Iterator[Clause]:
    for part in _BETWEEN_CLAUSES.split(text):
        words = [(word, found) for word in _WORD.findall(part) if (found := terms(word))]
        if len(words) >= _LEAST_WORDS:
            yield words


def _all(clause: Clause) -> frozenset[int]:
    return frozenset[int]().union(*(found for _, found in clause))


def _subject(clause: Clause) -> frozenset[int]:
    return _all(clause[:_SUBJECT_WORDS])


def _written(clause: Clause, wanted: frozenset[int]) -> str:
    return " ".join(word for word, found in clause if found <= wanted)
