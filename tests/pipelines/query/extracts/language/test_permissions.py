"""Who may do something."""

from time import process_time

import pytest

from pipelines.query.extracts.language.permissions import allows, asks_who_may
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little


def gate(draft: Draft) -> None:
    draft.add_heading(1, "Sea gate")
    draft.add("The sea gate is closed at high tide and opened by hand:")
    draft.add("gatectl open --reason ebb", "code", level=1)
    draft.add("Only members with the role warden may do that.")
    draft.add("Tom opened the gate last.")


def test_who_may_is_told_by_what_allows_it_with_the_command_before_it() -> None:
    found = choose("Who may open the sea gate?", gate, favouring_a_little("opened"), most=1).extracts[0]
    assert found.shown.startswith("The sea gate is closed at high tide and opened by hand:\ngatectl open")
    assert found.shown.endswith("Only members with the role warden may do that.")


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who can open the gate?", True),
        ("Who is allowed to open the gate?", True),
        ("Who can I call?", False),
        ("Who opened the gate?", False),
    ],
)
def test_a_question_asks_who_may(question: str, asks: bool) -> None:
    assert asks_who_may(question) == asks


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Wardens can open it.", True),
        ("It may only be opened by wardens.", True),
        ("You need the warden role.", True),
        ("It may be opened at night.", False),
        ("Tom opened it.", False),
    ],
)
def test_a_text_says_who_may(text: str, is_told: bool) -> None:
    assert allows(text) == is_told


def test_a_long_text_is_read_in_little_time() -> None:
    began = process_time()
    allows("may be " * 50_000 + "with the " * 50_000 + "a-" * 100_000)
    assert process_time() - began < 5
