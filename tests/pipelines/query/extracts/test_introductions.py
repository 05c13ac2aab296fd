"""What says what a thing is, what two things differ in, and which things there are, by its heading or its place."""

from dataclasses import replace

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring, favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, stored


def test_who_wrote_a_manual_is_not_what_its_thing_is() -> None:
    def manual(draft: Draft) -> None:
        draft.add("Version 5.4 organized by Ethan Moor and many others")
        draft.add("Guide is a portable tool for tides and winds. It is free.")

    found = choose("What is Guide?", manual, favouring_a_little("Version"), most=1)
    assert found.extracts[0].shown.startswith("Guide is a portable tool")


def test_a_section_that_begins_with_what_the_page_does_introduces_nothing() -> None:
    def notes(draft: Draft) -> None:
        draft.add_heading(1, "Reefing")
        draft.add("This notebook shows how sails of all sizes are reefed in a storm.")
        draft.add_heading(1, "Storms")
        draft.add("Reefing is the art of making sails smaller in a storm.")

    found = choose("What is reefing?", notes, favouring("storm", "sails"), most=1)
    assert found.extracts[0].shown == "Reefing is the art of making sails smaller in a storm."


@pytest.mark.parametrize("heading", ["Cleats and bollards", "1.2 Bollards vs. cleats", "Cleats, bollards"])
def test_a_section_on_two_things_tells_their_difference(heading: str) -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, heading)
        draft.add("The one stands on the deck, the other one on the pier.")
        draft.add_heading(1, "Winches")
        draft.add("There is no difference between cleats and bollards of steel and of iron.")

    text, question = stored(manual), "What is the difference between cleats and bollards?"
    found = Chooser(favouring_a_little("steel"), TERMS).choose(question, [hit(text)], [text], 1)
    assert found.extracts[0].shown.startswith("The one stands")


def test_a_section_that_speaks_of_two_things_together_tells_no_difference() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Cleating bollards")
        draft.add("The rope goes around both of them twice.")
        draft.add_heading(1, "Winches")
        draft.add("Cleats are on deck, and bollards on the pier, where the iron rings are.")

    text, question = stored(manual), "What is the difference between cleats and bollards?"
    found = Chooser(favouring_a_little("iron"), TERMS).choose(question, [hit(text)], [text], 1)
    assert found.extracts[0].shown.startswith("Cleats are")


def test_the_heading_of_a_list_may_say_that_it_is_one() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Boat state codes")
        for code in ("AF afloat", "AG aground", "MO moored"):
            draft.add(f"- {code} where the harbour says so", "item", level=1)
        draft.add_heading(1, "Search")
        draft.add("Boats are found by name, by flag, and by state of the boat if one is given.")

    found = choose("What are the boat states?", manual, favouring_a_little("flag"), most=1)
    assert "AG aground" in found.extracts[0].shown


def test_a_tagline_is_one_line_and_not_several_exclamations() -> None:
    def front(draft: Draft) -> None:
        draft.add("Simple. Quick. Made of rope. Take two.")
        draft.add("Ebb is the board that tells a harbour when the tide is low.")

    found = choose("What is Ebb?", front, favouring_a_little("Quick"), most=1)
    assert found.extracts[0].shown.startswith("Ebb is the board")


def test_below_its_name_the_sentence_that_says_what_a_thing_is_comes_before_the_first_one() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Ebb")
        draft.add("Ebb needs the help of everybody who sails, and of their friends.")
        draft.add("Ebb is a board that tells a harbour when the tide is low.")

    found = choose("What is Ebb?", manual, favouring_a_little("friends"), most=1)
    assert found.extracts[0].shown.startswith("Ebb is a board")


def test_the_paragraph_that_says_what_a_thing_is_is_read_though_another_part_was_found() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Signals of the harbour")
        draft.add("Everybody hears it. The fog horn, or FH, is a horn that sounds once a minute.")
        for number in range(14):
            draft.add_heading(1, f"Pier {number}")
            draft.add(f"The FH of pier {number} is heard far away and painted in spring.")

    text = stored(manual)
    found = Chooser(favouring(), TERMS).choose("What is FH?", [hit(text, "pier 3")], [text], 1)
    assert found.extracts[0].shown.endswith("is a horn that sounds once a minute.")
    assert found.extracts[0].headings == ("Signals of the harbour",)


def test_a_thing_that_is_named_everywhere_is_looked_for_around_the_hit() -> None:
    def book(draft: Draft) -> None:
        for number in range(3_000):
            draft.add(f"The FH of pier {number} is heard far away.")
        draft.add("The FH is a horn that sounds once a minute.")

    text = stored(book)
    far = Chooser(favouring(), TERMS).choose("What is FH?", [hit(text, "pier 3 ")], [text], 1)
    near = Chooser(favouring(), TERMS).choose("What is FH?", [hit(text, "pier 2990")], [text], 1)
    assert "horn" not in far.extracts[0].shown
    assert near.extracts[0].shown == "The FH is a horn that sounds once a minute."


def test_a_version_from_before_blocks_were_kept_is_asked_what_a_thing_is() -> None:
    text = replace(stored(lambda draft: draft.add("The FH is a horn that sounds once a minute.")), blocks=())
    found = Chooser(favouring(), TERMS).choose("What is FH?", [hit(text)], [text], 1)
    assert found.extracts[0].shown == "The FH is a horn that sounds once a minute."


def test_what_says_what_a_thing_is_comes_before_what_only_speaks_of_it() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Ropes of the quay and of the pier")
        draft.add("Emphasizing that hemp binds well, the yard asks for hemp on all of its old and new boats.")
        draft.add("The yard plans to buy hemp, a fibre that ropes are twisted from.")

    found = choose("What is hemp?", manual, favouring("binds well"), most=1)
    assert found.extracts[0].shown.startswith("The yard plans to buy hemp, a fibre")
