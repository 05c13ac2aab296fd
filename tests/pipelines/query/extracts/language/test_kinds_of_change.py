"""Kinds of changes: what was removed, and what is only to be."""

from time import process_time

import pytest

from pipelines.query.extracts.language.kinds_of_change import kind_of_change, lacks_removal, tells_other_change
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import extract


def changes(draft: Draft) -> None:
    draft.add_heading(1, "Changes")
    for version, kind, told in (
        ("5.0.0 - 2025-03-31", "Changed", "The tide is read every 5 minutes."),
        ("", "Removed", "furlAll()"),
        ("4.9.0 - 2024-12-02", "Deprecated", "furlAll(); will be removed in the next major version"),
        ("4.8.0 - 2024-09-02", "Added", "tideAt()"),
    ):
        if version:
            draft.add_heading(2, version)
        draft.add_heading(3, kind)
        draft.add(f"- {told}", "item", level=1)


@pytest.mark.parametrize("question", ["When was furlAll removed?", "In which version was furlAll removed?"])
def test_what_was_removed_is_told_by_an_item_of_one_word_under_that_heading(question: str) -> None:
    first = choose(question, changes, favouring("furlAll"), most=1).extracts[0]
    assert first.shown == "5.0.0 - 2025-03-31\nRemoved\n- furlAll()"
    assert not is_off_subject(question, first)


@pytest.mark.parametrize(
    ("question", "shown", "headings", "is_other"),
    [
        ("When was furlAll removed?", "- furlAll(); will be removed", ("4.9.0", "Deprecated"), True),
        ("When was furlAll removed?", "- furlAll() is slow", ("4.9.0", "Deprecated features"), True),
        ("When was furlAll added?", "- furlAll() failed at night", ("4.9.0", "Fixed"), True),
        ("When was the pier released?", "The pier is planned for May 2026.", (), True),
        ("When was furlAll removed?", "- furlAll()", ("5.0.0", "Removed"), False),
        ("When was furlAll removed?", "- furlAll() was removed", ("5.0.0", "Changed"), False),
        ("When was furlAll removed?", "- furlAll() was removed", ("5.0.0", "Fixed"), False),
        ("When was furlAll removed?", "- furlAll()", ("Fixed assets",), False),
        ("When will furlAll be removed?", "- furlAll(); will be removed in 5.0.0", ("4.9.0", "Deprecated"), False),
        ("When was furlAll deprecated?", "- furlAll(); will be removed", ("4.9.0", "Deprecated"), False),
        ("How is furlAll removed?", "- furlAll(); will be removed", ("4.9.0", "Deprecated"), False),
    ],
)
def test_what_is_planned_or_changed_otherwise_does_not_say_when_it_was_done(
    question: str, shown: str, headings: tuple[str, ...], is_other: bool
) -> None:
    assert tells_other_change(question, shown, headings) == is_other
    if is_other:
        assert is_off_subject(question, extract(shown, "Changes", headings))


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Removed", "removed"),
        ("Deprecated features", "deprecated"),
        ("New features", "added"),
        ("Bug fixes:", "fixed"),
        ("Breaking changes", "changed"),
        ("Limits by plan", None),
        ("Fixed assets", None),
    ],
)
def test_a_heading_says_the_kind_of_the_changes_below_it(heading: str, kind: str | None) -> None:
    assert kind_of_change(heading) == kind


def test_a_long_heading_and_text_are_read_in_little_time() -> None:
    began = process_time()
    kind_of_change("new " * 50_000)
    tells_other_change("When was it removed?", "to be " * 50_000, ("minor " * 50_000,))
    tells_other_change("when " * 20_000 + "will", "", ())
    assert process_time() - began < 5


def test_when_something_was_dropped_is_told_by_what_speaks_of_its_end() -> None:
    asked = "When was support for Ebb 3.9 dropped?"
    assert lacks_removal(asked, "Date: Apr 14, 2031; Ebb: 3.9+")
    assert not lacks_removal(asked, "On Apr 14, 2031 drop support for Ebb 3.9")
    assert not lacks_removal(asked, "End of support: Apr 14, 2031")
    assert not lacks_removal("When was Ebb 3.9 released?", "Date: Apr 14, 2031; Ebb: 3.9+")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When are the logs of the lamp deleted?", "The lamp keeps its logs for 30 days."),
        ("When was the old pier removed?", "The old pier was torn down on Apr 14, 2031."),
        ("When was the crane removed?", "It went away in April."),
        ("When was the crane removed?", "The crane was dismantled in April."),
        ("When is the removal van there?", "The van is there at 9."),
        ("When does the home for retired sailors open?", "The home opens at 9, and has its last guests at 5."),
        ("When can I have the mast removed?", "The crane works on Mondays."),
    ],
)
def test_an_end_may_be_told_in_other_words_and_is_not_asked_for_by_every_removal(question: str, text: str) -> None:
    assert not lacks_removal(question, text)
