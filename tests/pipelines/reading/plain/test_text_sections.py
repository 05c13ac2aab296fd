"""Plain text: the numbered sections of laws, contracts and minutes, and those below an underlined title."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

LAW = """\
PART 1 - THE QUAY

7. Mooring
(1) No boat shall lie at the quay
(a) for longer than two tides;
(b) without a lamp at night.
(2) Paragraph (1)(a) does not apply to the ferry.

7A. Lamps
(1) A lamp shall burn from dusk to dawn.

8. Dues
The harbour master sets the dues in writing.

PART 2 - THE SLIP

9. Winches
(1) A winch is worked by two persons.
"""
WARRANTY = """\
The oars that we sell have a warranty.

1. Who is covered
   The first buyer is covered, at sea and on lakes and rivers, but not in a race.

2. How long
   2.1 Oars of ash: two years.
   2.2 Oars of spruce: one year.

3. What is left out
   a) varnish
   b) leathers

4. How to claim
   Write to us, with a picture of the oar and of the bill that you were given.
"""
STEPS = """\
The mast is stepped by two persons on a day without wind, and never by one alone, even in a hurry.
Look at the shrouds first. Those with broken strands are not to be used, and the others want a little oil.
Do this in this order:

1. Lift it
   Lift the mast by its middle.

2. Turn it
   Turn the mast upright.

3. Lower it
   Lower the mast on its foot.

4. Tie it
   Tie the shrouds to their rings.

The boom comes later, when the paint is dry and the sail has been sewn, which takes some weeks in winter.
"""
REVIEW = """\
HOW THE GATE BROKE
==================

Gate: north

1. TIMELINE

08:02 the gate sticks
08:40 the gate breaks

2. COST

  Wood: 40 crowns
  Nails: 2 crowns
"""


def titles(text: str) -> list[tuple[int, str]]:
    document = read(text.encode(), name="a.txt")
    assert_blocks_fit(document)
    return [(heading.level, heading.title) for heading in document.headings]


def test_the_sections_of_a_law_are_headings_above_its_subsections() -> None:
    assert titles(LAW) == [
        (1, "PART 1 - THE QUAY"),
        (2, "7. Mooring"),
        (2, "7A. Lamps"),
        (2, "8. Dues"),
        (1, "PART 2 - THE SLIP"),
        (2, "9. Winches"),
    ]
    assert shown_blocks(read(LAW.encode(), name="a.txt"))[2:6] == [
        ("item", 0, "(1) No boat shall lie at the quay"),
        ("item", 1, "(a) for longer than two tides;"),
        ("item", 1, "(b) without a lamp at night."),
        ("item", 0, "(2) Paragraph (1)(a) does not apply to the ferry."),
    ]


@pytest.mark.parametrize("indent", ["", "    "])
@pytest.mark.parametrize("name", ["Article {}", "\u00a7 {} Boats", "Section {} Boats", "{}. Boats"])
def test_they_may_be_called_otherwise(name: str, indent: str) -> None:
    sections = [
        f"{name.format(number)}\n{indent}(1) A boat has a name.\n{indent}(2) It has a lamp.\n" for number in (3, 4)
    ]
    assert [title for _, title in titles("\n".join(sections))] == [name.format(3), name.format(4)]


def test_numbered_lines_with_most_of_a_text_below_them_are_headings() -> None:
    names = ["1. Who is covered", "2. How long", "3. What is left out", "4. How to claim"]
    assert titles(WARRANTY) == [(1, name) for name in names]
    assert ("item", 0, "2.2 Oars of spruce: one year.") in shown_blocks(read(WARRANTY.encode(), name="a.txt"))


def test_steps_in_a_text_are_none() -> None:
    assert titles(STEPS) == []


def test_titles_below_the_only_underlined_one_are_read() -> None:
    assert titles(REVIEW) == [(1, "HOW THE GATE BROKE"), (2, "1. TIMELINE"), (2, "2. COST")]


def test_underlined_titles_are_all_there_are_where_there_are_several() -> None:
    assert titles("Boats\n=====\n\n1. OARS\n\nLong.\n\nSails\n=====\n\nWhite.\n") == [(1, "Boats"), (1, "Sails")]
