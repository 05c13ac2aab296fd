"""What a section begins with, beside what stands behind it."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring, favouring_a_little


def trips(draft: Draft) -> None:
    draft.add_heading(1, "Trip to the seals")
    for heading, things in (
        ("Included", ("tea on the way back", "a warm blanket")),
        ("Not included", ("fares of the ferry", "a hot supper")),
    ):
        draft.add_heading(2, heading)
        for thing in things:
            draft.add(f"- {thing}", "item", level=1)
    draft.add("Boats leave on 3 June and on 9 July.")


def test_a_list_goes_before_the_prose_behind_it_that_has_no_word_of_the_question() -> None:
    (first, *rest) = choose("What is not included in the trip to the seals?", trips, favouring("July")).extracts
    assert first.shown == "Not included:\n- fares of the ferry\n- a hot supper"
    assert not any("July" in one.shown or "tea" in one.shown for one in rest)


def test_what_is_below_not_included_is_not_included() -> None:
    (first, *_) = choose(
        "What is included in the trip to the seals?", trips, favouring_a_little("supper"), most=1
    ).extracts
    assert first.shown == "- tea on the way back\n- a warm blanket"


def test_a_time_may_stand_behind_the_list() -> None:
    (first, *_) = choose("When does the trip to the seals leave?", trips, favouring("July")).extracts
    assert "9 July" in first.shown


def settings(draft: Draft) -> None:
    for name, default, kind in (("tide-retries", "4", "Number"), ("tide-mode", "ebb", '"ebb" or "flood"')):
        draft.add_heading(2, name)
        draft.add(f"Type: {kind}; default: {default}. How the gauge works, in words of a setting of that gauge.")
        draft.add(f"A gauge that was not read is read again by the {name} keeper, if the wire is not broken.")


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("How often is a broken gauge read again by default?", "default: 4."),
        ("What does tide-mode accept?", "default: ebb."),
    ],
)
def test_what_a_setting_is_by_default_and_takes_stands_at_the_beginning_of_its_section(
    question: str, begins: str
) -> None:
    (first, *_) = choose(question, settings, favouring("keeper", "wire"), most=1).extracts
    assert begins in first.shown


def test_why_a_setting_is_there_may_stand_behind_its_default() -> None:
    (first, *_) = choose("Why is the gauge of tide-mode read again?", settings, favouring("keeper", "wire")).extracts
    assert first.shown.startswith("A gauge")


def options(draft: Draft) -> None:
    draft.add_heading(2, "reef")
    draft.add("Default: none. The sails that are taken in before the crew goes to sleep at night.")
    draft.add("If --reef and --furl both name a sail, the keeper of the sails gets a message.")
    draft.add_heading(2, "storm")
    draft.add("Default: off. Old: use --reef instead. The keeper of the wire gets all of the sails in.")


def test_what_an_option_does_stands_at_the_beginning_of_the_section_of_its_name() -> None:
    (first, *_) = choose("What does --reef do?", options, favouring_a_little("keeper"), most=1).extracts
    assert first.shown.startswith("Default: none.")
