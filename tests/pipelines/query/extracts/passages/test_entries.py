"""Items and entries that are too long to be shown."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little
from tests.pipelines.query.extracts.drafts import LONG, passages, stored


def test_a_long_entry_is_read_to_its_end_under_its_name() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Lamps")
        draft.add("wick_length (number)", "term")
        draft.add(f"How long the wick is. {LONG}", "definition", level=1)
        draft.add("The default is four inches.", level=1)
        draft.add("lamp_oil (text)", "term")
        draft.add("What burns.", "definition", level=1)

    text = stored(fill)
    found = next(passage for passage in passages(text) if passage.shown == "The default is four inches.")
    assert found.headings == ("Lamps", "wick_length")
    assert text.text[found.span.start : found.span.end] == found.shown


def test_a_long_entry_is_shown_with_as_much_of_its_definition_as_reads_well() -> None:
    def fill(draft: Draft) -> None:
        draft.add("slack rope", "term")
        draft.add(f"A rope is mostly under strain. One without strain is called slack. {LONG}", "definition", level=1)
        draft.add("taut rope", "term")
        draft.add("The other kind.", "definition", level=1)

    found = next(passage for passage in passages(stored(fill)) if passage.kind == "item")
    assert found.shown.startswith("- slack rope: ")
    assert "One without strain is called slack." in found.shown
    assert found.words <= 75


def test_a_long_item_is_read_without_its_mark() -> None:
    def fill(draft: Draft) -> None:
        draft.add("- Trim the wick.", "item", level=1)
        draft.add(f"- Fill the lamp. {LONG}", "item", level=1)
        draft.add("Never fill it above the red line.", level=2)

    shown = [passage.shown for passage in passages(stored(fill)) if passage.kind == "sentences"]
    assert any(one.startswith("Fill the lamp.") for one in shown)
    assert "Never fill it above the red line." in shown


@pytest.mark.parametrize(
    ("line", "names"), [("3. Depth of the basin", ("Depth of the basin",)), ("3. The basin is deep.", ())]
)
def test_the_title_of_a_long_item_is_a_heading_above_its_paragraphs(line: str, names: tuple[str, ...]) -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Limits")
        draft.add(line, "item", level=1)
        draft.add(f"It is measured each spring. {LONG}", level=2)
        draft.add("Nine metres are left at low water.", level=2)

    found = next(one for one in passages(stored(fill)) if one.shown == "Nine metres are left at low water.")
    assert found.headings == ("Limits", *names)


def test_a_term_that_ends_in_a_colon_gets_no_other() -> None:
    def fill(draft: Draft) -> None:
        draft.add("Lamp oil:", "term")
        draft.add("What burns in the lamp.", "definition", level=1)

    assert "Lamp oil: What burns in the lamp." in [passage.shown for passage in passages(stored(fill))]


def ropes(draft: Draft, rest: str = "") -> None:
    draft.add("class Rope(length)", "term")
    draft.add(f"A rope of the boat.{rest}", "definition", level=1)
    draft.add("state", "term", level=2)
    draft.add("How it is kept. One of the following words:", "definition", level=3)
    draft.add_table([["State", "Meaning"], ["dry", "It hangs."], ["frayed", "Strands are broken."]], level=3)
    draft.add("cut(at)", "term", level=2)
    draft.add("Cut the rope.", "definition", level=3)
    draft.add("Raises TooShort: where it is too short", "row", level=4)


@pytest.mark.parametrize("rest", ["", f" {LONG}"])
def test_a_table_in_an_entry_is_read_by_rows_under_the_names_above_it(rest: str) -> None:
    text = stored(lambda draft: ropes(draft, rest))
    rows = [one for one in passages(text) if one.kind == "row"]
    assert [row.shown for row in rows] == [
        "State: dry; Meaning: It hangs.",
        "State: frayed; Meaning: Strands are broken.",
    ]
    assert {row.headings[-1] for row in rows} == {"state"}
    assert text.text[rows[1].span.start : rows[1].span.end] == "frayed | Strands are broken."
    (table,) = (one for one in passages(text) if one.kind == "table")
    assert table.shown.startswith("One of the following words:\n- State: dry")


def test_a_table_of_a_long_entry_is_read_once() -> None:
    def fill(draft: Draft) -> None:
        draft.add("state", "term")
        draft.add(LONG, "definition", level=1)
        draft.add_table([["State", "Meaning"], ["dry", "It hangs."], ["wet", "It drips."]], level=1)

    shown = [one.shown for one in passages(stored(fill)) if one.kind == "row"]
    assert shown == ["State: dry; Meaning: It hangs.", "State: wet; Meaning: It drips."]


def test_a_table_in_an_item_is_read_by_rows() -> None:
    def fill(draft: Draft) -> None:
        draft.add("- Set the flag:", "item", level=1)
        draft.add_table([["Flag", "Meaning"], ["red", "storm"], ["blue", "calm"]], level=1)
        draft.add("- Go home.", "item", level=1)

    found = passages(stored(fill))
    assert "Flag: red; Meaning: storm" in [one.shown for one in found if one.kind == "row"]
    assert "Set the flag:\n- Flag: red; Meaning: storm\n- Flag: blue; Meaning: calm" in [
        one.shown for one in found if one.kind == "table"
    ]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which values does --oil take?", "--oil: What burns from 3.1 on, in values"),
        ("Which values does the lamp take?", "- --wick: "),
        ("Which versions do lamps take?", "--oil: What burns"),
    ],
)
def test_of_long_options_one_is_shown_that_is_named_or_has_the_number(question: str, shown: str) -> None:
    def options(draft: Draft) -> None:
        for name, told in (
            ("--wick", "How many wicks"),
            ("--glass", "What it is made of"),
            ("--oil", "What burns from 3.1 on"),
        ):
            draft.add(name, "term", level=0)
            draft.add(f"{told}, in values: {'whale, palm, ' * 20}of oil", "definition", level=1)

    reader = favouring_a_little(f"burns from 3.1 on, in values: {'whale, palm, ' * 20}")
    assert choose(question, options, reader, most=1).extracts[0].shown.startswith(shown)


def test_a_short_line_of_a_long_entry_is_shown_behind_its_name() -> None:
    def fill(draft: Draft) -> None:
        draft.add("wick_length", "term")
        draft.add(f"How long the wick is. {LONG}", "definition", level=1)
        draft.add("Note: A short wick burns badly.", "note", level=1)
        draft.add("Default: four inches", level=1)

    assert "wick_length: Default: four inches" in [passage.shown for passage in passages(stored(fill))]
