"""PDF: addresses that do not fit on their line."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from pipelines.reading.pdf.words import splits_address
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.reader_files import pdf, placed

PROSE = ("The rope is coiled before the boat leaves, and", "the coil lies on the deck until it comes back.")


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("The rules are at https://www.", "harbour.example/rules for everybody."),
        ("See (https:", "//harbour.example/rules)."),
        ("See (https://", "Harbour.example/rules)."),
        ("They are listed in https://doi.example/10.1080/5571.1996.", "10474713)."),
        ("Write to office@north.harbour.", "example.org before you leave."),
        ("Read https://harbour.example/tables/tides_", "2031.html first."),
    ],
)
def test_an_address_goes_on_in_the_next_line(text: str, more: str) -> None:
    assert splits_address(text, more)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("The rules are at https://harbour.example.", "everybody reads them."),
        ("The rules are at https://harbour.example.", "e.g. those of the pier."),
        ("The rules (at https://harbour.example).", "moor.all does it."),
        ("The rules are at https://harbour.example/rules.", "The pier has others."),
        ("The rules are at the office.", "harbour.example has them too."),
    ],
)
def test_a_sentence_behind_an_address_is_no_part_of_it(text: str, more: str) -> None:
    assert not splits_address(text, more)


def test_the_rest_of_an_address_in_letters_of_one_width_is_no_code() -> None:
    lines = (
        ("F1", "    All tides are published by the office of the harbour at https://tides."),
        ("F3", "north.org/all."),
    )
    drawn = [placed(50, 700 - 14 * at, text, size=10, font=font) for at, (font, text) in enumerate(lines)]
    prose = [placed(50, 300 - 14 * at, PROSE[at % 2], size=10) for at in range(12)]
    shown = shown_blocks(read(pdf([[*drawn, *prose]]), name="a.pdf"))
    assert shown[0][0] == "paragraph"
    assert shown[0][2].endswith("at https://tides.north.org/all.")


@pytest.mark.parametrize("text", ["://" * 20_000, "www." * 12_000, "a@" * 25_000, "x." * 25_000])
def test_long_lines_are_soon_known_to_split_no_address(text: str) -> None:
    started = time.process_time()
    splits_address(text, text)
    splits_address("https://a.", text)
    assert time.process_time() - started < 1.0
