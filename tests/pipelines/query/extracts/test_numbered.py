from time import process_time

import pytest

from pipelines.query.extracts.figures import pins_of
from pipelines.query.extracts.numbered import kinds_in, lacks_kind

QUESTION = "What mediates type 2 reactions?"


@pytest.mark.parametrize(
    "text",
    [
        "A type 2 reaction is slow.",
        "Type II reactions are slow.",
        "the second type",
        "types I and II",
        "Types 1-3",
        "types one to four",
        "2nd-type",
        "Type: 2; Speed: slow",
    ],
)
def test_a_kind_is_found_however_its_number_is_written(text: str) -> None:
    assert pins_of(QUESTION).are_in(text)
    assert not lacks_kind(QUESTION, text)


@pytest.mark.parametrize(
    "text", ["Type I reactions are quick.", "types 1 and 3", "Type 2.5", "level 2", "a type, 2 of"]
)
def test_a_kind_is_not_found_in_others(text: str) -> None:
    assert not pins_of(QUESTION).are_in(text)


def test_only_a_text_on_another_of_the_kinds_lacks_one() -> None:
    assert lacks_kind(QUESTION, "Type I reactions are quick.")
    assert not lacks_kind(QUESTION, "Reactions are quick.")
    assert not lacks_kind("What mediates reactions?", "Type I reactions are quick.")


def test_letters_and_plurals_name_kinds() -> None:
    assert kinds_in("Categories A, B or C, and the class B") == {
        ("category", "A"),
        ("category", "B"),
        ("category", "C"),
        ("class", "B"),
    }


@pytest.mark.parametrize(
    "text", ["Which type I should choose", "Which class a boat is in", "level 10,000", "the types"]
)
def test_what_is_no_number_names_no_kind(text: str) -> None:
    assert not kinds_in(text)


def test_kinds_are_found_in_linear_time() -> None:
    started = process_time()
    kinds_in("types 1 and " * 20_000)
    kinds_in("level " * 40_000)
    assert process_time() - started < 5
