"""Tables of a sheet that stand beside each other."""

from __future__ import annotations

import pytest

from pipelines.reading.tables import tables_beside

QUAYS = [["Quay", "Boats", ""], ["North", "12", ""], ["South", "8", ""], ["West", "5", ""]]
RECEIPTS = [["Receipt", "Paid by"], ["R-1", "Ida"], ["R-2", "Per"], ["R-3", "Liv"]]


@pytest.mark.parametrize(
    ("last", "right", "count"),
    [
        (["East", "3", ""], ["", ""], 2),
        (["Total", "28", ""], ["", ""], 1),
        (["Grand total:", "28", ""], ["", ""], 1),
        (["", "", ""], ["Total", "3"], 1),
        (["Total", "28", ""], ["R-4", "Ida"], 2),
    ],
)
def test_a_total_below_one_part_of_a_table_does_not_set_the_other_apart(
    last: list[str], right: list[str], count: int
) -> None:
    rows = [left + behind for left, behind in zip([*QUAYS, last], [*RECEIPTS, right], strict=True)]
    assert len(tables_beside(rows)) == count


def test_of_very_many_tables_the_last_are_left_together() -> None:
    heights = range(30, 2, -1)
    names = [cell for at in heights for cell in (f"Boat {at}", f"Price {at}", "")]
    rows = [[cell for at in heights if row < at for cell in (f"Gig {row}", str(row), "")] for row in range(30)]
    parts = tables_beside([names, *rows])
    assert len(parts) == 16
    assert [names[part][:2] for part in parts[:2]] == [["Boat 30", "Price 30"], ["Boat 29", "Price 29"]]
    assert names[parts[-1]] == names[3 * 15 :]
