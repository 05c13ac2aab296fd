"""Rows of tables that have a value which the question names."""

from collections.abc import Callable

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extract
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

FLEET = [
    ["Boat", "State", "Skipper", "Berths"],
    ["Heron", "in repair", "Ida Lund", "4"],
    ["Teal", "afloat", "Ole Berg", "12"],
    ["Swan", "in repair", "Ole Berg", "6"],
    ["Tern", "on loan", "Ida Lund", "2"],
]


def first(question: str, fill: Callable[[Draft], object]) -> Extract:
    text = stored(fill)
    return Chooser(favouring("afloat"), TERMS).choose(question, [hit(text)], [text], 1).extracts[0]


def fleet(draft: Draft) -> None:
    draft.add_table(FLEET)


@pytest.mark.parametrize(
    ("question", "boats"),
    [
        ("Which boats are in repair?", ["Heron", "Swan"]),
        ("Which boats does Ole Berg sail?", ["Teal", "Swan"]),
        ("Which boats of Ole Berg are in repair?", ["Swan"]),
        ("What boats are on loan?", ["Tern"]),
    ],
)
def test_the_rows_with_the_value_are_shown(question: str, boats: list[str]) -> None:
    found = first(question, fleet)
    assert [line.split(";")[0] for line in found.shown.splitlines()] == [f"- Boat: {boat}" for boat in boats]
    assert found.is_computed
    assert "Berths" in found.shown
    assert found.quote in "\n".join(" | ".join(row) for row in FLEET)


@pytest.mark.parametrize(
    "question",
    [
        "Which boats are sold?",
        "Which boats are not in repair?",
        "Is the Heron in repair?",
        "Which skipper of the Swan is in repair?",  # a row
        "Which boats have 4 berths?",  # a number alone may be anything
        "What must be in repair before the regatta begins?",
        "What do I do if a rudder is in repair?",
        "Which boats have an in repair cabin?",
    ],
)
def test_rows_are_not_picked_by_anything_else(question: str) -> None:
    shown = first(question, fleet).shown
    assert shown.count("\n") != 1
    assert not shown.startswith("- Boat: Swan;")


def test_of_many_rows_the_first_cells_are_shown_and_of_too_many_nothing_is_picked() -> None:
    def long(count: int) -> list[str]:
        def fill(draft: Draft) -> None:
            rows = [[f"Boat {number}", "afloat", "a very long tale of its travels " * 3] for number in range(count)]
            draft.add_table([["Boat", "State", "Tale"], *rows, ["Heron", "sunk", "none"]])

        return first("Which boats are afloat?", fill).shown.splitlines()

    assert long(9) == [f"- Boat: Boat {number}; State: afloat" for number in range(9)]
    assert "- Boat: Boat 0; State: afloat" not in long(60)


def test_a_value_with_signs_stands_in_the_question_sign_by_sign() -> None:
    def settings(draft: Draft) -> None:
        draft.add_table([["Setting", "Value"], ["HARBOUR_HOME", "~/.ebb"], ["TIDE", "~/.tide"], ["LAMP", "off"]])

    assert first("Which settings are ~/.ebb?", settings).shown == "- Setting: HARBOUR_HOME; Value: ~/.ebb"
    assert first("Which files does ebb write?", settings).shown != "- Setting: HARBOUR_HOME; Value: ~/.ebb"


CREW = [
    ["Name", "Office", "Pier", "Reports to"],
    ["Ida Lund", "Harbour master", "North", "the board"],
    ["Ole Berg", "Deputy harbour master", "South", "Ida Lund"],
    ["Nils Holm", "Lamp keeper", "South", "Ida Lund"],
    ["Kai Moe", "Diver", "North", "Ole Berg"],
]


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("Who reports to Ida Lund?", ["Ole Berg", "Nils Holm"]),
        ("Who works on the South pier?", ["Ole Berg", "Nils Holm"]),
        ("Who is the diver?", ["Kai Moe"]),
        ("Which people report to Ida Lund?", ["Ole Berg", "Nils Holm"]),
    ],
)
def test_people_are_found_by_what_their_rows_say(question: str, people: list[str]) -> None:
    shown = first(question, lambda draft: draft.add_table(CREW)).shown
    assert [line.split(";")[0] for line in shown.splitlines()] == [f"- Name: {name}" for name in people]


@pytest.mark.parametrize("question", ["Who is Ida Lund?", "Who lights the lamps of the North pier?"])
def test_people_are_not_found_by_anything_else(question: str) -> None:
    shown = first(question, lambda draft: draft.add_table(CREW)).shown
    assert not shown.startswith(("- Name: Ole", "- Name: Kai"))
    assert shown.count("\n- ") != 1


@pytest.mark.parametrize(
    ("question", "boats"),
    [
        ("Which boats carry oars?", ["Heron", "Teal", "Swan"]),
        ("Which boats carry nets?", ["Teal", "Swan"]),
        ("Which boats carry a drag anchor?", ["Tern"]),
        ("Which boats of Ole Berg carry nets?", ["Swan"]),
    ],
)
def test_a_cell_with_several_values_has_each_of_them(question: str, boats: list[str]) -> None:
    def cargo(draft: Draft) -> None:
        draft.add_table(
            [
                ["Boat", "Skipper", "Carries"],
                ["Heron", "Ole Berg", "oars"],
                ["Teal", "Ida Lund", "nets, oars"],
                ["Swan", "Ole Berg, Ida Lund", "oars;nets"],
                ["Tern", "Ole Berg", "drag anchor"],
            ]
        )

    assert [line.split(";")[0] for line in first(question, cargo).shown.splitlines()] == [
        f"- Boat: {boat}" for boat in boats
    ]


def test_what_a_comma_parts_in_prose_is_no_value() -> None:
    def remarks(draft: Draft) -> None:
        draft.add_table(
            [
                ["Boat", "Remark"],
                ["Heron", "sails well, nets are kept below the deck of it"],
                ["Teal", "nets"],
                ["Swan", "lost"],
            ]
        )

    assert [line.split(";")[0] for line in first("Which boats carry nets?", remarks).shown.splitlines()] == [
        "- Boat: Teal"
    ]


def test_rows_are_found_by_the_day_of_the_week_in_another_form() -> None:
    def clubs(draft: Draft) -> None:
        draft.add_table(
            [["Club", "Day", "Led by"], ["Chess", "Mon", "Ida"], ["Choir", "Tue & Thu", "Ole"], ["Knots", "Thu", "Ida"]]
        )

    found = first("Which clubs are there on Thursdays?", clubs)
    assert [line.split(";")[0] for line in found.shown.splitlines()] == ["- Club: Choir", "- Club: Knots"]


ROTA = [
    ["Day", "Morning", "Evening", "On call"],
    ["Monday", "Ida Lund", "Ole Berg", "Rut Vik"],
    ["Tuesday", "Ole Berg", "Rut Vik", "Ida Lund"],
    ["Wednesday", "Rut Vik", "Ole Berg", "Ole Berg"],
]


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("When does Ida Lund work?", ["Monday", "Tuesday"]),
        ("When is Ida Lund on duty?", ["Monday", "Tuesday"]),
        ("On which days is Ole Berg on call?", ["Wednesday"]),
        ("When does Rut Vik swim?", ["Monday", "Tuesday", "Wednesday"]),
    ],
)
def test_a_value_may_stand_in_one_of_several_columns(question: str, days: list[str]) -> None:
    shown = first(question, lambda draft: draft.add_table(ROTA)).shown
    assert [line.split(";")[0].removeprefix("- ") for line in shown.splitlines()] == [f"Day: {day}" for day in days]


def test_a_question_when_something_else_happens_asks_for_no_rows() -> None:
    assert not first("When does Ida Lund go on holiday?", lambda draft: draft.add_table(ROTA)).is_computed


def shown_of(rows: list[list[str]], question: str) -> list[str]:
    shown = first(question, lambda draft: draft.add_table(rows)).shown
    return [line.split(";")[0].removeprefix("- ") for line in shown.splitlines()]


def test_a_role_is_not_that_of_those_who_report_to_it() -> None:
    crew = [*CREW[:2], ["Ole Berg", "Mate", "South", "Harbour master"], ["Nils Holm", "Diver", "South", "Mate"]]
    assert shown_of(crew, "Which pier is the harbour master on?") == ["Name: Ida Lund"]
    assert shown_of(crew, "Who reports to the harbour master?") == ["Name: Ole Berg"]


FERRIES = [
    ["To", "Leaves", "Pier", "Engine"],
    ["Vik", "6:10", "1", "Tidal 7.2"],
    ["Skaga", "7:15", "2", "Ebb 4"],
    ["Vik", "9:30", "2", "Tidal 7.2"],
    ["Holm", "9:45", "3", "Ebb 4"],
]


@pytest.mark.parametrize(
    ("question", "ferries"),
    [
        ("Which ferries leave from pier 2?", ["To: Skaga", "To: Vik"]),
        ("Which pier does the ferry to Vik leave from?", ["To: Vik", "To: Vik"]),
        ("Which ferries have Ebb engines?", ["To: Skaga", "To: Holm"]),
    ],
)
def test_numbers_shared_names_and_products_are_values(question: str, ferries: list[str]) -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Ferries from Ostvik")
        draft.add_table(FERRIES)

    shown = first(question, fill).shown
    assert [line.split(";")[0].removeprefix("- ") for line in shown.splitlines()] == ferries


@pytest.mark.parametrize("question", ["Which 2 ferries leave from the pier?", "Which ferries have Ebb 3 engines?"])
def test_other_numbers_and_versions_are_none(question: str) -> None:
    assert len(shown_of(FERRIES, question)) != 2


LESSONS = [
    ["Lesson", "Teacher", "Given"],
    ["Knots", "Ida Lund", "weekly"],
    ["Charts", "Ole Berg", "every two weeks"],
    ["Sails", "Ida Lund", "every two weeks"],
]


@pytest.mark.parametrize(
    ("question", "lessons"),
    [
        ("What does Ida Lund teach?", ["Lesson: Knots", "Lesson: Sails"]),
        ("What is given every two weeks?", ["Lesson: Charts", "Lesson: Sails"]),
    ],
)
def test_a_question_may_ask_by_the_name_of_a_column(question: str, lessons: list[str]) -> None:
    assert shown_of(LESSONS, question) == lessons


@pytest.mark.parametrize("question", ["What does Ida Lund think?", "What is said every two weeks?"])
def test_what_no_column_is_called_asks_for_no_rows(question: str) -> None:
    assert not first(question, lambda draft: draft.add_table(LESSONS)).is_computed


def test_of_several_rows_of_a_day_the_one_with_the_place_is_meant() -> None:
    rows = [["Day", "Place", "Opens"]]
    rows += [[day, place, "8:00"] for day in ("Monday", "Tuesday") for place in ("Office", "Shop")]
    shown = first("When does the office open on Monday?", lambda draft: draft.add_table(rows)).shown
    assert shown == "- Day: Monday; Place: Office; Opens: 8:00"


def test_a_value_that_the_heading_names_is_of_all_rows() -> None:
    def keepers(draft: Draft) -> None:
        draft.add_heading(1, "Keepers")
        draft.add_table([
            ["Name", "Role", "Pier"],
            ["Ida Lund", "Chair", "North"],
            ["Ole Berg", "Keeper", "South"],
            ["Rut Vik", "Keeper", "West"],
        ])  # fmt: skip

    assert first("Who chairs the keepers?", keepers).shown == "- Name: Ida Lund; Role: Chair; Pier: North"
    assert first("Who are the keepers?", keepers).shown.count("Role: Keeper") == 2
