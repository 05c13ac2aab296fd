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


@pytest.mark.parametrize(
    ("said", "known", "value"),
    [
        ("customer 1001", ("customer 1002",), None),
        ("invoices 2023", ("invoices 2024", "receipts 2023"), None),
        ("invoice 2023", ("invoices 2022", "invoices 2023", "invoices 2024"), "invoices 2023"),
        ("customers 1001a", ("customer 1001b",), None),
        ("viral hepatitis A", ("viral hepatitis B",), None),
        ("type I diabetes", ("type II diabetes",), None),
        ("type II diabetis", ("type I diabetes", "type II diabetes"), "type II diabetes"),
        ("windows 10", ("windows10",), "windows10"),
        ("customer", ("customer 1002",), "customer 1002"),
    ],
)
def test_a_name_with_another_number_is_another_name(said: str, known: tuple[str, ...], value: str | None) -> None:
    assert match_value(said, known) == value


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("C", "C"),
        ("C++", "C++"),
        ("c++", "C++"),
        (" C# ", "C#"),
        ("c", "C"),
        ("C--", None),
        ("(C)", None),
        ("F\u266f", "F#"),
    ],
)
def test_values_that_differ_in_signs_alone_are_told_apart(said: str, value: str | None) -> None:
    assert match_value(said, ("C", "C++", "C#", "F#")) == value


def test_values_of_the_same_words_are_not_chosen_between() -> None:
    assert match_value("red wines", ("red_wine", "Red Wine")) is None
    assert match_value("Red wine", ("red_wine", "Red-Wine")) is None
    assert match_value("red_wine", ("Red_Wine", "Red Wine")) == "Red_Wine"
    assert match_value("red wine", ("red_wine", "red_wine")) == "red_wine"


def test_a_name_in_the_genitive_is_known() -> None:
    assert match_value("the German Shepherd\u2019s", KNOWN, ("the",)) == "german_shepherd"
    assert match_value("Levi's", ("Levi's", "Levi")) == "Levi's"
    assert match_value("levi's", ("Levi's jeans",)) == "Levi's jeans"


def test_a_name_of_signs_is_none_but_itself() -> None:
    assert match_value("?", ("+", "beagle")) is None
    assert match_value("+", ("+", "beagle")) == "+"
