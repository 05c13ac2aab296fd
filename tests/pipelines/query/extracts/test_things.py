"""The nouns that a question is about."""

from time import process_time

import pytest

from pipelines.query.extracts.things import claimed


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Can hamsters eat carrots?", "carrots"),
        ("Is there wifi in the boathouse?", "wifi"),
        ("is there a steam oven in the old galley", "oven"),
        ("Do we need to bring bed linen to the boathouse?", "linen"),
        ("Can I hire an e-bike from the yard?", "e-bike"),
        ("Can I pay by cheque?", "cheque"),
        ("Can the dog sleep in the cabin?", "cabin"),
        ("Can I put batteries in the green crate?", "crate"),
        ("Can I go swimming in the lake?", "lake"),
        ("Do I need to swim to the shore?", "shore"),
        ("May I keep a cat in the cabin?", ""),
        ("Is smoking allowed?", ""),
        ("Where is the oven in the galley?", ""),
    ],
)
def test_the_noun_to_be_confirmed_stands_before_a_place(question: str, noun: str) -> None:
    assert claimed(question) == noun


def test_a_place_is_found_in_linear_time() -> None:
    started = process_time()
    for part in ("wifi ", "in the ", "a to ", "wifi in the "):
        claimed("Is there " + part * 20_000)
    assert process_time() - started < 5
