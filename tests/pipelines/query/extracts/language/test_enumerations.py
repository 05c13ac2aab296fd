"""Sentences that list the things that a question asks for."""

import numpy as np
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.enumerations import enumeration_of
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which sails does the boat have?", "The boat has three kinds of sails: main, jib and storm."),
        ("Which knots are there?", "Ropes have ends. The knots of sailors are bowlines, hitches and bends."),
        ("Which moorings are there?", "There are two forms of moorings: weight and buoy."),
        ("Which flag codes does the mast show?", "The mast shows 'ab/one' and 'cd/two' flag codes by day."),
        ("Which yards are there?", "It is built by the Ebb, Flood, and Neap family yards."),
        ("Which harbour fees exist?", "Harbour fees include mooring, water and waste."),
    ],
)
def test_a_sentence_that_lists_the_things_is_recognised(question: str, text: str) -> None:
    enumeration = enumeration_of(question)
    assert enumeration is not None
    assert enumeration.stands_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sails are white and light.",
        "This sail is for calm days, light winds and races.",
        "We have sails: see below.",
        "The boat has a keel, a mast and a rudder.",
        "It has white and light sails.",
        "The Ebb and all other sails are white.",
        "",
    ],
)
def test_a_sentence_about_the_things_lists_none(text: str) -> None:
    enumeration = enumeration_of("Which sails does the boat have?")
    assert enumeration is not None
    assert not enumeration.stands_in(text)


@pytest.mark.parametrize("question", ["What is a sail?", "How do I set a sail?", "sails", ""])
def test_other_questions_ask_for_no_enumeration(question: str) -> None:
    assert enumeration_of(question) is None


def test_prose_that_lists_the_things_comes_before_prose_about_them() -> None:
    def boats(draft: Draft) -> None:
        draft.add("The sails of the boat dry quickly and last for years.")
        draft.add("The boat has three kinds of sails: main, jib and storm.")

    found = choose("Which sails does the boat have?", boats, favouring("boat"), most=1)
    assert found.extracts[0].shown.endswith("main, jib and storm.")


@pytest.mark.parametrize(
    "line",
    [
        "The following storm sails are available by default:",
        "Sails that can be supported:",
        "The allowed values for the sail field are:",
    ],
)
def test_a_line_says_that_the_things_follow(line: str) -> None:
    enumeration = enumeration_of("Which sails can I use on this boat?")
    assert enumeration is not None
    assert enumeration.leads_into(line)


@pytest.mark.parametrize(
    "line",
    [
        "A sail is a cloth that has the following:",
        "The following sails are available.",
        "Before you set the sails, do this:",
        "The allowed values for the anchor field are:",
    ],
)
def test_a_line_on_one_of_the_things_or_on_others_leads_into_none_of_them(line: str) -> None:
    enumeration = enumeration_of("Which sails can I use on this boat?")
    assert enumeration is not None
    assert not enumeration.leads_into(line)


def test_a_list_of_what_is_asked_for_comes_before_a_list_about_it() -> None:
    def boats(draft: Draft) -> None:
        draft.add("A sail on this boat is a cloth with:")
        draft.add("- a rim", "item", level=1)
        draft.add("- a mark of the boat", "item", level=1)
        draft.add("The following sails are available:")
        draft.add("- main", "item", level=1)
        draft.add("- jib", "item", level=1)

    found = choose("Which sails can I use on this boat?", boats, favouring(), most=1)
    assert found.extracts[0].shown == "The following sails are available:\n- main\n- jib"


def test_a_list_that_names_the_things_among_others_is_none_of_them() -> None:
    def harbour(draft: Draft) -> None:
        draft.add("The harbour checks the following:")
        draft.add("- Storm signals", "item", level=1)
        draft.add("- Fees", "item", level=1)
        draft.add("Signals shown from the mast are:")
        draft.add("- a red cone", "item", level=1)
        draft.add("- a black ball", "item", level=1)

    found = choose("Which storm signals are there?", harbour, favouring(), most=1)
    assert "red cone" in found.extracts[0].shown


def test_the_list_of_a_section_that_the_question_names_comes_before_its_beginning() -> None:
    def harbour(draft: Draft) -> None:
        draft.add_heading(1, "Boat phases")
        draft.add("A boat has a phase, which the harbour writes down whenever it leaves.")
        draft.add("Possible values:")
        draft.add("- moored", "item", level=1)
        draft.add("- at sea", "item", level=1)

    text = stored(harbour)
    found = Chooser(favouring(), TERMS).choose("What are the boat phases?", [hit(text)], [text], 1)
    assert found.extracts[0].shown == "Possible values:\n- moored\n- at sea"


@pytest.mark.parametrize(
    ("question", "line", "tells"),
    [
        ("What kinds of sail can a boat have?", "There are three kinds of boat sails:", True),
        ("Which sails does the boat have?", "A boat is fast, but there are several uses/forms of sails for it:", True),
        ("Which sails does the boat have?", "There are three boats with sails.", False),
        ("Which sails does the boat have?", "The sails of the boat are dried:", False),
        ("What kinds of sail can a boat have?", "There are two oars:", False),
    ],
)
def test_a_lead_in_tells_how_many_of_the_things_there_are(question: str, line: str, tells: bool) -> None:
    enumeration = enumeration_of(question)
    assert enumeration is not None
    assert enumeration.tells(line) is tells


def test_a_list_that_tells_how_many_there_are_comes_before_prose_that_lists_none() -> None:
    def boats(draft: Draft) -> None:
        draft.add("The sails of the boat dry quickly in wind and last for years.")
        draft.add("There are two kinds of boat sails:")
        draft.add("- the main, which is of hemp", "item", level=1)
        draft.add("- the jib, which is of flax", "item", level=1)

    reader = Reader(lambda _, texts: np.array([4.0 * ("wind" in text) for text in texts]))
    found = choose("What kinds of sail can a boat have?", boats, reader, most=1)
    assert found.extracts[0].shown.startswith("There are two kinds of boat sails:")
