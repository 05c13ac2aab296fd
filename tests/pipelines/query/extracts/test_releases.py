"""Headings that say when a version came out."""

import pytest

from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.test_chooser import choose, favouring


def changes(draft: Draft) -> None:
    draft.add_heading(1, "Ebb changes")
    for version, told in (
        ("2.10.1 - 2025-03-04", "Fix the tide table."),
        ("[2.10] (4 January 2025)", "Add a tide table."),
        ("Ebb 2.9.0rc1, May 2024", "Release the moorings when the tide turns."),
        ("2.8.1", "Say when a boat was released."),
    ):
        draft.add_heading(2, version)
        draft.add(told)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("When was Ebb 2.10.1 released?", "2.10.1 - 2025-03-04"),
        ("When did version 2.10 come out?", "[2.10] (4 January 2025)"),
        ("What is the release date of Ebb 2.9.0rc1?", "Ebb 2.9.0rc1, May 2024"),
    ],
)
def test_a_heading_says_when_a_version_came_out(question: str, shown: str) -> None:
    first = choose(question, changes, favouring("202"), most=1).extracts[0]
    assert (first.shown, first.quote, first.headings) == (shown, shown, ("Ebb changes",))
    assert not is_off_subject(question, first)


@pytest.mark.parametrize(
    "question",
    [
        "When was Ebb 2.10.2 released?",
        "When was Ebb 2.8.1 released?",  # its heading has no date
        "What does Ebb 2.10.1 do when the tide turns?",
        "When were 2.10.1 and 2.10 released?",
    ],
)
def test_no_heading_answers_anything_else(question: str) -> None:
    shown = [one.shown for one in choose(question, changes, favouring("released")).extracts]
    assert not {"2.10.1 - 2025-03-04", "[2.10] (4 January 2025)"} & set(shown)
