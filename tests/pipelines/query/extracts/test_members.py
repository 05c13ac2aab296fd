"""Answers to the question who is in a team."""

import pytest

from pipelines.query.extracts.persons import asks_members, lists_persons
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who is on the harbour board?", True),
        ("Who is in the crew of the ferry?", True),
        ("Who are the members of the board?", True),
        ("Who sits on the board?", True),
        ("Who is part of the crew?", True),
        ("Who is in charge of the harbour?", False),
        ("Who is on duty tonight?", False),
        ("Who is the harbour master?", False),
        ("Which boats are in the harbour?", False),
    ],
)
def test_it_is_asked_who_is_in_a_team(question: str, asks: bool) -> None:
    assert asks_members(question) is asks


def test_a_list_of_persons_names_one_in_each_item() -> None:
    assert lists_persons("The board:\n- Anna Aune, chair\n- Per van Berg\n- Dr Carla Dahl (treasurer)")
    assert not lists_persons("The board:\n- Anna Aune, chair\n- two guests")
    assert not lists_persons("Anna Aune and Per Berg are on the board.")
    assert not lists_persons("- Anna Aune")


def test_who_is_in_a_team_is_told_by_the_list_of_its_members() -> None:
    def board(draft: Draft) -> None:
        draft.add_heading(1, "The harbour board")
        draft.add("The Harbour board of Ebb is on the pier, and members of the harbour board keep its secrets.")
        draft.add_heading(2, "Members")
        draft.add("- Anna Aune, chair", "item", level=1)
        draft.add("- Per Berg", "item", level=1)
        draft.add("- Carla Dahl", "item", level=1)

    found = choose("Who is on the harbour board?", board, favouring_a_little("secrets"), most=1)
    assert found.extracts[0].shown == "- Anna Aune, chair\n- Per Berg\n- Carla Dahl"
