import numpy as np
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extraction
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring, kit
from tests.pipelines.query.extracts.drafts import hit, stored


def test_the_best_extract_comes_first_and_is_verbatim() -> None:
    text = stored(kit)
    found = choose("When do boats leave?", text, favouring("nine"))
    first = found.extracts[0]
    assert "Boats leave at nine." in first.shown
    assert first.quote == text.text[first.span.start : first.span.end]
    assert first.headings == ("Trips",)


def test_a_list_that_is_asked_for_is_shown_whole_where_one_item_answers() -> None:
    found = choose("Which things does a guest bring?", kit, favouring("ticket"), most=1)
    assert found.extracts[0].shown == "Every guest brings:\n- a warm jacket\n- a bottle of water\n- a ticket"


def test_a_list_is_read_where_one_is_asked_for_though_prose_has_more_words_of_the_question() -> None:
    def catalogue(draft: Draft) -> None:
        for number in range(14):
            draft.add(f"Engines for scans are supported in plan {number}, which engines are chosen in its settings.")
        draft.add("These can be chosen:")
        draft.add("- Tesseract", "item", level=1)
        draft.add("- Ollama", "item", level=1)

    shown = (
        choose("Which engines are supported?", catalogue, favouring("Tesseract", "Ollama"), most=1).extracts[0].shown
    )
    assert shown == "These can be chosen:\n- Tesseract\n- Ollama"


def test_the_sentence_that_says_what_a_thing_is_comes_before_others_about_it() -> None:
    def harbour(draft: Draft) -> None:
        draft.add("- Bollard is the first word of the song.", "item", level=1)
        for number in range(14):
            draft.add(f"A bollard of the harbour, the bollard of pier {number}, is painted in spring.")
        draft.add("A bollard is a short post that ships are tied to.")

    found = choose("What is a bollard?", harbour, favouring("bollard"), most=1)
    assert found.extracts[0].shown == "A bollard is a short post that ships are tied to."


def test_two_items_of_one_list_are_shown_as_the_list() -> None:
    found = choose("What about jacket and water?", kit, favouring("jacket", "water"))
    assert [one.shown.count("Every guest brings:") for one in found.extracts] == [1]


def test_of_long_prose_the_sentence_that_answers_is_shown_with_its_neighbours() -> None:
    said = [f"The clerk wrote line {number} of the long report about the harbour." for number in range(20)]
    said[11] = "The lighthouse is forty metres high."
    found = choose("How high is the lighthouse?", lambda draft: draft.add(" ".join(said)), favouring("lighthouse"), 1)
    (extract,) = found.extracts
    assert "The lighthouse is forty metres high." in extract.shown
    assert len(extract.shown.split()) <= 60


def test_a_passage_without_a_number_loses_where_one_is_asked_for() -> None:
    def fill(draft: Draft) -> None:
        draft.add("The tower is high, says the guide of the tower.")
        draft.add("The tower measures 40 metres.")

    found = choose("How high is the tower?", fill, favouring("tower"), most=1)
    assert found.extracts[0].shown == "The tower measures 40 metres."


def test_a_passage_about_another_version_loses_where_one_speaks_of_the_version_that_is_asked_for() -> None:
    def charts(draft: Draft) -> None:
        draft.add("Chart 2.1 shows the harbours of the north.")
        draft.add("Chart 2.2 shows those of the south.")

    found = choose("Which harbours does chart 2.2 show?", charts, favouring("shows"), most=1)
    assert found.extracts[0].shown == "Chart 2.2 shows those of the south."


def test_a_day_is_told_from_another_of_the_same_figures() -> None:
    def boats(draft: Draft) -> None:
        draft.add("Boats left on 2012/04/01 at nine.")
        draft.add("Boats left on 2012/01/04 at noon.")

    found = choose("When did boats leave on 4 January 2012?", boats, favouring("left"), most=1)
    assert found.extracts[0].shown == "Boats left on 2012/01/04 at noon."


def test_the_number_of_a_note_is_quoted_and_not_shown() -> None:
    found = choose(
        "When do boats leave?", lambda draft: draft.add("11The boats leave at nine.", "note"), favouring("nine")
    )
    assert [(one.quote, one.shown) for one in found.extracts] == [
        ("11The boats leave at nine.", "The boats leave at nine.")
    ]


def test_extracts_neither_overlap_nor_repeat() -> None:
    def fill(draft: Draft) -> None:
        draft.add("Boats leave at nine.")
        draft.add("Boats leave at nine.")

    found = choose("When do boats leave?", fill, favouring("nine"))
    assert [one.shown for one in found.extracts] == ["Boats leave at nine."]


def test_a_passage_much_worse_than_the_first_is_left_out() -> None:
    def fill(draft: Draft) -> None:
        draft.add("Boats leave the harbour at nine.")
        draft.add("Cooks peel potatoes all morning.")

    found = choose("When do boats leave?", fill, favouring("Boats", "harbour", "nine"))
    assert len(found.extracts) == 1


def test_the_signals_measure_how_well_the_first_answers() -> None:
    found = choose("When do boats leave?", kit, favouring("nine"))
    assert found.signals["similarity"] == found.signals["closest"] == 0.0
    assert found.signals["spread"] > 0
    assert 0.5 < found.signals["covered"] <= 1.0


def test_nothing_comes_of_hits_without_prose() -> None:
    assert choose("Why?", lambda draft: draft.add_heading(1, "Contents"), favouring()) == Extraction()


def test_code_behind_the_prose_is_shown_where_steps_are_asked_for() -> None:
    def manual(draft: Draft) -> None:
        draft.add("The tide table is exported as text. Set the mode to text first.")
        draft.add("tide --mode text", "code")

    question = "How do I export the tide table?"
    assert choose(question, manual, favouring("exported"), most=1).extracts[0].shown.endswith("\ntide --mode text")
    other = choose("Is the tide table exported?", manual, favouring("exported"), most=1).extracts[0]
    assert other.shown.endswith("Set the mode to text first.")


@pytest.mark.parametrize(
    ("said", "above"),
    [
        ("The command writes the tide table.", "To export, enter this:\ntide export\n"),
        ("Ropes are not needed to export it.", ""),
    ],
)
def test_code_above_the_prose_is_shown_where_the_prose_speaks_of_it(said: str, above: str) -> None:
    def manual(draft: Draft) -> None:
        draft.add("Harbours have tides.")
        draft.add("To export, enter this:")
        draft.add("tide export", "code", level=1)
        draft.add(said)

    found = choose("How do I export the tide table?", manual, favouring(said[:12]), most=1).extracts[0]
    assert found.shown == above + said
    assert found.quote.split() == found.shown.split()


def test_the_head_of_a_message_answers_only_who_and_when() -> None:
    def message(draft: Draft) -> None:
        draft.add("From: Ann\nTo: crew@example.com\nDate: Mon, 6 Apr 2026")
        draft.add("Bring a rope to the harbour on Friday, says the club.")

    assert choose("What must the crew do?", message, favouring(), most=1).extracts[0].shown.startswith("Bring")
    assert choose("Who wrote to the crew?", message, favouring("crew"), most=1).extracts[0].shown.startswith("From")


def test_a_list_of_other_things_gains_nothing_where_a_list_is_asked_for() -> None:
    def guide(draft: Draft) -> None:
        draft.add_heading(1, "The ferry is")
        draft.add("- fast", "item", level=1)
        draft.add("- clean and dry", "item", level=1)
        draft.add_heading(1, "Payment")
        draft.add("The ferry takes most cards, and cash.")

    found = choose("Which cards does the ferry take?", guide, favouring("ferry"), most=1)
    assert found.extracts[0].shown == "The ferry takes most cards, and cash."


def test_neighbours_are_one_extract_in_the_order_of_the_text() -> None:
    def answer(draft: Draft) -> None:
        draft.add("Since May, dogs are not allowed on board.")
        draft.add("But small dogs in a basket are welcome, dogs that sleep.")

    text = stored(answer)
    (extract,) = choose("Are small dogs that sleep welcome?", text, favouring("dogs")).extracts
    assert extract.shown == (
        "Since May, dogs are not allowed on board.\nBut small dogs in a basket are welcome, dogs that sleep."
    )
    assert extract.quote == text.text[extract.span.start : extract.span.end]


def test_of_options_cut_short_the_one_that_says_how_is_shown() -> None:
    def options(draft: Draft) -> None:
        draft.add("The ferry has these options:")
        for number in range(12):
            draft.add(
                f"- option{number}: " + "the manual of the ferry describes this option at length " * 2,
                "item",
                level=1,
            )
        draft.add(
            "- speed: sets the limit of knots, in whole knots, by which the ferry is bound at sea", "item", level=1
        )

    found = choose("How do I set a limit of knots?", options, favouring("knots", "bound at sea"), most=1)
    assert found.extracts[0].shown.startswith("The ferry has these options:\n- speed: sets the limit of knots")
    assert found.extracts[0].shown.endswith("bound at sea\n…")


@pytest.mark.parametrize(("words", "begins"), [(8, "The ferry carries:"), (60, "- crates")])
def test_the_quote_of_an_item_begins_with_the_lead_in_that_is_shown_unless_that_is_far_above(
    words: int, begins: str
) -> None:
    def load(draft: Draft) -> None:
        draft.add("The ferry carries:")
        for what in ("cars", "letters", "mail"):
            draft.add(f"- {what}, " + "which the crew lashes to the deck " * words, "item", level=1)
        draft.add("- crates of tin", "item", level=1)

    (extract,) = choose("Does the ferry carry tin?", load, favouring("tin"), most=1).extracts
    assert extract.shown == "The ferry carries:\n- crates of tin\n…"
    assert extract.quote.startswith(begins)
    assert extract.quote.endswith("- crates of tin")


def test_a_long_list_that_the_question_leads_into_is_shown_rather_than_one_of_its_items() -> None:
    def report(draft: Draft) -> None:
        draft.add("To report a leak, please tell us the following.")
        for number in range(8):
            draft.add(f"{number + 1}. The place of it, " + "as the crew has seen it " * 15, "item", level=1)
        draft.add("9. How the leak was found.", "item", level=1)

    short = Reader(lambda question, texts: np.array([4.0 * ("found" in text) - len(text) / 500 for text in texts]))
    (extract,) = choose("How do I report a leak?", report, short, most=1).extracts
    assert "\n1. The place of it" in extract.shown
    assert extract.shown.endswith("9. How the leak was found.")


def test_code_is_not_shown_twice_where_the_prose_before_it_answers_too() -> None:
    def release(draft: Draft) -> None:
        draft.add("Boats are let go with one rope. Cast it off at high tide.")
        draft.add("cast off --rope 1 --tide high", "code")

    reader = Reader(lambda _, texts: np.array([2.0 * ("--rope" in text) for text in texts]))
    found = choose("How do I let a boat go?", release, reader)
    assert "\n".join(one.shown for one in found.extracts).count("--rope 1") == 1


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("How is a lantern lit?", "A lantern is lit with a long match."),
        ("What changed about how a lantern is lit?", "- A lantern is lit in a new way"),
    ],
)
@pytest.mark.parametrize(
    "heading", ["Changelog", "Change log 1.x", "1.3.5 (April 15, 2014)", "Release 2.0 - 2023-06-11"]
)
def test_a_list_of_changes_answers_only_what_changed(question: str, chosen: str, heading: str) -> None:
    def handbook(draft: Draft) -> None:
        draft.add_heading(1, "Lanterns")
        draft.add("A lantern is lit with a long match.")
        draft.add_heading(2, heading)
        draft.add("- A lantern is lit in a new way", "item")
        draft.add("- Oil is bought in tins", "item")

    reader = Reader(lambda _, texts: np.array([1.5 * ("new way" in text) for text in texts]))
    assert choose(question, handbook, reader, most=1).extracts[0].shown.startswith(chosen)


def test_a_line_of_links_answers_only_where_something_is() -> None:
    def page(draft: Draft) -> None:
        draft.add("Lantern talk: https://lanterns.example/talk")
        draft.add("Keepers talk about lanterns at noon on Sundays.")

    reader = Reader(lambda _, texts: np.array([0.8 * ("talk:" in text) for text in texts]))
    assert choose("Who talks about lanterns?", page, reader, most=1).extracts[0].shown.startswith("Keepers")
    assert (
        choose("What is the link of the lantern talk?", page, reader, most=1)
        .extracts[0]
        .shown.startswith("Lantern talk")
    )


def test_a_section_on_changes_of_something_is_no_list_of_changes() -> None:
    def handbook(draft: Draft) -> None:
        draft.add_heading(1, "Dogs")
        draft.add("A dog in pain is a dog that needs help.")
        draft.add_heading(2, "Behavioral changes")
        draft.add("A dog in pain hides and eats less.")

    reader = Reader(lambda _, texts: np.array([0.5 * ("hides" in text) for text in texts]))
    found = choose("How does a dog in pain act?", handbook, reader, most=1)
    assert found.extracts[0].shown == "A dog in pain hides and eats less."


def long_parts(draft: Draft) -> None:
    draft.add("The harbour has these parts:")
    for part in ("pier", "crane", "lamp", "tower"):
        draft.add(
            f"- The {part} {'stands where it was built and is looked after by the harbour, ' * 4}they say.",
            "item",
            level=1,
        )


@pytest.mark.parametrize(
    ("question", "cut"), [("Who looks after it?", False), ("Which parts does the harbour have?", True)]
)
def test_a_list_is_shown_with_its_items_cut_short_only_where_one_is_asked_for(question: str, cut: bool) -> None:
    found = choose(question, long_parts, favouring("pier", "crane") if cut else favouring("pier"))
    assert (" …" in found.extracts[0].shown) is cut


def gauge(draft: Draft) -> None:
    draft.add("A gauge of this make does not measure everything that a sailor would like it to measure.")
    draft.add("The gauge measures:")
    draft.add("- the depth", "item", level=1)
    draft.add("- the wind", "item", level=1)
    draft.add("The gauge does not measure:")
    draft.add("- the current", "item", level=1)
    draft.add("- the temperature of the air", "item", level=1)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What does the gauge measure?", "The gauge measures:\n- the depth\n- the wind"),
        (
            "What does the gauge not measure?",
            "The gauge does not measure:\n- the current\n- the temperature of the air",
        ),
    ],
)
def test_a_list_whose_lead_in_says_what_is_asked_is_shown_whole(question: str, shown: str) -> None:
    text = stored(gauge)
    found = Chooser(favouring("wind", "current"), TERMS).choose(question, [hit(text)], [text], 1)
    assert found.extracts[0].shown == shown


def test_what_is_so_by_default_is_shown_where_that_is_asked() -> None:
    def tank(draft: Draft) -> None:
        draft.add("The size of the tank should be a quarter of the hull.")
        draft.add("The default size of the tank is 40 litres.")

    found = choose("What is the default size of the tank?", tank, favouring(), most=1)
    assert found.extracts[0].shown == "The default size of the tank is 40 litres."


def test_what_ends_a_sentence_around_code_is_shown_behind_it() -> None:
    def leaving(draft: Draft) -> None:
        draft.add("To leave the harbour, type:")
        draft.add("tide --leave", "code")
        draft.add("and the boat sets out at once.")

    found = choose("How do I set out with the boat?", leaving, favouring("sets out"), most=1)
    assert found.extracts[0].shown.startswith("To leave the harbour, type:\ntide --leave\nand the boat")


def test_a_name_that_only_what_was_chosen_has_is_not_absent() -> None:
    def manual(draft: Draft) -> None:
        draft.add("Lamps are lit at dusk.")
        draft.add_heading(1, "Options")
        draft.add("--wick", "term")
        draft.add("How wide the wick is.", "definition", level=1)

    text = stored(manual)
    found = Chooser(favouring("wick"), TERMS).choose("What does --wick do?", [hit(text, "Lamps are")], [text], 1)
    assert found.extracts[0].shown.endswith("How wide the wick is.")
    assert found.signals["absent"] == 0.0
