"""What changed in a version, by the section of a changelog."""

from collections.abc import Callable

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


def labelled(draft: Draft) -> None:
    draft.add_heading(1, "Ebb changes")
    draft.add_heading(2, "2.1.0 - 2025-03-04")
    draft.add_heading(3, "Added")
    draft.add("- A tide table.", "item", level=1)
    draft.add("- With a column for springs.", "item", level=2)
    draft.add("- A map.", "item", level=1)
    draft.add_heading(3, "Fixed")
    draft.add("- Moorings are shown.", "item", level=1)
    draft.add_heading(2, "2.0.0 - 2025-01-04")
    draft.add_heading(3, "Removed")
    draft.add("- The old map.", "item", level=1)


def plain(draft: Draft) -> None:
    draft.add_heading(1, "Version 2.1.0")
    draft.add("Released 4 March 2025")
    draft.add("- Add a tide table.", "item", level=1)
    draft.add("- Fix the moorings.", "item", level=1)
    draft.add_heading(1, "Version 2.0.0")
    draft.add("- Drop the old map.", "item", level=1)


def of_features(draft: Draft) -> None:
    draft.add_heading(1, "Ebb 2.1.0")
    draft.add_heading(2, "New features")
    draft.add("- A tide table.", "item", level=1)
    draft.add_heading(2, "Features removed in 2.1.0")
    draft.add("- The old map.", "item", level=1)
    draft.add_heading(2, "Deprecated or removed options")
    draft.add("- The horn.", "item", level=1)


ALL = "Added:\n- A tide table.\n- A map.\nFixed:\n- Moorings are shown."


@pytest.mark.parametrize(
    ("question", "fill", "shown"),
    [
        ("What changed in Ebb 2.1.0?", labelled, ALL),
        ("What is new in version 2.1.0?", labelled, ALL),
        ("What was fixed in 2.1.0?", labelled, "Fixed:\n- Moorings are shown."),
        ("Which features were added in 2.1.0?", labelled, "Added:\n- A tide table.\n- A map."),
        ("What was removed in Ebb 2.0.0?", labelled, "Removed:\n- The old map."),
        ("What changed in 2.1.0?", plain, "- Add a tide table.\n- Fix the moorings."),
        ("Which bugs were fixed in Ebb 2.1.0?", plain, "- Fix the moorings."),
        ("Which features are new in 2.1.0?", of_features, "New features:\n- A tide table."),
        ("Which options were deprecated in 2.1.0?", of_features, "Deprecated or removed options:\n- The horn."),
        (
            "Which features were removed in 2.1.0?",
            of_features,
            "Features removed in 2.1.0:\n- The old map.\nDeprecated or removed options:\n- The horn.",
        ),
    ],
)
def test_all_changes_of_the_kind_that_is_asked_for_are_shown(
    question: str, fill: Callable[[Draft], None], shown: str
) -> None:
    assert choose(question, fill, favouring("?"), most=1).extracts[0].shown == shown


@pytest.mark.parametrize(
    "question",
    [
        "What changed in Ebb 3.0.0?",
        "What was removed in 2.1.0?",  # nothing was
        "What changed in 2.1.0 about the map?",
        "Which version added the map?",
        "What changed between 2.0.0 and 2.1.0?",
    ],
)
def test_other_questions_are_left_to_single_passages(question: str) -> None:
    assert not choose(question, labelled, favouring("map"), most=1).extracts[0].shown.startswith("Added:")


def test_many_changes_are_cut_short() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "2.1.0")
        for label, count in (("Added", 30), ("Fixed", 2)):
            draft.add_heading(2, label)
            for number in range(count):
                draft.add(f"- Boat {number} has {'a very long ' * 5}mast.", "item", level=1)

    shown = choose("What changed in 2.1.0?", fill, favouring("Boat"), most=1).extracts[0].shown
    assert len(shown.split()) <= 120
    assert shown.count("Boat") > 5
    added, fixed = shown.split("Fixed:")
    assert added.endswith("\n…\n")
    assert fixed.count("- Boat") == 2
