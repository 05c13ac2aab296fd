from time import process_time

import pytest

from pipelines.query.verdicts.opposites import exclude_each_other, says_opposite


def test_an_opposite_replaces_a_word_of_the_question() -> None:
    assert says_opposite("What increases the risk?", "Exercise reduces the risk.")
    assert says_opposite("What happened before the war?", "After the war the mill closed.")


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("How many days before departure do I book the berth?", "Book it ten days ahead. Pay after arrival.", False),
        ("What do I check before diving?", "After the trip, rinse the suit.", False),
        ("What do I check before diving?", "After each dive, rinse the suit.", True),
        ("What is due after the voyage?", "Prior to the voyage, the deposit is due.", True),
        ("What happens after?", "Before the race the flag is raised.", False),
    ],
)
def test_before_and_after_are_opposed_about_one_thing(question: str, text: str, expected: bool) -> None:
    assert says_opposite(question, text) is expected


def test_things_before_and_after_are_found_in_linear_time() -> None:
    started = process_time()
    says_opposite("What is before the dive?", "after " * 20_000 + "after a" + " " * 20_000)
    says_opposite("What is before the dive?", "after a" + "a" * 20_000 + "prior" + " " * 20_000)
    assert process_time() - started < 5


def test_a_text_that_has_the_word_too_says_both() -> None:
    assert not says_opposite("What happened before the war?", "Before and after the war it was a mill.")
    assert not says_opposite("What time does supper start?", "Meal: Supper; Begins: 18:20; Ends: 19:10")
    assert says_opposite("What time does supper start?", "Meal: Supper; Ends: 19:10")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When does the shop open?", "The shop opens at 9 and closes at 5."),
        ("When does the lock close?", "Opening at dawn, closing at dusk."),
        ("When does the spring term start?", "Spring term: starts 4 January, ends 26 March."),
        ("When did the race end?", "It started at noon and ended at three."),
        ("What does the fee include?", "The fee, including mooring, excludes power."),
        ("When is the gate locked?", "The gate locks at 8 and is unlocked at 6."),
    ],
)
def test_a_text_that_has_another_form_of_the_word_says_both(question: str, text: str) -> None:
    assert not says_opposite(question, text)


def test_other_words_have_no_opposite() -> None:
    assert not says_opposite("What do cats eat?", "Cats eat mice.")


def test_a_word_with_un_before_it_is_an_opposite() -> None:
    assert says_opposite("Where is it unlikely to rain?", "It is likely to rain in the west.")
    assert says_opposite("Which cells are stable?", "Such cells are unstable.")
    assert not says_opposite("Under which law do unions act?", "Unions act under the law of 1920.")


@pytest.mark.parametrize(
    ("claimed", "stated"),
    [
        ("weekly", "daily"),
        ("week", "days"),
        ("once", "twice"),
        ("fell", "increased"),
        ("Closed", "open"),
        ("unavailable", "available"),
        ("banned", "allowed"),
        ("off", "on"),
        ("true", "false"),
        ("permitted", "prohibited"),
        ("covers", "excludes"),
        ("granted", "denied"),
        ("required", "optional"),
    ],
)
def test_words_that_exclude_each_other_do_so_both_ways(claimed: str, stated: str) -> None:
    assert exclude_each_other(claimed, stated)
    assert exclude_each_other(stated, claimed)


@pytest.mark.parametrize(
    ("claimed", "stated"), [("day", "days"), ("grew", "increased"), ("dog", "cat"), ("daily", "day"), ("only", "off")]
)
def test_words_of_one_meaning_exclude_nothing(claimed: str, stated: str) -> None:
    assert not exclude_each_other(claimed, stated)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("How do I enable the lamp?", "To turn off the lamp, pull the cord.", True),
        ("How do I turn on the lamp?", "You can switch the old lamp off at dawn.", True),
        ("How do I deactivate the lamp?", "It is activated at dusk.", True),
        ("How do I turn the lamp off?", "The lamp is enabled at dusk; pull the cord to disable it.", False),
        ("How do I activate the lamp?", "Turning it on takes a minute.", False),
        ("Where is the lamp?", "Turn off the lamp at dawn.", False),
    ],
)
def test_what_is_turned_on_is_not_turned_off(question: str, text: str, expected: bool) -> None:
    assert says_opposite(question, text) is expected
