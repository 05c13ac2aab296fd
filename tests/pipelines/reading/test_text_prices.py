"""Plain text: columns of figures below their names."""

from __future__ import annotations

from block_checks import shown_blocks

from pipelines.reading import read

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


def test_words_above_words_may_be_a_row() -> None:
    assert {kind for kind, _, _ in shown_blocks(read(NAMES, name="a.txt"))} == {"row"}
