"""Markdown: questions in bold are headings of their answers."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit


def titles(markdown: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read(markdown, name="a.md").headings]


def test_questions_in_bold_are_headings_a_level_below_their_section() -> None:
    markdown = (
        "# Boats\n\n**May I bring a dog?**\n\nNo.\n\n**What do I *really* wear?**\n\n- shoes\n\n## Money\n\nFees."
    )
    assert titles(markdown) == [(1, "Boats"), (2, "May I bring a dog?"), (2, "What do I really wear?"), (2, "Money")]
    assert_blocks_fit(read(markdown, name="a.md"))


def test_the_answer_may_stand_on_the_next_line() -> None:
    markdown = (
        "# Boats\n\n**May I bring\\* a dog?**\nNo,\nnever.\n\nAsked:\n**What do I wear?**  \nShoes.\n**When?**\nNow.\n"
    )
    document = read(markdown, name="a.md")
    assert titles(markdown)[1:] == [(2, "May I bring* a dog?"), (2, "What do I wear?"), (2, "When?")]
    shown = [(block.line, document.text[block.span.start : block.span.end]) for block in document.blocks]
    assert [each for each in shown if not each[1].endswith("?")] == [
        (1, "Boats"),
        (4, "No, never."),
        (7, "Asked:"),
        (9, "Shoes."),
        (11, "Now."),
    ]
    assert_blocks_fit(document)


@pytest.mark.parametrize(
    "markdown",
    [
        "**Is this the only line?**\nYes.",
        "**Where?**\n**When?**\n\nHere.",
        "**Is this the only one?**\n\nYes.",
        "**Is it bold?** No.\n\n**Is it here?** No.",
        "**Where?**\n\n**When?**\n\nHere.",
        "**Not asked**\n\nNo.\n\n**Nor here**\n\nNo.",
    ],
)
def test_other_bold_paragraphs_stay_as_they_are(markdown: str) -> None:
    assert titles(markdown) == []


def test_any_number_of_questions_is_read_in_time() -> None:
    started = time.process_time()
    assert len(titles("# a\n\n" + "**b?**\n\nc\n\n" * 6_000)) == 6_001
    assert len(titles("# a\n\n" + "**b?**\nc\n" * 6_000)) == 6_001
    assert time.process_time() - started < 20
