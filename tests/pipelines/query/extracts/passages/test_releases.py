"""Headings with versions: when a version came out, and since when something is so."""

import pytest

from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.passages.releases import asks_since
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


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
    draft.add_heading(2, "Version 2.7")
    draft.add("Released 3 March 2024")
    draft.add("- Show the tide at night.", "item", level=1)
    draft.add("- Support for Python 3.8 is dropped.", "item", level=1)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("When was Ebb 2.10.1 released?", "2.10.1 - 2025-03-04"),
        ("When did version 2.10 come out?", "[2.10] (4 January 2025)"),
        ("What is the release date of Ebb 2.9.0rc1?", "Ebb 2.9.0rc1, May 2024"),
        ("What is the latest version of Ebb?", "2.10.1 - 2025-03-04"),
        ("When was the last stable Ebb release made?", "2.10.1 - 2025-03-04"),
    ],
)
def test_a_heading_says_when_a_version_came_out(question: str, shown: str) -> None:
    first = choose(question, changes, favouring("202"), most=1).extracts[0]
    assert (first.shown, first.quote, first.headings) == (shown, shown, ("Ebb changes",))
    assert not is_off_subject(question, first)


def test_the_date_may_stand_below_the_heading() -> None:
    found = choose("When was Ebb 2.7 released?", changes, favouring("2024"), most=1)
    assert found.extracts[0].shown == "Version 2.7\nReleased 3 March 2024"


@pytest.mark.parametrize(
    ("question", "word", "version"),
    [
        ("Which version added the tide at night?", "night", "Version 2.7\n"),
        ("Since when does Ebb show the tide at night?", "night", "Version 2.7\n"),
        ("In which version was support for Python 3.8 dropped?", "Python", "Version 2.7\n"),
        ("When was the tide table added?", "Add a", "[2.10] (4 January 2025)\n"),
        ("Does Ebb show the tide at night?", "night", ""),
    ],
)
def test_since_when_something_is_so_is_shown_with_its_version(question: str, word: str, version: str) -> None:
    first = choose(question, changes, favouring(word), most=1).extracts[0]
    assert word in first.shown
    assert first.quote.startswith(version)
    assert first.shown.startswith(version or ("- Show", "Released"))


def manual(draft: Draft) -> None:
    draft.add_heading(1, "Ebb")
    draft.add_heading(2, "Lamps")
    draft.add("New in version 2.4.", "note")
    draft.add("The pier can be lit by lamps at night, if there is enough oil for them.")
    draft.add_heading(2, "Horns")
    draft.add("There are two horns on the pier, and both can be blown by hand.")
    draft.add("bass", "term", level=0)
    draft.add("It can be blown in fog.", "definition", level=1)
    draft.add("New in version 2.6.", "note", level=2)
    draft.add_heading(2, "Bells")
    draft.add("New in version 2.5.", "note")
    draft.add_heading(2, "What is new in 3.0")
    draft.add("This is the first release that does without a paper tide table.")


@pytest.mark.parametrize(
    ("question", "word", "shown"),
    [
        ("Since which version can the pier be lit?", "lit", "New in version 2.4.\nThe pier can be lit"),
        ("Since which version are there bells?", "2.5", "Bells\nNew in version 2.5."),
        ("Since when can the bass be blown?", "fog", "bass: It can be blown in fog.\nNew in version 2.6."),
        ("Since when can both horns be blown?", "both", "There are two horns on the pier"),
        ("Can the pier be lit?", "lit", "The pier can be lit"),
        ("Which was the first release of Ebb without a tide table?", "table", "What is new in 3.0\nThis is the first"),
    ],
)
def test_a_note_says_since_when_what_stands_beside_it_is_so(question: str, word: str, shown: str) -> None:
    assert choose(question, manual, favouring(word), most=1).extracts[0].shown.startswith(shown)


@pytest.mark.parametrize(
    "question",
    [
        "When was Ebb 2.10.2 released?",
        "When was Ebb 2.8.1 released?",  # its heading has no date
        "What does Ebb 2.10.1 do when the tide turns?",
        "When were 2.10.1 and 2.10 released?",
        "How do I get the latest version of Ebb?",
        "What is the last version that runs with the old lamp?",
        "What is the latest version for the small pier?",
    ],
)
def test_no_heading_answers_anything_else(question: str) -> None:
    shown = [one.shown for one in choose(question, changes, favouring("released")).extracts]
    assert not {"2.10.1 - 2025-03-04", "[2.10] (4 January 2025)"} & set(shown)


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("When was Ebb 2.10.2 released?", False),
        ("When will Ebb 3.1 be published?", False),
        ("When was Ebb 2.9 released?", True),  # 2.9.0rc1 was
        ("When did the tide of 2.10.2 turn?", True),
    ],
)
def test_no_other_version_says_when_one_came_out(question: str, is_told: bool) -> None:
    found = choose(question, changes, favouring("released"))
    assert (bool(found.extracts), found.about_another) == (is_told, not is_told)


def compilers(draft: Draft) -> None:
    draft.add_heading(1, "Ebb 2.8")
    draft.add("The supported Moor versions are:")
    for version in ("Moor 4.1", "Moor 4.2", "SlowMoor 5"):
        draft.add(f"- {version}", "item", level=1)


def test_all_versions_that_are_supported_are_not_asked_since_when() -> None:
    found = choose("Which Moor versions does Ebb 2.8 support?", compilers, favouring("SlowMoor"), most=1)
    listed = "- Moor 4.1\n- Moor 4.2\n- SlowMoor 5"
    assert found.extracts[0].shown == f"The supported Moor versions are:\n{listed}"


@pytest.mark.parametrize(
    ("question", "since_when"),
    [
        ("Which Moor versions does Ebb support on the pier?", False),
        ("Which Moor version does Ebb 2.8 support?", False),
        ("Which releases are supported?", False),
        ("In which version is the fog horn supported?", True),
        ("In which version does Ebb add support for fog?", True),
        ("Which version is the first that supports fog?", True),
        ("In which release does the horn get support?", True),
        ("In what release is the horn no longer supported?", True),
    ],
)
def test_one_version_that_supports_something_is_asked_since_when(question: str, since_when: bool) -> None:
    assert asks_since(question) == since_when
