import pytest

from pipelines.query.verdicts.names import is_spelt_otherwise, names, unknown


def test_names_are_capitalised_words_within_a_sentence_and_acronyms() -> None:
    text = "Dogs from New York met Rollo's men. They like NASA. Marie Curie won."
    assert names(text) == ("New", "York", "Rollo", "NASA", "Marie", "Curie")


def test_a_name_is_known_in_any_case_and_as_a_part() -> None:
    assert unknown(("Paris", "Anglo-Norman", "Beagle"), "the anglo norman duke kept a beagle in PARIS") == ()
    assert unknown(("London",), "the duke of Paris") == ("London",)


def test_a_word_that_asks_or_joins_is_no_part_of_the_name_behind_it() -> None:
    assert names("Does Rouen lie on the Seine?") == ("Rouen", "Seine")
    assert names("After Rollo died, his son ruled.") == ("Rollo",)


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
