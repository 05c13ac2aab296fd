"""Lead-ins: which lists a sentence introduces."""

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.drafts import stored
from tests.pipelines.query.extracts.test_passages import passages


def test_a_list_ends_where_entries_outside_of_it_begin() -> None:
    def lamps(draft: Draft) -> None:
        draft.add("The most common lamps are:")
        for name in ("oil", "gas"):
            draft.add(name, "term", level=1)
            draft.add(f"Burns {name}.", "definition", level=2)
        draft.add("class OilLamp", "term")
        draft.add("Is an oil lamp.", "definition", level=1)

    shown = [passage.shown for passage in passages(stored(lamps))]
    assert "The most common lamps are:\noil: Burns oil.\ngas: Burns gas." in shown
    assert not any("OilLamp" in one and "common" in one for one in shown)


def test_a_short_sentence_that_announces_a_list_leads_into_it() -> None:
    def lamps(draft: Draft) -> None:
        draft.add("Here is a list of all lamps.")
        draft.add("- oil lamps", "item")
        draft.add("- gas lamps", "item")

    shown = [passage.shown for passage in passages(stored(lamps))]
    assert "Here is a list of all lamps.\n- oil lamps\n- gas lamps" in shown
    assert "Here is a list of all lamps." not in shown
