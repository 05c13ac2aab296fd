"""Cells that span rows and columns."""

from __future__ import annotations

import pytest

from pipelines.reading.spans import SpannedRows


@pytest.mark.parametrize(("longest", "below"), [(None, "Trawler"), (7, "Trawler"), (6, "")])
def test_a_text_hangs_down_into_the_rows_below_unless_it_is_too_long(longest: int | None, below: str) -> None:
    rows = SpannedRows(longest)
    rows.begin()
    rows.add("Trawler", down=2)
    rows.add("summer")
    rows.begin()
    rows.add("winter")
    assert rows.cells == [below, "winter"]


def test_what_spans_columns_stands_in_the_first_of_them_and_where_it_is_spread_in_all() -> None:
    rows = SpannedRows()
    rows.begin()
    rows.add("Trawler")
    rows.add("90 euros", across=2, down=2)
    assert (rows.cells, rows.spread) == (["Trawler", "90 euros", ""], ["Trawler", "90 euros", "90 euros"])
    rows.begin()
    rows.add("Raft")
    rows.end()
    assert (rows.cells, rows.spread) == (["Raft", "90 euros", ""], ["Raft", "90 euros", "90 euros"])
