"""Lead-ins: which lists a sentence introduces."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, kit
from tests.pipelines.query.extracts.drafts import passages, stored


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


PREAMBLE = (
    'This agreement is made on 3 February 2026 between Ebb Harbours Ltd., 22 Mill Road ("the Landlord"), and '
    'Priya Raman and Jonas Weil (hereinafter "the Tenants").'
)


def contract(draft: Draft) -> None:
    draft.add(PREAMBLE)
    draft.add("1. Pets. Cats are allowed in all rooms of the house. Dogs need consent.", "item", level=1)
    draft.add("2. Rent. The rent is 900 euros a month. It is paid in advance.", "item", level=1)


def test_a_preamble_leads_into_no_clause() -> None:
    shown = [passage.shown for passage in passages(stored(contract))]
    assert PREAMBLE in shown
    assert "1. Pets. Cats are allowed in all rooms of the house. Dogs need consent." in shown


@pytest.mark.parametrize(
    "lead_in",
    [
        "The mooring is done in two steps.",
        "The following two steps, which every new member of the crew learns on the first day of a trip, moor the boat "
        "at the outer buoy of the harbour.",
    ],
)
def test_a_sentence_leads_into_steps_with_titles(lead_in: str) -> None:
    def steps(draft: Draft) -> None:
        draft.add(lead_in)
        draft.add("1. Approach. Sail against the wind and take the speed off. Stop at the buoy.", "item", level=1)
        draft.add("2. Tie. Take the rope through the ring of the buoy. Come back aboard.", "item", level=1)

    assert any(one.shown.startswith(lead_in) and "2. Tie." in one.shown for one in passages(stored(steps)))


HEAD = (
    "Present: Ida Holm (chair), Bo Lund (treasurer), Dr Mia Falk, Jon Reyes, Pastor Ole Strand (until item 2)\n"
    "Apologies: Councillor Petra Vang, Tove Rask"
)


@pytest.mark.parametrize("last", ["", " The fee for a lost rope is 20 euros, and a new one is 15 euros a metre."])
def test_what_only_stands_above_a_numbered_section_leads_into_none(last: str) -> None:
    def minutes(draft: Draft) -> None:
        draft.add(HEAD + last)
        draft.add("1. MOORINGS\nThe pier was repaired in May.", "item", level=1)
        draft.add("2. LAMPS\nTwo lamps are to be replaced.", "item", level=1)

    shown = [passage.shown for passage in passages(stored(minutes))]
    assert "1. MOORINGS The pier was repaired in May." in shown
    assert any(one.startswith("Present:") and "MOORINGS" not in one for one in shown)


@pytest.mark.parametrize(
    "lead_in",
    [
        "On the last evening of every trip, before anybody goes ashore, the ropes, the lamps and the anchor are "
        "checked by two members of the crew, who then",
        "On the last evening of every trip, before anybody goes ashore, the ropes, the lamps and the anchor are "
        "checked by two members of the crew. There are several reasons for it.",
    ],
)
def test_a_long_paragraph_that_goes_on_or_speaks_of_several_leads_into_steps(lead_in: str) -> None:
    def steps(draft: Draft) -> None:
        draft.add(lead_in if lead_in.endswith(".") else f"{lead_in} must")
        draft.add("1. coil the ropes", "item", level=1)
        draft.add("2. put out the lamps", "item", level=1)

    assert any("crew" in one.shown and "2. put out" in one.shown for one in passages(stored(steps)))


def test_a_long_paragraph_inside_of_a_step_does_not_end_the_steps() -> None:
    def steps(draft: Draft) -> None:
        draft.add("A mooring is done like this:")
        draft.add("1. Sail against the wind.", "item", level=1)
        draft.add(HEAD, level=2)
        draft.add("2. Tie the rope.", "item", level=1)

    assert any("done like this" in one.shown and "2. Tie" in one.shown for one in passages(stored(steps)))


def test_prose_that_ends_in_a_lead_in_is_shown_without_it() -> None:
    def lamps(draft: Draft) -> None:
        draft.add("A lamp is used to warn boats of rocks. Its two states are:")
        draft.add("Lit: the lamp burns.")

    text = stored(lamps)
    (found,) = (passage for passage in passages(text) if "warn" in passage.shown)
    assert found.shown == "A lamp is used to warn boats of rocks."
    assert text.text[found.span.start : found.span.end] == found.shown
    assert not any(passage.shown.endswith(":") for passage in passages(text))


@pytest.mark.parametrize("items", [2, 60])
def test_what_stands_before_the_lead_in_of_a_list_is_a_passage_of_its_own(items: int) -> None:
    def lamps(draft: Draft) -> None:
        draft.add("A lamp is a light for boats. It stands on a pier. Its parts are:")
        for number in range(items):
            draft.add(f"- the part number {number}", "item", level=1)

    text = stored(lamps)
    found = [passage for passage in passages(text) if passage.kind == "sentences"]
    assert [passage.shown for passage in found] == ["A lamp is a light for boats. It stands on a pier."]
    assert text.text[found[0].span.start : found[0].span.end] == found[0].shown


def test_prose_of_one_word_is_no_passage() -> None:
    text = stored(lambda draft: [draft.add(one) for one in ("moor-all-boats.sh", "moor all boats")])
    assert [one.shown for one in passages(text)] == ["moor all boats"]


def test_a_list_is_as_close_to_the_question_as_its_best_item() -> None:
    def read(question: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        return np.array([4.0 * ("ticket" in text and "jacket" not in text) for text in texts])

    found = choose("Which things does a guest bring?", kit, Reader(read), most=1)
    assert found.extracts[0].shown == "Every guest brings:\n- a warm jacket\n- a bottle of water\n- a ticket"
    assert found.signals["similarity"] == found.signals["closest"] == 4.0


def berths(draft: Draft) -> None:
    draft.add("Not possible at the berths are:")
    draft.add("- welding on deck", "item", level=1)
    draft.add("- the use of open fires, 3 m or higher", "item", level=1)
    draft.add("- repairs of hulls", "item", level=1)


def favouring_one_item(said: str) -> Reader:
    """A reader that prefers the item which says something, shown alone."""
    return Reader(lambda question, texts: np.array([3.0 * (said in one) - 2.0 * one.count("\n- ") for one in texts]))


def test_all_items_are_shown_where_only_what_leads_into_them_says_what_is_asked() -> None:
    shown = (
        choose("What cannot be done at the berths?", berths, favouring_one_item("welding"), most=1).extracts[0].shown
    )
    assert shown.count("\n- ") == 3


@pytest.mark.parametrize(
    ("question", "item"),
    [("Why is the welding bad at berths?", "welding"), ("How high are the fires at the berths?", "fires")],
)
def test_an_item_that_says_what_is_asked_is_shown_alone(question: str, item: str) -> None:
    shown = choose(question, berths, favouring_one_item(item), most=1).extracts[0].shown
    assert shown.count("\n- ") == 1
    assert item in shown


def test_an_item_loses_only_the_sentence_that_leads_into_what_is_not_there() -> None:
    def options(draft: Draft) -> None:
        draft.add("-t, --tide", "term")
        draft.add("Wait for the tide. This is how the tide table looks:", "definition", level=1)
        draft.add("-m, --mole", "term")
        draft.add("These are the moles of the harbour:", "definition", level=1)

    shown = [passage.shown for passage in passages(stored(options)) if passage.kind == "item"]
    assert shown == ["-t, --tide: Wait for the tide."]
