"""Passages of tables: their rows, with the names of their columns."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.drafts import LONG, passages, stored


def prices(draft: Draft) -> None:
    draft.add_table([["Dish", "Price", "Note"], ["Soup", "4 EUR", ""], ["Bread", "1 EUR", "fresh"]])


def test_a_row_is_shown_with_the_names_of_its_columns_and_without_empty_cells() -> None:
    text = stored(prices)
    rows = [passage for passage in passages(text) if passage.kind == "row"]
    assert [row.shown for row in rows] == ["Dish: Soup; Price: 4 EUR", "Dish: Bread; Price: 1 EUR; Note: fresh"]
    assert text.text[rows[1].span.start : rows[1].span.end] == "Bread | 1 EUR | fresh"


def test_columns_keep_their_names_where_the_last_one_has_none() -> None:
    def moorings(draft: Draft) -> None:
        draft.add_table([["Flag", "Berth", ""], ["red", "north", "for guests"], ["blue", "", "for boats on hire"]])

    rows = [passage.shown for passage in passages(stored(moorings)) if passage.kind == "row"]
    assert rows == ["Flag: red; Berth: north; for guests", "Flag: blue; for boats on hire"]


def test_a_cell_that_ends_in_a_colon_names_the_one_behind_it() -> None:
    def fill(draft: Draft) -> None:
        draft.add_table([["Accident report", "", "", ""], ["Location:", "Houston", "Aircraft:", "Cessna 172"]])

    assert any("Location: Houston; Aircraft: Cessna 172" in passage.shown for passage in passages(stored(fill)))


def test_a_table_of_contents_is_not_a_passage() -> None:
    def fill(draft: Draft) -> None:
        chapters = [["1. Walks", "3"], ["1.1. Leads", "4"], ["2. Food", "11"], ["Index", "20"]]
        draft.add_table(chapters, has_header=False)
        for title in ("1. Walks", "1.1. Leads", "2. Food"):
            draft.add_heading(1, title)
            draft.add(f"Of {title} every dog dreams.")
        draft.add_table([["Dogs", "3"], ["Leads", "4"], ["Bowls", "11"]], has_header=False)

    shown = [passage.shown for passage in passages(stored(fill))]
    assert not any("Walks: 3" in one or "Index" in one for one in shown)
    assert any("Dogs: 3" in one for one in shown)


def test_the_first_cell_of_a_table_without_names_names_the_second() -> None:
    def facts(draft: Draft) -> None:
        draft.add_table([["Night mooring", "Yes"], ["Fuel on Sundays", "No"]], has_header=False)

    rows = [passage.shown for passage in passages(stored(facts)) if passage.kind == "row"]
    assert rows == ["Night mooring: Yes", "Fuel on Sundays: No"]


def test_a_long_table_can_be_shown_with_its_rows_cut_short() -> None:
    def states(draft: Draft) -> None:
        draft.add_table([["State", "Meaning"], *([f"S{number}", LONG] for number in range(4))])

    table = next(passage for passage in passages(stored(states)) if passage.kind == "table")
    assert table.words <= 120
    assert [line[:11] for line in table.shown.split("\n")] == [f"- State: S{number}" for number in range(4)]


def table_of_ten(column: str, name: str) -> list[str]:
    rows = [[column, "Meaning"], *([f"{name} {number}", LONG] for number in range(10))]
    text = stored(lambda draft: draft.add_table(rows))
    return [passage.shown for passage in passages(text) if passage.kind == "table"]


def test_of_a_table_that_is_longer_still_the_names_of_its_rows_are_shown() -> None:
    (shown,) = table_of_ten("State", "S")
    assert shown == f"State: {'; '.join(f'S {number}' for number in range(10))} …"


@pytest.mark.parametrize(("column", "name"), [("", "S"), ("State", "a name that is no name at all"), ("Year", "20")])
def test_first_cells_that_name_nothing_are_not_shown_alone(column: str, name: str) -> None:
    assert table_of_ten(column, name) == []


def test_rows_with_codes_are_named_by_the_cells_behind_these() -> None:
    rows = [["No.", "Breed", "Story"], *([f"B-{number}", f"breed {number}", LONG] for number in range(10))]
    text = stored(lambda draft: draft.add_table(rows))
    (shown,) = (passage.shown for passage in passages(text) if passage.kind == "table")
    assert shown == f"Breed: {'; '.join(f'breed {number}' for number in range(10))} …"


def test_sizes_with_letters_are_names_before_measures() -> None:
    rows = [["Sail", "Luff", "Story"], *([f"S{number}", f"{number} m", LONG] for number in range(10))]
    text = stored(lambda draft: draft.add_table(rows))
    (shown,) = (passage.shown for passage in passages(text) if passage.kind == "table")
    assert shown == f"Sail: {'; '.join(f'S{number}' for number in range(10))} …"


def test_a_row_with_a_long_cell_is_cut_short_with_a_sign() -> None:
    table = [["Breed", "Story"], ["Beagle", "It howls. " * 500], ["Pug", "It snores."]]
    text = stored(lambda draft: draft.add_table(table))
    row = next(passage for passage in passages(text) if passage.kind == "row")
    assert row.shown.startswith("Breed: Beagle; Story: It howls.")
    assert row.shown.endswith(" …")
    assert row.words <= 120


def test_rows_are_named_by_signs_and_once_each() -> None:
    def flags(draft: Draft) -> None:
        draft.add("The following signs are known on board. They are sorted.")
        signs = ["+", "-", "*", "/", "%", "()", "[]", "!", "~", "&", "()"]
        draft.add_table([["Sign", "Meaning"], *([sign, LONG] for sign in signs)])

    (table,) = (passage.shown for passage in passages(stored(flags)) if passage.kind == "table")
    assert table == "The following signs are known on board. They are sorted.\nSign: +; -; *; /; %; (); []; !; ~; & …"


@pytest.mark.parametrize("level", [1, 2])
def test_a_field_behind_a_table_is_not_shown_under_the_name_of_a_column(level: int) -> None:
    def knots(draft: Draft) -> None:
        draft.add("class Knot", "term")
        draft.add("These are kept:", "definition", level=1)
        draft.add_table([["Knot", "Use"], ["reef", "sails"], ["hitch", "posts"]], level=1)
        draft.add("Raises Slip: where it is wet", "row", level=level)

    (shown, *_) = [passage.shown for passage in passages(stored(knots)) if passage.kind == "definition"]
    assert shown.endswith("- Knot: hitch; Use: posts\n- Raises Slip: where it is wet")


def test_a_field_without_a_colon_is_not_shown_under_the_name_of_a_column_either() -> None:
    def knots(draft: Draft) -> None:
        draft.add("class Knot", "term")
        draft.add("Two are kept.", "definition", level=1)
        draft.add("kept", "term", level=2)
        draft.add("These:", "definition", level=3)
        draft.add_table([["Knot", "Use"], ["reef", "sails"]], level=3)
        draft.add("wet", "row", level=2)

    (shown, *_) = [passage.shown for passage in passages(stored(knots)) if passage.kind == "definition"]
    assert shown.endswith("- Knot: reef; Use: sails\n- wet")


@pytest.mark.parametrize(
    ("title", "above"),
    [("Options of ferries", ("Options of ferries",)), ("Options of ferries, as the harbour master set them", ())],
)
def test_a_short_title_of_a_table_is_a_heading_above_its_rows(title: str, above: tuple[str, ...]) -> None:
    def options(draft: Draft) -> None:
        draft.add(title, "caption", level=1)
        draft.add_table([["Option", "Default"], ["batch.size", "500"], ["batch.wait", "9"]])

    rows = [one for one in passages(stored(options)) if one.kind == "row"]
    assert [row.shown for row in rows] == ["Option: batch.size; Default: 500", "Option: batch.wait; Default: 9"]
    assert {row.headings for row in rows} == {above}
