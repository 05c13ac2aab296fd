"""Lists and tables that are too long to be read as a whole: the parts around the hits are."""

from typing import Literal

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.passages.passages import passages_of
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import hit, passages, stored
from tests.pipelines.query.hits import terms

BOATS = 950


def fleet(draft: Draft) -> None:
    draft.add_heading(1, "Fleet")
    draft.add_table([["Boat", "Berth"], *([f"boat{number}", f"berth{number}"] for number in range(BOATS))])
    draft.add("Boats leave at nine.")


def crew(draft: Draft) -> None:
    draft.add("These sail with us:")
    for number in range(BOATS):
        draft.add(f"- sailor{number} on boat{number} of the fleet", "item", level=1)


@pytest.mark.parametrize("number", [0, 199, 200, 201, 399, 640, BOATS - 1])
def test_the_rows_around_a_hit_are_read_with_the_names_of_their_columns(number: int) -> None:
    text = stored(fleet)
    found = passages_of([hit(text, f"boat{number} | berth{number}")], [text])
    shown = [passage.shown for passage in found if passage.kind == "row"]
    assert f"Boat: boat{number}; Berth: berth{number}" in shown
    assert len(shown) <= 200


@pytest.mark.parametrize("number", [0, 250, BOATS - 1])
def test_the_items_around_a_hit_are_read_with_what_leads_into_them(number: int) -> None:
    text = stored(crew)
    found = passages_of([hit(text, f"sailor{number} on")], [text])
    said = f"- sailor{number} on boat{number} of the fleet"
    assert any(said in passage.shown and passage.shown.startswith("These sail with us:") for passage in found)


def test_parts_are_read_once_and_each_that_a_hit_lies_in() -> None:
    text = stored(fleet)
    hits = [hit(text, f"boat{number} | berth{number}") for number in (5, 7, 500)]
    shown = [passage.shown for passage in passages_of(hits, [text] * 3) if passage.kind == "row"]
    assert len(shown) == len(set(shown))
    assert "Boat: boat500; Berth: berth500" in shown
    assert "Boat: boat7; Berth: berth7" in shown


def test_a_hit_over_the_border_of_two_parts_reads_both() -> None:
    text = stored(fleet)
    said = text.text[text.text.index("boat198 |") : text.text.index("boat203 |")]
    shown = {passage.shown for passage in passages_of([hit(text, said)], [text]) if passage.kind == "row"}
    assert {"Boat: boat199; Berth: berth199", "Boat: boat202; Berth: berth202"} <= shown


def test_a_part_of_a_long_list_does_not_stand_for_items_of_another_part() -> None:
    def sails(draft: Draft) -> None:
        draft.add("These sails can be bought:")
        for number in range(206):
            of = "blue loft in the far harbour, sewn by hand" if number in (50, 52) else "loft" if number < 200 else ""
            draft.add(f"- sail number {number} {of}", "item", level=1)

    text = stored(sails)
    hits = [hit(text, "sail number 50"), hit(text, "sail number 203")]
    found = Chooser(favouring("blue"), terms).choose("What about blue sails?", hits, [text] * 2, 2)
    assert "sail number 50 blue loft" in found.extracts[0].shown
    assert len(found.extracts[0].quote) < 200


def test_what_a_thing_is_comes_before_its_further_names_where_an_entry_is_cut_short() -> None:
    def knots(draft: Draft) -> None:
        for number in range(6):
            for ending in ("", " loosely around the post", " twice around the ring of the pier"):
                draft.add(f"tie knot{number}{ending}", "term")
            draft.add(f"Ties the knot of pier {number}. {'It holds well. ' * 20}", "definition", level=1)

    text = stored(knots)
    shown = next(passage.shown for passage in passages_of([hit(text)], [text]) if passage.kind == "list")
    assert shown.startswith("- tie knot0: Ties the knot of pier 0.\n- tie knot1: Ties")


def test_terms_above_other_terms_are_shown_with_the_names_of_these_where_a_list_is_cut_short() -> None:
    def knots(draft: Draft) -> None:
        draft.add("There are many knots:")
        for kind in ("Loops:", "Hitches"):
            draft.add(kind, "term", level=1)
            for number in range(3):
                draft.add(f"{kind[:4]}{number}", "term", level=2)
                draft.add(f"It holds well. {'It is old. ' * 20}", "definition", level=3)

    text = stored(knots)
    shown = next(passage.shown for passage in passages_of([hit(text)], [text]) if passage.kind == "list")
    assert shown == "There are many knots:\n- Loops: Loop0, Loop1, Loop2\n- Hitches: Hitc0, Hitc1, Hitc2"


@pytest.mark.parametrize("kind", ["term", "item"])
def test_of_a_list_that_is_too_long_to_be_cut_short_the_names_are_shown(kind: Literal["term", "item"]) -> None:
    def knots(draft: Draft) -> None:
        draft.add("There are many knots:")
        for number in range(35):
            if kind == "term":
                draft.add(f"knot{number}", "term")
                draft.add(f"It holds well. {'It is old. ' * 20}", "definition", level=1)
            else:
                draft.add(f"- knot{number}: It holds well. {'It is old. ' * 20}", "item", level=1)
        if kind == "item":
            draft.add("- knot35 - it is old", "item", level=1)

    text = stored(knots)
    shown = next(passage.shown for passage in passages_of([hit(text)], [text]) if passage.kind == "list")
    assert shown.startswith("There are many knots:\n- knot0, knot1, knot2, ")
    assert shown.endswith(" …")


def test_an_item_that_is_only_a_name_is_shown_with_what_the_paragraph_below_it_says() -> None:
    def knots(draft: Draft) -> None:
        draft.add("There are two knots:")
        for name in ("Bowline", "Cleat hitch"):
            draft.add(f"- {name}", "item", level=1)
            draft.add(f"The {name.lower()} holds well. {'It is old. ' * 60}", level=2)

    text = stored(knots)
    shown = [passage.shown for passage in passages_of([hit(text)], [text]) if passage.kind in ("list", "item")]
    assert shown[0] == (
        "There are two knots:\n- Bowline: The bowline holds well.\n- Cleat hitch: The cleat hitch holds well."
    )
    assert "There are two knots:\n- Bowline: The bowline holds well.\n…" in shown


@pytest.mark.parametrize(
    ("question", "expected"),
    [("How do I tie a ring?", "- knot0"), ("Which knots are there?", "There are many knots:\n- knot0, knot1, knot2, ")],
)
def test_names_alone_answer_where_a_list_is_asked_for_and_do_not_say_how(question: str, expected: str) -> None:
    def knots(draft: Draft) -> None:
        draft.add("There are many knots:")
        for number in range(35):
            draft.add(f"- knot{number}: Tie a ring. {'It is old. ' * 20}", "item", level=1)

    shown = choose(question, knots, favouring("Tie a ring"), most=1).extracts[0].shown
    assert expected in shown
    assert ("knot34" in shown) == question.startswith("Which")


def test_an_item_that_begins_with_a_name_is_cut_short_behind_the_sentence_that_follows() -> None:
    def knots(draft: Draft) -> None:
        draft.add("There are two knots:")
        for name in ("Bowline", "Cleat hitch"):
            draft.add(f"- {name}. It holds well in any wind. {'It is old. ' * 60}", "item", level=1)

    text = stored(knots)
    shown = next(passage.shown for passage in passages_of([hit(text)], [text]) if passage.kind == "list")
    assert shown == (
        "There are two knots:\n- Bowline. It holds well in any wind.\n- Cleat hitch. It holds well in any wind."
    )


def test_rows_behind_a_note_keep_the_names_of_their_columns() -> None:
    def notice(draft: Draft) -> None:
        draft.add("* This list is made on the 10th and the 25th of each month.", "note")
        rows = [[f"Boat {number}", "oak mast, three sails and a lamp of brass", "North"] for number in range(40)]
        draft.add_table([["Boat", "Rig", "Pier"], *rows])

    rows = [one.shown for one in passages(stored(notice), "Boat 7") if one.kind == "row"]
    assert "Boat: Boat 7; Rig: oak mast, three sails and a lamp of brass; Pier: North" in rows
