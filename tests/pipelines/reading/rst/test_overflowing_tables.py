"""Simple tables with words that are wider than their column."""

from __future__ import annotations

import time

import pytest

from pipelines.reading.rst.overflowing import with_wide_columns
from tests.pipelines.reading.rst.rst_samples import blocks, shown

TABLE = """\
========= ============
**Old**   **New**
========= ============
``TIDE``  :opt:`tide`
``HARBOUR_NAME`` :opt:`name`
``BUOYS`` :opt:`buoys`
``GONE``  Use :opt:`tide` instead.
          It is shorter.
========= ============
"""


def test_a_word_may_reach_into_the_next_column() -> None:
    told = blocks(f"Moves\n=====\n\n{TABLE}\nBehind.\n")
    assert [text for kind, _, text in told if kind in ("header", "row")] == [
        "Old | New",
        "TIDE | tide",
        "HARBOUR_NAME | name",
        "BUOYS | buoys",
        "GONE | Use tide instead. It is shorter.",
    ]


def test_marked_words_may_fill_the_space_between_the_columns() -> None:
    table = "====== =====\nOld    New\n====== =====\n``AB``  c\n``ABC``:d:`e`\n====== =====\n"
    assert "ABC | e" in shown(table)


def test_two_blanks_end_a_cell_of_several_words() -> None:
    table = "==== =====\nBoat Berth\n==== =====\nGull 2\nNew tern  3\n==== =====\n"
    assert "New tern | 3" in shown(table)


@pytest.mark.parametrize(
    "table",
    [
        "==== =====\nBoat Berth\n==== =====\nA new tern 3\n==== =====\n",
        "==== ===== ==\nBoat Berth X\n==== ===== ==\nPelican 3 no\n---------- --\nGull 2 no\n==== ===== ==\n",
        "==== =====\nGull 2\n==== =====\n",
    ],
)
def test_other_tables_stay_as_they_are(table: str) -> None:
    lines = table.splitlines()
    assert with_wide_columns(lines) == lines


def test_literals_inside_emphasis_lose_their_marks() -> None:
    assert shown("*Move ``tide`` to the* **new ``sea``.**\n") == "Move tide to the new sea."


def test_wide_tables_take_linear_time() -> None:
    lines = ["= =", *[f"{'ab ' * 9}  c {'d' * 40}" for _ in range(5000)], "x" * 50_000 + " " * 50_000, "= ="]
    started = time.process_time()
    with_wide_columns(lines)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "lines",
    [
        [" ".join("=" * 20_000), *["aa " * 13_000] * 3],
        ["== ==", *["aaa  bb", "== =="] * 10_000],
    ],
)
def test_tables_of_many_columns_or_rules_are_read_in_linear_time(lines: list[str]) -> None:
    began = time.process_time()
    with_wide_columns([*lines, lines[0]])
    assert time.process_time() - began < 1
