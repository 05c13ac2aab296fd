"""Lists inside of the items of long lists, and what is left of a list that does not fit."""

import numpy as np

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit, passages, stored

REST = "It is checked by the mate before the boat leaves, and once more by the skipper when she is back at the pier. "


def rules(draft: Draft) -> None:
    draft.add("These rules hold for the log:")
    draft.add(f"- Names are written in full. {REST * 3}", "item", level=1)
    draft.add("- For the weather, these words are known:", "item", level=1)
    draft.add("fair: sun, clear", "row", level=2)
    draft.add("foul: rain, gale", "row", level=2)
    draft.add("- A course is given in one of these ways:", "item", level=1)
    draft.add("compass", "code", level=2)
    draft.add("- Crew is listed by rank:", "item", level=1)
    for name in ("skipper", "mate"):
        draft.add(name, "term", level=2)
        draft.add(REST, "definition", level=3)


def test_an_item_that_leads_into_a_list_is_shown_with_its_entries_or_a_sign() -> None:
    whole = next(passage for passage in passages(stored(rules)) if passage.kind == "list")
    assert whole.shown.split("\n")[2:] == [
        "- For the weather, these words are known: fair: sun, clear; foul: rain, gale",
        "- A course is given in one of these ways: \u2026",
        "- Crew is listed by rank: skipper, mate",
    ]


def test_a_lead_in_that_only_refers_back_comes_with_the_sentence_before_it() -> None:
    def crew(draft: Draft) -> None:
        draft.add("The log is kept dry. Do not change the log at sea. This includes:")
        draft.add(f"- tearing out pages {REST * 4}", "item", level=1)
        draft.add(f"- drawing fish {REST * 4}", "item", level=1)

    items = [passage.shown for passage in passages(stored(crew)) if passage.kind == "item"]
    assert all(item.startswith("Do not change the log at sea. This includes:\n- ") for item in items)


def test_one_item_does_not_stand_for_a_list_that_is_too_long() -> None:
    def log(draft: Draft) -> None:
        draft.add_heading(1, "Log")
        draft.add("The log has these uses:")
        for use in ("proof", "pride"):
            draft.add(f"- {use} of the log. {REST}", "item", level=1)
        draft.add("Its keepers are chosen each spring.")
        draft.add("The log has these further uses, by age:")
        for use in ("rest", "work", "play", "pay", "song", "prayer"):
            draft.add(f"- {use}: {' '.join(f'{use}{number}' for number in range(24))}", "item", level=1)

    near = Reader(lambda question, texts: np.array([9.0 * ("pride" in one) + ("song" in one) for one in texts]), gap=20)
    found = choose("Which uses does the log have?", log, near)
    assert not any("further" in extract.shown for extract in found.extracts)


def test_the_number_of_a_footnote_is_not_shown_before_its_text() -> None:
    def note(draft: Draft) -> None:
        draft.add("Lamps are lit at dusk.")
        draft.add("[17] Pilots light their lamps at noon.", "note", level=0)

    (extract,) = choose("When do pilots light lamps?", note, favouring("noon"), most=1).extracts
    assert extract.shown == "Pilots light their lamps at noon."


def test_the_title_may_say_whose_the_things_of_a_list_are() -> None:
    def guide(draft: Draft) -> None:  # its title is Guide
        draft.add_heading(1, "Aims")
        draft.add("To be short is reached in two ways:")
        for way in ("words are left out", "pictures are drawn"):
            draft.add(f"- {way}", "item", level=1)
        draft.add_heading(1, "More")
        draft.add("To be plain, here are all aims in their order:")
        for aim in ("calm", "care", "cheer"):
            draft.add(f"- {aim} on board", "item", level=1)

    text = stored(guide)
    chooser = Chooser(Reader(lambda question, texts: np.array([4.0 * ("short" in one) for one in texts])), TERMS)
    (extract,) = chooser.choose("Which aims does the guide have?", [hit(text)], [text], 1).extracts
    assert "cheer on board" in extract.shown


def test_the_list_in_an_item_answers_a_question_for_it_rather_than_the_list_around_it() -> None:
    def rules(draft: Draft) -> None:
        draft.add_heading(1, "Rules")
        draft.add("Guests of the harbour agree:")
        draft.add(f"1) to keep a log. {REST * 3}", "item", level=1)
        draft.add("2) to keep from rude conduct. Examples of rude conduct are:", "item", level=1)
        for conduct in ("shouting at those who work on the pier", "painting the pier", "fishing from boats of others"):
            draft.add(f"- {conduct}", "item", level=2)
        draft.add(f"3) to leave at noon. {REST * 3}", "item", level=1)

    reader = Reader(lambda _, texts: np.array([4.0 * ("rude" in text) - 8.0 * ("noon" in text) for text in texts]))
    found = choose("What are examples of rude conduct?", rules, reader, most=1)
    assert found.extracts[0].shown.splitlines()[2:] == [
        "- shouting at those who work on the pier",
        "- painting the pier",
        "- fishing from boats of others",
        "…",
    ]
