"""Long tables of which only the names of the rows are shown."""

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.other_lists import row_names_in
from pipelines.reading.draft import Draft
from pipelines.types import CELL_BREAK
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

NAMES = ("lug", "gaff", "sprit", "square", "lateen", "jib", "genoa", "stay")


def sails(draft: Draft) -> None:
    draft.add(CELL_BREAK.join(("Sail", "Made of", "Replacement")), "header")
    for name in NAMES:
        draft.add(CELL_BREAK.join((name, "strong cloth that is sewn " * 4, f"the new {name}")), "row", level=1)


def test_names_of_rows_do_not_answer_what_is_asked_of_one() -> None:
    (extract, *_) = choose("What can replace the gaff sail?", sails, favouring("gaff")).extracts
    assert extract.shown.endswith("Replacement: the new gaff")


def test_they_answer_which_there_are() -> None:
    (extract,) = choose("Which sails are there?", sails, favouring("lug"), most=1).extracts
    assert row_names_in(extract.shown) == list(NAMES)


def test_rows_that_are_shown_are_no_names() -> None:
    assert row_names_in("- Sail: lug; Replacement: gaff") == []


def settings(draft: Draft) -> None:
    draft.add(CELL_BREAK.join(("Setting", "What it does", "Default")), "header")
    for name in ("HULL_WIDTH", "SAIL_COLOUR", "MAST_HEIGHT", "KEEL_DEPTH", "ROPE_LENGTH", "FLAG_SIZE", "OAR_LENGTH"):
        says = f"What {name} is to be on the boats of the harbour, of which " * 3
        draft.add(CELL_BREAK.join((name, f"{says}one is in {name.lower()} {len(name)}.", "none")), "row", level=1)


def test_the_row_that_is_called_by_the_asked_things_says_which_there_are() -> None:
    text, chooser = stored(settings), Chooser(favouring("sail_colour 11"), TERMS)
    (extract,) = chooser.choose("Which sail colours can I set?", [hit(text)], [text], 1).extracts
    assert extract.shown.startswith("Setting: SAIL_COLOUR; ")


def signals(draft: Draft) -> None:
    draft.add(CELL_BREAK.join(("Flag title", "Code", "Meaning")), "header")
    for name in NAMES:
        says = f"the yard of a {name} boat is lowered " * 4
        draft.add(CELL_BREAK.join((f"{name} flag", f"_{name}", says)), "row", level=1)


def test_names_of_other_things_are_no_better_than_the_row_that_answers() -> None:
    question = "Which pennant tells that a yard is lowered?"
    (extract,) = choose(question, signals, favouring("lateen"), most=1).extracts
    assert extract.shown.startswith("Flag title: lateen flag; Code: _lateen")
