"""Values that stand inside of the long entry of a setting."""

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring

_LONG = "The harbour master writes it down in the book of the pier at the end of each day of the year. " * 9


def test_what_stands_inside_of_an_entry_answers_rather_than_its_beginning() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "Settings")
        for name in ("tide_level", "lamp_oil", "bell_rope"):
            draft.add(f"{name} (enum)", "term")
            draft.add(f"{name} says how the pilot works.", "definition", level=1)
            draft.add(f"It may be calm, rough or high for {name}.", "paragraph", level=1)
            draft.add(_LONG, "paragraph", level=1)

    shown = choose("Which values can tide_level have?", settings, favouring("tide_level"), most=1).extracts[0].shown
    assert "calm, rough or high for tide_level" in shown
