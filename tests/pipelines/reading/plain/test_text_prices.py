"""Plain text: columns of figures below their names."""

from __future__ import annotations

from pipelines.reading import read
from tests.pipelines.reading.block_checks import shown_blocks

PRICES = """\
Service                     Dog      Cat
Check-up                    45.00    40.00
Neutering (male)           210.00    95.00
Neutering (female)       1,340.00   160.00
"""
NAMES = """\
Ada      Quay      Oslo
Ben      Marsh     Turku
Cleo     Bright    Gdynia
"""


def test_words_above_figures_name_their_columns() -> None:
    assert [kind for kind, _, _ in shown_blocks(read(PRICES, name="a.txt"))] == ["header", "row", "row", "row"]


def test_hours_stand_below_their_trains() -> None:
    table = "Station        Train 1   Train 3\nOldmill          10:05     13:05\nQuarry           10:34     13:34\n"
    assert [kind for kind, _, _ in shown_blocks(read(table, name="a.txt"))] == ["header", "row", "row"]


def test_words_above_words_may_be_a_row() -> None:
    for text in (NAMES, "Ada   5   1\nBen   6   2\nCleo  7   3\n"):
        assert {kind for kind, _, _ in shown_blocks(read(text, name="a.txt"))} == {"row"}
