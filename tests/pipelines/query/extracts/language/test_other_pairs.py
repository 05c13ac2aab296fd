"""Comparisons of other things than those that are asked about."""

import pytest

from pipelines.profile.calibration import shipped_calibration
from pipelines.query.confidence.confidence import Confidence
from pipelines.query.extracts.extract import Extraction
from pipelines.query.extracts.language.other_pairs import compares_others
from pipelines.query.extracts.mismatch import is_off_subject, tells_one_side
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import extract

QUESTION = "What is the difference between a lug sail and a gaff sail?"


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        (QUESTION, "The difference between lug sails and square sails is where they are tied."),
        ("How does a lug sail differ from a gaff sail?", "The difference between two lug sails is their age."),
        ("What are the differences between harbours and piers in winter?", "The difference between harbours is small."),
    ],
)
def test_a_comparison_of_another_pair_is_seen(question: str, shown: str) -> None:
    assert compares_others(question, shown)
    assert is_off_subject(question, extract(shown))


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        (QUESTION, "The difference between a lug and a gaff is the spar."),
        (QUESTION, "The difference between  these two is the spar."),
        (QUESTION, "A lug sail hangs from a yard."),
        ("What is the difference between ebb and flood?", "The difference between the tides is their direction."),
        (QUESTION, "The difference between two lugs is age. The difference between gaffs and lugs is the spar."),
        (
            "How is a soft landing different from a normal one?",
            'The difference between a "soft" and a hard one is speed.',
        ),
        ("Which sails are there?", "The difference between two lug sails is their age."),
    ],
)
def test_the_pair_that_is_asked_about_is_not(question: str, shown: str) -> None:
    assert not compares_others(question, shown)


def test_it_loses_against_prose_on_the_pair() -> None:
    def sails(draft: Draft) -> None:
        draft.add("The difference between a lug sail and a square sail is where it is tied.")
        draft.add("A lug sail hangs from a yard, a gaff sail from a gaff.")

    found = choose(QUESTION, sails, favouring(), most=1)
    assert found.extracts[0].shown == "A lug sail hangs from a yard, a gaff sail from a gaff."


def told(*shown: str) -> bool:
    return tells_one_side(QUESTION, [extract(one) for one in shown])


def test_a_comparison_tells_of_both() -> None:
    assert told("A lug sail hangs from a yard.", "It is brown.")
    assert not told("A lug sail hangs from a yard.", "A gaff sail hangs from a gaff.")
    assert not told("The one hangs from a yard.")  # both may have other names
    assert not tells_one_side("What is a lug sail?", [extract("A lug sail hangs from a yard.")])


def test_a_comparison_that_tells_of_one_is_less_sure() -> None:
    estimate = Confidence(shipped_calibration()).of_evidence
    one, both = ("A lug sail hangs from a yard.",), ("A lug sail hangs from a yard.", "A gaff sail hangs from a gaff.")
    found = [Extraction(tuple(extract(text) for text in some), {"similarity": 5.0}) for some in (one, both)]
    assert [estimate(QUESTION, [extract("").hit], each).signals["mismatch"] for each in found] == [1.0, 0.0]
