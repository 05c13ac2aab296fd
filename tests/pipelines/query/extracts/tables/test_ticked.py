"""Rows of tables that have, or lack, what a column of yes and no is about."""

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

FLEET = [
    ["Boat", "Anchor", "Night sailing", "Oars", "Berths"],
    ["Heron [1]", "yes", "no", "\u2713", "4"],
    ["Teal", "no", "no", "", "12"],
    ["Swan", "yes", "in summer only", "\u2713", "6"],
    ["Tern", "no", "yes", "", "2"],
]


def fleet(draft: Draft) -> None:
    draft.add_table(FLEET)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which boats have an anchor?", ["- Boat: Heron (1); Anchor: yes", "- Boat: Swan; Anchor: yes"]),
        ("Which boats do not have an anchor?", ["- Boat: Teal; Anchor: no", "- Boat: Tern; Anchor: no"]),
        (
            "What boats can be used for night sailing?",
            ["- Boat: Swan; Night sailing: in summer only", "- Boat: Tern; Night sailing: yes"],
        ),
        (
            "Which boats carry oars?",
            ["- Boat: Heron (1); Oars: \u2713", "- Boat: Swan; Oars: \u2713"],
        ),
        ("Which boats lack oars?", ["- Boat: Teal; Oars: none", "- Boat: Tern; Oars: none"]),
    ],
)
def test_the_rows_that_have_or_lack_it_are_shown(question: str, shown: list[str]) -> None:
    found = choose(question, fleet, favouring("Teal"), most=1)
    assert found.extracts[0].shown.splitlines() == shown
    assert found.extracts[0].quote in "\n".join(" | ".join(row).rstrip(" |") for row in FLEET)


@pytest.mark.parametrize(
    "question",
    [
        "Which boats have a mast?",  # no column of it
        "Which boats have berths?",  # no yes or no
        "Which boats have an anchor and night sailing?",  # two columns
        "Does the Teal have an anchor?",
        "Which anchor does Teal have?",  # a row
        "Which parts are there of an anchor?",  # no rows
    ],
)
def test_rows_are_not_picked_where_no_single_column_of_yes_and_no_is_asked_about(question: str) -> None:
    found = choose(question, fleet, favouring("Teal"), most=1)
    assert found.extracts[0].shown.count("\n") != 1


def test_an_empty_box_is_a_no() -> None:
    def draw(draft: Draft) -> None:
        draft.add_table([["Task", "Done"], ["Scrape the hull", "\u2611"], ["Paint it", "\u2610"], ["Rig it", "\u2611"]])

    found = choose("Which tasks are not done?", draw, favouring("Paint"), most=1)
    assert found.extracts[0].shown == "- Task: Paint it; Done: \u2610"


def test_what_all_have_is_no_choice_of_rows() -> None:
    found = choose(
        "Which boats have an anchor?",
        lambda draft: draft.add_table([FLEET[0][:2], ["Heron", "yes"], ["Swan", "yes"]]),
        favouring("Heron"),
        most=1,
    )
    assert "Heron" in found.extracts[0].shown
    assert "Swan" in found.extracts[0].shown


def calls(draft: Draft) -> None:
    for call, names in (("lamp_set", ("oil", "wick", "hue")), ("tide_range", ("tide", "pier", "hour"))):
        draft.add_heading(2, f"GET /{call}")
        draft.add_table([["Name", "Required"], [names[0], "yes"], [names[1], "yes"], [names[2], "no"]])


@pytest.mark.parametrize(("call", "first"), [("lamp_set", "oil"), ("tide_range", "tide")])
def test_of_tables_that_fit_the_one_below_the_identifier_of_the_question_is_meant(call: str, first: str) -> None:
    text = stored(calls)
    chooser = Chooser(favouring("Required: yes"), TERMS)
    found = chooser.choose(f"Which parameters of /{call} are required?", [hit(text)], [text], 2)
    assert [one.shown.splitlines()[0] for one in found.extracts] == [f"- Name: {first}; Required: yes"]
    assert "no" not in found.extracts[0].shown.split()
