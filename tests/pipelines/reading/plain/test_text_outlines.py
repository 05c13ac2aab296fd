"""Plain text: the titles of an outline begin with stars."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

NEWS = """\
Kettle NEWS                         -*- outline -*-

* What is new in kettle 2.1 (2024-05-01) [steady]

** Mended faults

  The lid closes.

** New parts

  - a lamp

  - a whistle

* What is new in kettle 2.0 (2023-02-11) [steady]

** Mended faults

  The handle stays cold.

* The spout is wider, so that tea
  runs faster.

* The foot is flat.
"""


def test_lines_with_stars_that_stand_alone_are_titles_of_an_outline() -> None:
    document = read(NEWS, name="NEWS.txt")
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "What is new in kettle 2.1 (2024-05-01) [steady]"),
        (2, "Mended faults"),
        (2, "New parts"),
        (1, "What is new in kettle 2.0 (2023-02-11) [steady]"),
        (2, "Mended faults"),
    ]
    assert shown_blocks(document)[-2:] == [
        ("item", 1, "* The spout is wider, so that tea\n  runs faster."),
        ("item", 1, "* The foot is flat."),
    ]
    assert_blocks_fit(document)


@pytest.mark.parametrize(
    "text",
    [
        "* Wash the pot\n\n* Dry the pot\n\n  with a cloth\n\n* Put it away\n\nThe end.\n",
        "* Wash the pot\n\n** inside\n\n* Dry the pot\n\n** outside\n\n* Put it away\n",
        "* Wash the pot.\n\n** The inside is first.\n\n   Use soap.\n\n* Dry the pot.\n\n  Use a cloth.\n",
    ],
)
def test_items_of_a_list_are_no_titles(text: str) -> None:
    outline = "* Pots\n\n** Iron\n\nThey rust.\n\n** Glass\n\nThey break.\n"
    assert len(read(outline, name="a.txt").headings) == 3
    assert read(text, name="a.txt").headings == ()
