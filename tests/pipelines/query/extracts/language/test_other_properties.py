"""Properties of one name that another word tells apart."""

from time import process_time

import numpy as np
import pytest

from pipelines.query.extracts.language.other_properties import tells_other_property
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose
from tests.pipelines.query.extracts.drafts import extract


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the melting point of the tar?", "Boiling point: 340 °C"),
        ("What is the gross weight of the anchor?", "Anchor: Bruce; Net weight: 20 kg; Price: 90"),
        ("How high is the monthly fee?", "The annual fee is 900."),
        ("What is the maximum draught?", "Minimum draught: 2 m"),
        ("What is the serial number of the winch?", "Order no.: 26-11"),
        ("What is the delivery address of the yard?", "Billing address: Pier 2"),
    ],
)
def test_the_same_property_with_another_word_before_it_is_another_one(question: str, text: str) -> None:
    assert tells_other_property(question, text)
    assert is_off_subject(question, extract(text))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the melting point of the tar?", "Melting point: 40 °C; Boiling point: 340 °C"),
        ("What is the melting point of the tar?", "It melts at 40 °C."),
        ("What is the maximum speed of the ferry?", "Top speed: 20 knots"),
        ("What is the delivery address?", "Address for delivery: Pier 2; Billing address: Pier 4"),
        ("What is the annual fee?", "Yearly fee: 900"),
        ("What is the gross weight?", "Weight: 20 kg; Net weight: 18 kg"),
        ("What is the gross weight?", "Weight: 20 kg"),
        ("What are the net weight and the gross weight?", "Net weight: 18 kg"),
        ("What is the difference between net weight and gross weight?", "Net weight is without the chain."),
        ("What is the serial number?", "Serial no.: 26-11"),
        ("What is the weight of the new anchor?", "Weight of the old anchor: 20 kg"),
    ],
)
def test_the_same_or_a_plain_one_is_not(question: str, text: str) -> None:
    assert not tells_other_property(question, text)


def test_what_tells_it_apart_may_stand_above_it() -> None:
    assert not tells_other_property("What is the melting point?", "Boiling point: 340 °C", "Melting")


def test_another_property_comes_behind_the_one_that_is_asked_for() -> None:
    def anchor(draft: Draft) -> None:
        draft.add("Net weight: 20 kg")
        draft.add_heading(1, "In its box")
        draft.add("Its gross weight is 24 kg.")

    reader = Reader(lambda question, texts: np.array([1.8 * ("Net" in text) for text in texts]))
    found = choose("What is the gross weight?", anchor, reader, most=1)
    assert found.extracts[0].shown == "Its gross weight is 24 kg."


def test_other_properties_are_told_in_linear_time() -> None:
    started = process_time()
    for text in ("net weight " * 20_000, "a-" * 20_000, "net-" * 20_000, "a" * 20_000):
        tells_other_property("What is the gross weight?", text)
    tells_other_property("gross weight " * 300, "net weight " * 300)
    assert process_time() - started < 5


def test_the_property_that_is_asked_for_goes_before_another_figure() -> None:
    def report(draft: Draft) -> None:
        draft.add_heading(1, "Storm of the Ebb")
        draft.add("Lead: Ada Quay Duration: 2 h 10 min Boats: 31")
        draft.add_heading(2, "Actions")
        draft.add("How long the ropes last in a storm of the Ebb is tried for 14 days.")

    found = choose(
        "How long did the storm of the Ebb last?", report, Reader(lambda _, texts: np.zeros(len(texts))), most=1
    )
    assert "2 h 10 min" in found.extracts[0].shown
