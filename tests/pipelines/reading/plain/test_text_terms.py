"""Plain text: names above indented prose are terms, also where no empty line stands between them."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

POTS = """\
The kitchen has these pots:

    kettle
        Boils water for tea. It holds two litres, and the
        switch (left) turns it on.
    pan (iron)
        Fries eggs; see book/eggs, page 3
        (or ask the cook).
    tureen
        Holds soup.

        It has a lid.
    wok
        Stirs rice.

All are washed by hand.
"""


def test_terms_after_the_first_need_no_empty_line_above() -> None:
    document = read(POTS, name="a.txt")
    assert shown_blocks(document) == [
        ("paragraph", 0, "The kitchen has these pots:"),
        ("term", 1, "kettle"),
        (
            "definition",
            2,
            "Boils water for tea. It holds two litres, and the\n        switch (left) turns it on.",
        ),
        ("term", 1, "pan (iron)"),
        ("definition", 2, "Fries eggs; see book/eggs, page 3\n        (or ask the cook)."),
        ("term", 1, "tureen"),
        ("definition", 2, "Holds soup."),
        ("paragraph", 3, "It has a lid."),
        ("term", 1, "wok"),
        ("definition", 2, "Stirs rice."),
        ("paragraph", 0, "All are washed by hand."),
    ]
    assert_blocks_fit(document)


def test_terms_in_capitals_without_empty_lines_between_are_no_titles() -> None:
    document = read("Levels of heat follow.\n\nLOW\n    Keeps soup warm.\nHIGH\n    Boils it.\n", name="a.txt")
    assert [kind for kind, _, _ in shown_blocks(document)] == ["paragraph", *["term", "definition"] * 2]


def test_lines_in_capitals_apart_from_one_another_stay_titles() -> None:
    document = read("NAME\n    kettle - boil water\n\nUSE\n    Fill it and wait.\n", name="a.txt")
    assert [heading.title for heading in document.headings] == ["NAME", "USE"]


@pytest.mark.parametrize(
    "text",
    [
        "To boil\n    fill(pot)\nthe pot is filled first.\n\nTo fry\n    heat(pan)\nthe pan is heated first.\n",
        "One pot\n    stands here.\nand it is large, as all of them in this kitchen are.\n\nAnd so on.\n",
        "Set these two.\n\nHEAT=90\n    Heats the water in the pot.\n\nLAMP=on\n    Lights the lamp below it.\n",
    ],
)
def test_lines_of_text_and_assignments_above_indented_lines_are_no_terms(text: str) -> None:
    assert "term" not in [kind for kind, _, _ in shown_blocks(read(text, name="a.txt"))]


def test_code_below_a_line_that_follows_a_definition_is_no_definition() -> None:
    text = "kettle\n    Boils water.\npan\n    Fries eggs.\nfor pot in pots\n    wash(pot[0])\n"
    terms = [shown for kind, _, shown in shown_blocks(read(text, name="a.txt")) if kind == "term"]
    assert terms == ["kettle", "pan"]


OPTIONS = """\
NAME
    kettle - boil water

OPTIONS
    -v, --verbose
        Tell what is done
        while it is done.

    --heat=DEGREES
        Heat the water up to DEGREES.

    -c, --colour[=WHEN]
        Light the lamp WHEN the water boils.
"""


def test_options_of_a_manual_page_are_terms() -> None:
    document = read(OPTIONS, name="a.txt")
    assert shown_blocks(document)[2:] == [
        ("heading", 1, "OPTIONS"),
        ("term", 0, "-v, --verbose"),
        ("definition", 1, "Tell what is done\n        while it is done."),
        ("term", 0, "--heat=DEGREES"),
        ("definition", 1, "Heat the water up to DEGREES."),
        ("term", 0, "-c, --colour[=WHEN]"),
        ("definition", 1, "Light the lamp WHEN the water boils."),
    ]
    assert_blocks_fit(document)


HANGING = """\
LAMPS

OPTIONS
       wick   Trim the wick, which burns down by an inch in each night of the
              year, and oil the hinges.

       dim level
              Shine at a level. It is 3 at first.

       two oils
              Burn the oil of the seal and that of the whale, one after the
              other.

       -b     Ring the bell.
"""


def test_a_short_name_may_stand_beside_its_definition() -> None:
    document = read(HANGING, name="a.txt")
    beside = "Trim the wick, which burns down by an inch in each night of the\n"
    assert shown_blocks(document)[2:] == [
        ("term", 0, "wick"),
        ("definition", 1, f"{beside}              year, and oil the hinges."),
        ("term", 0, "dim level"),
        ("definition", 1, "Shine at a level. It is 3 at first."),
        ("term", 0, "two oils"),
        ("definition", 1, "Burn the oil of the seal and that of the whale, one after the\n              other."),
        ("term", 0, "-b"),
        ("definition", 1, "Ring the bell."),
    ]
    assert_blocks_fit(document)


@pytest.mark.parametrize(
    "definition", ["the pier (built of oak)", "the pier of the harbour (see\n        also quay)", "a quay (wall)"]
)
def test_words_in_brackets_make_the_first_definition_no_code(definition: str) -> None:
    text = f"There are two places to moor:\n\n    pier\n        {definition}\n\n    buoy\n        a mooring at sea\n"
    kinds = [kind for kind, _, _ in shown_blocks(read(text, name="a.txt"))]
    assert kinds == ["paragraph", *["term", "definition"] * 2]


def test_a_call_below_a_name_stays_code() -> None:
    calls = "lamp.trim(3);\n        lamp.wait(oil)"
    text = f"Two lamps:\n\n    lit\n        {calls}\n\n    dim\n        {calls}\n"
    assert "definition" not in [kind for kind, _, _ in shown_blocks(read(text, name="a.txt"))]
