"""Long lists of entries, of which no more than the names or the first sentences are shown."""

import re

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import names_in
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring, favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, passages, stored

NAMES = "lug gaff sprit square lateen jib genoa stay top royal tye mizzen course main moon sky studding"
SAILS = tuple(f"{name} sail" for name in re.findall(r"\w+", NAMES))
REST = "It is set in fair weather and furled at night. Its cloth is mended by the sailmaker once a year."


def sails(draft: Draft) -> None:
    for name in SAILS:
        draft.add(name, "term", level=0)
        draft.add(f"The {name} hangs from the mast. {REST}", "definition", level=1)


def lamps(draft: Draft) -> None:
    for name, rest in (("wick", "Cotton burns well. " * 30), ("oil", "Buy it in autumn. " * 30)):
        draft.add(name, "term", level=0)
        draft.add(f"Tells how the {name} is kept. {rest}", "definition", level=1)


@pytest.mark.parametrize(
    "question", ["Which cloth does the genoa take?", "What does the genoa do?", "How do I set the genoa?"]
)
def test_the_names_of_a_long_list_do_not_answer_what_is_asked_of_one(question: str) -> None:
    (extract,) = choose(question, stored(sails), favouring("genoa"), most=1).extracts
    assert extract.shown == f"genoa sail: The genoa sail hangs from the mast. {REST}"


def test_they_answer_which_there_are() -> None:
    (extract,) = choose("Which sails are there?", stored(sails), favouring("lug"), most=1).extracts
    assert names_in(extract.shown) == list(SAILS)


@pytest.mark.parametrize(
    "shown", ["- lug, gaff and\n- sprit …", "- lug, gaff", "The lug, the gaff …", "- lug …", f"- lug, {REST} …"]
)
def test_other_lists_have_no_names(shown: str) -> None:
    assert names_in(shown) == []


def brief(made: list[Passage]) -> list[str]:
    return [passage.shown for passage in made if passage.is_brief]


def test_first_sentences_of_definitions_are_no_steps_and_not_what_is_asked_of_one() -> None:
    shown = "- wick: Tells how the wick is kept.\n- oil: Tells how the oil is kept."
    assert brief(passages(stored(lamps))) == [shown]
    for question in ("How do I keep the lamp burning?", "Which cotton does the wick take?"):
        (extract,) = choose(question, stored(lamps), favouring("wick"), most=1).extracts
        assert extract.shown.startswith("wick: Tells how the wick is kept. Cotton")


ROPES = ("colours", "knots", "lengths", "splices", "weights", "makers", "prices", "coils", "strands", "ends")


def rope_settings(draft: Draft) -> None:
    draft.add_heading(1, "Settings")
    for name in ROPES:
        draft.add(f"- {name} text (optional) - The rope {name} that are sold. Default: red, {REST}", "item", level=1)


def test_the_one_item_on_the_asked_things_stands_for_a_list_that_is_cut_short() -> None:
    text = stored(rope_settings)
    chooser = Chooser(favouring("knots"), TERMS)
    (extract,) = chooser.choose("Which rope knots are sold by default?", [hit(text)], [text], 1).extracts
    assert extract.shown.startswith("- knots text (optional) - The rope knots that are sold. Default: red")


def flag_lists(draft: Draft) -> None:
    for kind, flags in (("Pilot cutters", ("red", "white")), ("Ferry boats", ("blue", "green"))):
        draft.add_heading(1, kind)
        draft.add(f"All but the ferry show these flags at {flags[0]} gates:" if kind < "Q" else "These flags are set:")
        for flag in flags:
            draft.add(f"- a {flag} flag", "item", level=1)


@pytest.mark.parametrize(("vessel", "flag"), [("ferry", "blue"), ("cutter", "red")])
def test_the_heading_tells_one_list_from_another(vessel: str, flag: str) -> None:
    text = stored(flag_lists)
    chooser = Chooser(favouring_a_little("red" if flag == "blue" else "blue"), TERMS)
    (extract,) = chooser.choose(f"Which flags does the {vessel} show?", [hit(text)], [text], 1).extracts
    assert f"- a {flag} flag" in extract.shown


def test_a_list_of_other_things_does_not_stand_before_the_one_item_that_tells_the_values() -> None:
    def changes(draft: Draft) -> None:
        draft.add_heading(1, "Version 3.7")
        for name in ROPES:
            draft.add(f"- The rope {name} stand in another table than before. {REST}", "item", level=1)
        draft.add(f"- The values that the tension key can have are slack, taut and torn. {REST}", "item", level=1)

    text = stored(changes)
    chooser = Chooser(favouring("before.\n- The rope knots"), TERMS)
    (extract,) = chooser.choose("Which values can the tension key have?", [hit(text)], [text], 1).extracts
    assert extract.shown.startswith("- The values that the tension key can have are slack, taut and torn.")
