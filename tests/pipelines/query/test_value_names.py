"""What people and models call things, and what the documents call them."""

from __future__ import annotations

import pytest

from pipelines.query.value_names import match_value

KNOWN = (
    "beagle",
    "bulldog",
    "french_bulldog",
    "german_shepherd",
    "golden_retriever",
    "labrador_retriever",
    "miniature_schnauzer",
    "border_collie",
    "siberian",
    "siberian_husky",
    "löwchen",
)
BESIDE = ("dog", "cat")


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("golden_retriever", "golden_retriever"),
        ("Golden Retriever", "golden_retriever"),
        (" GOLDEN-retriever! ", "golden_retriever"),
        ("German Shepherd Dog", "german_shepherd"),
        ("Labrador Retriever (yellow)", "labrador_retriever"),
        ("Labrador", "labrador_retriever"),
        ("Labrador dog", "labrador_retriever"),
        ("Siberian", "siberian"),
        ("Siberian cat", "siberian"),
        ("Bulldog", "bulldog"),
        ("Beagles", "beagle"),
        ("golden retreiver", "golden_retriever"),
        ("Lowchen", "löwchen"),
        ("Lo\u0308wchen", "löwchen"),
    ],
)
def test_a_name_is_known_however_it_is_written(said: str, value: str) -> None:
    assert match_value(said, KNOWN, BESIDE) == value


@pytest.mark.parametrize(
    "said",
    [
        "",
        "?",
        "dog",
        "retriever",
        "collie",
        "American Bulldog",
        "poodle",
        "unknown",
        "golden_retriever OR beagle",
        "be",
    ],
)
def test_ambiguous_words_name_nothing(said: str) -> None:
    assert match_value(said, KNOWN, BESIDE) is None


def test_first_words_that_several_begin_with_name_none_of_them() -> None:
    assert match_value("golden", ("golden_retriever", "golden_doodle")) is None
