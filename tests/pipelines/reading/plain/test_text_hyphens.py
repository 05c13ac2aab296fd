"""Plain text: words that were divided at the end of a line."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit

DIVIDED = """\
    The kettle boils the wa~
    ter, and the tem~
    perature is shown.

The end of KET~
TLES.
"""
WHOLE = """\
    The kettle boils the water,
    and the temperature
    is shown.

The end of KETTLES.

"""


@pytest.mark.parametrize("hyphen", ["\u2010", "\xad"])
def test_words_divided_at_the_end_of_a_line_are_joined_there(hyphen: str) -> None:
    document = read(DIVIDED.replace("~", hyphen), name="a.txt")
    assert document.text == WHOLE
    assert_blocks_fit(document)


def test_a_hyphen_stays_that_the_same_word_has_within_a_line() -> None:
    text = "A well\u2010made pot lasts long. This one is well\u2010\nmade (by the smith) and heavy.\n"
    assert read(text, name="a.txt").text == (
        "A well\u2010made pot lasts long. This one is well\u2010made\n(by the smith) and heavy.\n"
    )


def test_words_stay_divided_where_a_gap_would_be_left_or_the_next_word_begins_a_name() -> None:
    text = "-a  boils the wa\u2010\n    ter\n-b  fries the MS\u2010\n    Egg of the "
    assert read(f"{text}kit\u2010\n    chen here\n", name="a.txt").text == f"{text}kitchen\n    here\n"


@pytest.mark.parametrize("part", ["A", "a\u2010", "\u2010", "a-"])
def test_a_word_of_any_length_takes_linear_time(part: str) -> None:
    began = time.process_time()
    read(part * (1_000_000 // len(part)), name="a.txt")
    assert time.process_time() - began < 20
