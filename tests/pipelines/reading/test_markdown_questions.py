"""Markdown: questions in bold are headings of their answers."""

from __future__ import annotations

import time

import pytest
from block_checks import assert_blocks_fit

from pipelines.reading import read


def titles(markdown: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in read(markdown, name="a.md").headings]


def test_questions_in_bold_are_headings_a_level_below_their_section() -> None:
    markdown = (
        "# Boats\n\n**May I bring a dog?**\n\nNo.\n\n**What do I *really* wear?**\n\n- shoes\n\n## Money\n\nFees."
    )
    assert titles(markdown) == [(1, "Boats"), (2, "May I bring a dog?"), (2, "What do I really wear?"), (2, "Money")]
    assert_blocks_fit(read(markdown, name="a.md"))


@pytest.mark.parametrize(
    "markdown",
    [
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
    assert len(titles("# a\n\n" + "**b?**\n\nc\n\n" * 20_000)) == 20_001
    assert time.process_time() - started < 60
