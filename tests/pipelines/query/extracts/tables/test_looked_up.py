"""The row of a table that a question names together with a column."""

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extract
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

CREW = [
    ["Name", "Role", "Cabin", "Phone", "Watch (hours)"],
    ["Ida Lund", "Harbour master", "A1", "214", "4"],
    ["Ole Berg", "Deckhand", "B2", "", "6"],
    ["Rut Vik", "Deckhand", "B3", "216", "6"],
]


def first(question: str) -> Extract:
    return first_of(CREW, question)


def first_of(crew: list[list[str]], question: str) -> Extract:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Crew of the ferry")
        draft.add_table(crew)

    text = stored(fill)
    return Chooser(favouring("Cabin"), TERMS).choose(question, [hit(text)], [text], 1).extracts[0]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which cabin does Ida Lund have?", "Ida Lund"),
        ("What is the phone number of Rut Vik?", "Rut Vik"),
        ("What is the phone number of the harbour master?", "Ida Lund"),
        ("How do I reach the harbour master?", "Ida Lund"),
    ],
)
def test_the_row_that_is_named_with_a_column_is_computed(question: str, name: str) -> None:
    found = first(question)
    assert found.shown.startswith(f"Name: {name}; Role:")
    assert found.quote.startswith(name)
    assert found.is_computed


def test_an_empty_cell_that_is_asked_for_says_so() -> None:
    assert first("What is the phone number of Ole Berg?").shown.endswith("; Phone: none")


@pytest.mark.parametrize(
    "question",
    [
        "Which cabin does Ida Lund have in winter?",
        "Which boat does Ida Lund have?",
        "Who is Ida Lund?",
    ],
)
def test_others_look_up_no_row(question: str) -> None:
    assert not first(question).is_computed


@pytest.mark.parametrize("role", ["Mate", "Skipper"])
def test_who_reports_to_a_role_does_not_have_it(role: str) -> None:
    column = ["Reports to", "Mate", role, "Owner"]
    crew = [[*row, more] for row, more in zip(CREW, column, strict=True)]
    found = first_of(crew, f"What is the watch of the {role} in hours?")
    assert not found.is_computed


def test_a_row_of_the_name_comes_before_rows_that_name_it_otherwise() -> None:
    column = ["Takes over from", "", "Ida Lund", ""]
    crew = [[*row, more] for row, more in zip(CREW, column, strict=True)]
    found = first_of(crew, "Which cabin does Ida Lund have?")
    assert found.is_computed
    assert found.quote.startswith("Ida Lund")


WATCHES = [
    ["Watch", "Skipper", "E-mail", "Hours"],
    ["Early", "Rut Vik", "early@ebb.example", "6"],
    ["Day", "Ida Lund", "day@ebb.example", "8"],
    ["Night", "Rut Vik", "night@ebb.example", "10"],
]


def test_all_rows_of_a_name_are_looked_up() -> None:
    found = first_of(WATCHES, "What is Rut Vik's email?")
    assert [line.split(";")[0] for line in found.shown.splitlines()] == ["- Watch: Early", "- Watch: Night"]
    assert found.is_computed


def test_rows_are_not_looked_up_if_all_have_the_name() -> None:
    crew = [WATCHES[0], WATCHES[1], WATCHES[3]]
    assert not first_of(crew, "What is Rut Vik's email?").is_computed


@pytest.mark.parametrize("question", ["How heavy is the Tern 40?", "How much does the Tern 40 weigh?"])
def test_a_row_is_named_by_the_property_that_is_asked_for(question: str) -> None:
    boats = [
        ["Property", "Unit", "Tern 25", "Tern 40", "Tern 63"],
        ["Draught", "m", "0.6", "0.8", "1.1"],
        ["Weight", "kg", "260", "410", "520"],
    ]
    found = first_of(boats, question)
    assert found.is_computed
    assert found.shown.startswith("Property: Weight; Unit: kg")
    assert not first_of(boats, question.replace("40", "99")).is_computed


def test_a_column_or_row_may_be_asked_for_in_other_words() -> None:
    works = [
        ["Work", "Supplier", "Cost"],
        ["Repair of sails", "Ebb Sails", "90"],
        ["Waste", "Skjaer Ltd", "40"],
    ]
    for question in ("Which company for the rubbish?", "Which company for waste?"):
        found = first_of(works, question)
        assert found.is_computed
        assert found.shown == "Work: Waste; Supplier: Skjaer Ltd; Cost: 40"


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What does the sole cost?", "Sole in butter, potatoes"),
        ("How much do the mussels cost?", "Mussels, chips (small)"),
        ("What does the kettle cost?", ""),  # the price of its repair
        ("What does the Ebb menu cost?", ""),  # "Ebb Deluxe" is another one
        ("What does the lobster cost?", ""),
        ("What does the sole with chips cost?", ""),
    ],
)
def test_the_beginning_of_a_name_is_looked_up_beside_a_price(question: str, row: str) -> None:
    menu = [
        ["Dish", "Price"],
        ["Sole in butter, potatoes", "28.50"],
        ["Kettle repair", "24.00"],
        ["Ebb Deluxe", "9.00"],
        ["Mussels, chips (small)", "19.00"],
    ]
    found = first_of(menu, question)
    assert found.is_computed is bool(row)
    assert not row or found.shown.startswith(f"Dish: {row}; Price")


@pytest.mark.parametrize("keyword", ["begin", "start", "end", "finish", "call", "ring"])
def test_a_row_in_the_words_of_the_question_comes_before_others_that_mean_the_same(keyword: str) -> None:
    keywords = [
        ["Keyword", "Scope", "Since"],
        *([name, f"of {name}s", "2"] for name in ("begin", "start", "end", "finish", "call", "ring")),
    ]
    found = first_of(keywords, f"What is the scope of {keyword}?")
    assert found.is_computed
    assert found.shown == f"Keyword: {keyword}; Scope: of {keyword}s; Since: 2"


RELEASES = [
    ["Version", "Release Date", "End Of LCA Date", "Compass"],
    ["9.x", "2031-04-26", "", "18, 20"],
    ["8.x", "2029-06-01", "2031-10-26", "14, 16"],
]


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("When was Crew 8 released?", "8.x"),
        ("When was Crew 8 of the ferry released for Windows?", ""),
        ("When does LCA of Crew 8 end?", "8.x"),
        ("What is the LCA end date of Crew 8?", "8.x"),
        ("Which compass does Crew 9 have?", "9.x"),
        ("When was Crew 7 released?", ""),
    ],
)
@pytest.mark.parametrize("rest", [".x", ".0.0"])
def test_the_row_of_a_version_is_looked_up_with_its_column(question: str, version: str, rest: str) -> None:
    found = first_of([[cell.replace(".x", rest) for cell in row] for row in RELEASES], question)
    version = version.replace(".x", rest)
    assert found.is_computed == bool(version)
    assert found.shown.startswith(f"Version: {version};") or not version


def test_a_cell_that_says_no_more_than_the_column_names_no_row() -> None:
    said = "The reduced fee is for pupils of the town."

    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Ferry fees")
        draft.add(said)
        fees = [["Crossing", "$4.00", "$2.00", "On board"], ["Late notice", "$9.00", "$9.00", "With the fee"]]
        draft.add_table([["Service", "Standard fee", "Reduced fee", "Payable"], *fees])

    text = stored(fill)
    found = Chooser(favouring("pupils"), TERMS).choose("Who gets the reduced ferry fee?", [hit(text)], [text], 1)
    assert found.extracts[0].shown.startswith(said)
