from time import process_time

import pytest

from pipelines.query.verdicts.names import initialled, is_spelt_otherwise, names, unknown


def test_names_are_capitalised_words_within_a_sentence_and_acronyms() -> None:
    text = "Dogs from New York met Rollo's men. They like NASA. Marie Curie won."
    assert names(text) == ("New", "York", "Rollo", "NASA", "Marie", "Curie")


def test_a_name_is_known_in_any_case_and_as_a_part() -> None:
    assert unknown(("Paris", "Anglo-Norman", "Beagle"), "the anglo norman duke kept a beagle in PARIS") == ()
    assert unknown(("London",), "the duke of Paris") == ("London",)


def test_a_word_that_asks_or_joins_is_no_part_of_the_name_behind_it() -> None:
    assert names("Does Rouen lie on the Seine?") == ("Rouen", "Seine")
    assert names("After Rollo died, his son ruled.") == ("Rollo",)
    assert names("What's Ida Lund's cabin?") == ("Ida", "Lund")


@pytest.mark.parametrize(
    ("name", "claim", "text"),
    [
        ("Beagle", "The Beagle's coat is short.", "Beagles have a short coat."),
        ("Sundays", "It is closed on Sundays.", "Closed every Sunday."),
        ("GDPR", "The GDPR applies.", "The General Data Protection Regulation applies."),
        ("FDA", "The FDA approved it.", "It was approved by the Food and Drug Administration."),
        ("Protection", "The General Data Protection Regulation applies.", "The GDPR applies."),
        ("States", "The United States signed it.", "It was signed by the US."),
    ],
)
def test_a_name_may_be_in_the_plural_or_be_initials(name: str, claim: str, text: str) -> None:
    assert is_spelt_otherwise(name, claim, text)


@pytest.mark.parametrize(
    ("name", "claim", "text"),
    [
        ("FDA", "The FDA approved it.", "The European Medicines Agency approved it."),
        ("Smith", "John Smith signed it.", "The US signed it."),
        ("Smith", "The United States of Smith signed it.", "The US signed it."),
    ],
)
def test_other_initials_are_another_name(name: str, claim: str, text: str) -> None:
    assert not is_spelt_otherwise(name, claim, text)


@pytest.mark.parametrize(
    "text", ["S. Lind sails.", "s.lind", "by S. J. Lind,", "S.-J. Lind's boat", "Lind, S.; Berg, O."]
)
def test_a_first_name_may_be_an_initial_before_its_last_name(text: str) -> None:
    assert initialled("When does Signe Lind's boat sail?", text) == {"Signe"}
    assert initialled("When does Signe Jo Lind sail?", text) >= {"Signe"}


@pytest.mark.parametrize(
    "text", ["O. Lind sails.", "S. Berg sails.", "Sigrid Lind sails.", "Boats. Lind sails.", "S Lind"]
)
def test_another_initial_or_last_name_is_another_person(text: str) -> None:
    assert not initialled("When does Signe Lind sail?", text)


def test_initials_are_found_in_linear_time() -> None:
    started = process_time()
    for text in ("A." * 20_000, "a-" * 20_000, "A. " * 20_000 + "b" * 20_000, "a'" * 20_000 + ", "):
        initialled("When does Signe Lind sail?", text)
    initialled("A B " * 5_000, "S. Lind")
    assert process_time() - started < 5
