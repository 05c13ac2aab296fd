"""Items and entries that are too long to be shown."""

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.drafts import stored
from tests.pipelines.query.extracts.test_passages import LONG, passages


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


def test_a_long_item_is_read_without_its_mark() -> None:
    def fill(draft: Draft) -> None:
        draft.add("- Trim the wick.", "item", level=1)
        draft.add(f"- Fill the lamp. {LONG}", "item", level=1)
        draft.add("Never fill it above the red line.", level=2)

    shown = [passage.shown for passage in passages(stored(fill)) if passage.kind == "sentences"]
    assert any(one.startswith("Fill the lamp.") for one in shown)
    assert "Never fill it above the red line." in shown


def test_a_term_that_ends_in_a_colon_gets_no_other() -> None:
    def fill(draft: Draft) -> None:
        draft.add("Lamp oil:", "term")
        draft.add("What burns in the lamp.", "definition", level=1)

    assert "Lamp oil: What burns in the lamp." in [passage.shown for passage in passages(stored(fill))]
