"""Lists and prose on other things than those that are asked for."""

import numpy as np
import pytest

from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.other_lists import lacks_row, lists_others
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little
from tests.pipelines.query.extracts.drafts import extract

ITEMS = "\n- the red one\n- the green one"


@pytest.mark.parametrize(
    ("question", "lead_in", "others"),
    [
        ("Which piers are there?", "There are several lamps to be seen on each of the piers; all are lit.", True),
        ("Which piers are there?", "On the river, there are two lamps at each pier:", True),
        ("Which piers are there?", "There are several kinds of piers in the harbour:", False),
        ("Which piers are there?", "There are lamps in many harbours:", False),
        ("Is there a pier?", "There are two lamps at each pier:", False),
    ],
)
def test_a_list_is_of_what_there_is_and_not_of_where(question: str, lead_in: str, others: bool) -> None:
    assert lists_others(question, lead_in + ITEMS) == others
    assert lists_others(question, lead_in) is False


def test_prose_that_never_names_the_things_is_of_others() -> None:
    prose = (
        "In spring, Ida paints Ebb, Flow, and Tide, and mends them. She is paid by the hour, for she sings as she "
        "works, and nobody minds."
    )
    assert is_off_subject("Which boats does Ida paint?", extract(prose))
    assert not is_off_subject("Which boats does Ida paint?", extract(prose.partition(".")[0]))
    assert not is_off_subject("Which boats does Ida paint?", extract(prose, headings=("Boats",)))
    assert not is_off_subject("Which boats does Ida paint?", extract(prose.replace("mends", "is mending boats")))


def test_a_long_series_of_names_need_not_say_what_they_are() -> None:
    prose = (
        "In spring, the whole crew may be seen at work on Ebb, Flow, Tide, Old Moor and Reef, on each fine day after "
        "the bell was rung."
    )
    assert not is_off_subject("Which boats does the crew paint?", extract(prose))
    assert is_off_subject("Which boats does the crew paint?", extract(prose.replace("Ebb, Flow, Tide, ", "")))


def test_hostile_texts_end() -> None:
    for text in ("there are " + "at " * 20_000, "a, there are at " * 5_000, "there are " * 10_000):
        assert not lists_others("Which piers are there?", text)


def test_a_list_on_one_of_the_things_is_no_list_of_them() -> None:
    def permits(draft: Draft) -> None:
        draft.add_heading(1, "Harbour permits")
        draft.add("The scope of this permit includes:")
        draft.add("- boats in the outer basin", "item", level=1)
        draft.add("- boats at the quay", "item", level=1)
        draft.add("Some permits are for guests, others are for crews, and a few are for pilots.")

    found = choose("What kinds of harbour permits are there?", permits, favouring_a_little("scope"), most=1)
    assert found.extracts[0].shown.startswith("Some permits are for guests")


@pytest.mark.parametrize(
    ("question", "shown", "lacks"),
    [
        ("Is the pier open on Saturday?", "Day: Friday; Morning: 7.30-12.00; Afternoon: closed", True),
        ("Is the pier open on Saturday?", "Friday: closed", True),
        ("Is the pier open on Friday?", "Day: Friday; Morning: 7.30-12.00; Afternoon: closed", False),
        ("Is the pier open on Saturday?", "On Friday: closed, on all others open", False),
        ("Is the pier open in winter?", "Friday: closed", False),
        ("What is the deadline for the Sunday race?", "Deadline: Friday; Race: Sunday", False),
        ("If the order comes on Tuesday, when is it sent?", "Sent: Thursday; Comes: Tuesday; By: cart", False),
    ],
)
def test_a_single_row_of_another_day_is_another_row(question: str, shown: str, lacks: bool) -> None:
    assert lacks_row(question, shown, "") is lacks


def test_the_names_of_a_tables_rows_come_behind_a_list_of_what_is_asked() -> None:
    """A section on mooring modes has a table of piers too, with a sentence above that is closer to the question."""

    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Mooring modes")
        draft.add("The mooring modes of a boat are:")
        for mode in ("bow first", "stern first", "alongside"):
            draft.add(f"- {mode}", "item", level=1)
        draft.add("Note that a boat takes one of the mooring modes at a time, as below.")
        header = ("Pier of the harbour", "Bow first", "Stern first", "Alongside")
        draft.add_table([header, *([f"Pier {letter}", "yes", "no", "yes"] for letter in "ABCDEFGHIJKLMNOPQRST")])

    reader = Reader(lambda question, texts: np.array([2.5 * ("at a time" in text) for text in texts]))
    found = choose("Which mooring modes does a boat have?", fill, reader, most=1)
    assert found.extracts[0].shown.startswith("The mooring modes of a boat are:")
