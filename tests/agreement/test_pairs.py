"""The labelled pairs are whole, and the verifier is held to what it reaches on them."""

from __future__ import annotations

from collections import Counter

from tests.agreement.judging import Judge
from tests.agreement.pairs import agreements, pairs, verdict_of

MADE = {
    "swapped roles": ("unsupported", 60),
    "other number": ("unsupported", 40),
    "negation": ("unsupported", 40),
    "paraphrase": ("supported", 60),
    "reordered": ("supported", 40),
    "addition": ("partial", 60),
}
CONNECTIVES = {"and", "while", "it"}


def test_each_making_and_domain_has_300_pairs() -> None:
    known = pairs()
    assert {made: (label, count) for (made, label), count in Counter((p.made, p.label) for p in known).items()} == MADE
    assert Counter(pair.domain for pair in known) == dict.fromkeys(
        ("pets", "medicine", "robotics", "office", "software"), 60
    )
    assert len({pair.id for pair in known}) == len({pair.claim for pair in known}) == 300


def test_a_swap_uses_only_words_of_its_passage() -> None:
    swaps = [pair for pair in pairs() if pair.made == "swapped roles"]
    strange = {pair.id: set(_words(pair.claim)) - set(_words(pair.passage)) - CONNECTIVES for pair in swaps}
    assert not any(strange.values()), strange


def test_precision_and_recall_are_counted_by_label() -> None:
    labels = ["supported", "supported", "partial", "unsupported"]
    verdicts = ["supported", "partial", "partial", "unsupported"]
    found = {one.label: (one.precision, one.recall) for one in agreements(labels, verdicts)}
    assert found == {"supported": (1.0, 0.5), "partial": (0.5, 1.0), "unsupported": (1.0, 1.0)}


def test_changed_numbers_denials_and_exchanged_roles_are_not_called_supported() -> None:
    judge = Judge()
    for made in ("other number", "negation", "swapped roles"):
        verdicts = [verdict_of(pair, judge) for pair in pairs() if pair.made == made]
        assert verdicts.count("supported") / len(verdicts) <= 0.25, made


def _words(text: str) -> list[str]:
    return "".join(character if character.isalnum() else " " for character in text.lower()).split()
