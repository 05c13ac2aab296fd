"""Long tables of which only the names of the rows are shown."""

from pipelines.query.extracts.other_lists import row_names_in
from pipelines.reading.draft import Draft
from pipelines.types import CELL_BREAK
from tests.pipelines.query.extracts.choices import choose, favouring

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
