from time import process_time

import pytest

from pipelines.query.extracts.language.figures import pins_of
from pipelines.query.extracts.language.numbered import kinds_in, lacks_kind

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


@pytest.mark.parametrize(
    "text", ["Ferry 1 lies at the pier.", "Boat: Ferry 2; Pier: 4", "Ferries 4-6", "ferries 1 and 2"]
)
def test_a_text_on_another_one_of_some_numbered_things_lacks_it(text: str) -> None:
    assert lacks_kind("Where does ferry 3 lie?", text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where does ferry 3 lie?", "Ferry 3 lies behind ferry 1."),
        ("Where does ferry 3 lie?", "Ferries 1-4 lie at the pier."),
        ("Where does ferry 3 lie?", "The ferry lies at pier 2."),
        ("Where does ferry 3 lie?", "Ferry 2.5"),
        ("Who may sail after more than 5 seasons?", "Sailing is allowed after more than 2 seasons."),
        ("Can I carry 3 boats?", "You may carry 2 boats and a raft."),
        ("What does chapter 3 of the guide tell?", "It tells of knots, see chapter 2."),
        ("What is open on May 3?", "Since May 1 the pier is."),
        ("Which depth is marked at buoy 3.5?", "Buoy 4 marks 7 m."),
    ],
)
def test_the_same_one_and_plain_amounts_are_not_lacking(question: str, text: str) -> None:
    assert not lacks_kind(question, text)


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
    lacks_kind("Where is ferry 3 " + "a" * 4_000 + " " * 4_000, "ferry 1 " * 5_000)
    lacks_kind("ferry 3 " * 500, "ferry 1 " * 5_000)
    assert process_time() - started < 5


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does a third mooring permit cost?", "The first permit costs 110 crowns, the second permit 190."),
        ("Who printed the 4th edition?", "Ida Fjeld printed the second edition."),
        ("When is the Deck 8 crews' supper?", "The Deck 10 crews' supper is on 3 May."),
    ],
)
def test_the_other_of_things_in_a_row_is_another_one(question: str, text: str) -> None:
    assert lacks_kind(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does a third mooring permit cost?", "The second permit costs 190 crowns, the 3rd permit 250."),
        ("What does a third mooring permit cost?", "Each mooring permit costs 110 crowns."),
        ("What is paid in the third year?", "From the second year on, 90 crowns are paid."),
        ("How much is a third of the fee?", "The first fee is 90 crowns."),
        ("What is closed on the 4th of May?", "On the 3rd of May the locks are closed."),
        ("Carry 3 boats to the quay?", "He can carry 2 boats."),
        ("When is the Deck 8 crews' supper?", "The supper of Decks 7, 8 and 9 is on 3 May."),
    ],
)
def test_no_other_of_things_in_a_row_is_named(question: str, text: str) -> None:
    assert not lacks_kind(question, text)
