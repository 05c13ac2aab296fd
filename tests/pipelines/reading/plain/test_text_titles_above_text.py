"""Plain text: titles right above their text or list, without an empty line between."""

from __future__ import annotations

import pytest

from pipelines.reading import read


def titles_of(text: str) -> list[str]:
    return [heading.title for heading in read(text.encode(), name="a.txt").headings]


RULES = (
    "Rules of the harbour\n\n1. Berths\n\nEach boat has a berth of its own, which is given out in May.\n\n"
    "2. Fees\n\nFees are paid in advance, by the month, and are not given back if a boat leaves early.\n\n"
)


def test_the_next_number_above_a_list_is_a_title() -> None:
    text = f"{RULES}3. Miscellaneous\n- The crane is out of order until Friday.\n- Lockers arrive in June.\n"
    assert titles_of(text) == ["Rules of the harbour", "1. Berths", "2. Fees", "3. Miscellaneous"]


@pytest.mark.parametrize("line", ["7. Miscellaneous", "3. See to these:"])
def test_other_numbers_above_a_list_are_no_titles(line: str) -> None:
    assert line not in titles_of(f"{RULES}{line}\n- The crane is out of order until Friday.\n")


def test_short_lines_in_capitals_right_above_prose_are_titles() -> None:
    text = (
        "WIFI\nGuests ask the harbour office for a password.\nIt changes each month.\n\n"
        "PARKING\nVisitors park in the bays by the gate.\n\nKEYS\n- shed: with Ada\n- crane: with Piotr\n"
    )
    assert titles_of(text)[:2] == ["WIFI", "PARKING"]


@pytest.mark.parametrize(
    "text",
    [
        "HALVORSEN LTD\n12 Quay Road\nGalway\n\nADA MOOR\nQuay House\nGalway\n",
        "NATO\nand the harbour met in May to talk.\n\nIMO\nand the harbour met in June to talk.\n",
        "The boat is called\nHERON\nIt lies at the north pier.\n",
        "PARKING\nVisitors park in the bays by the gate.\n",
    ],
)
def test_other_lines_in_capitals_are_text(text: str) -> None:
    assert titles_of(text) == []


@pytest.mark.parametrize("part", ["A\n\n", "KEYS\n", "KEYS\nAsk Ada for the key.\n\n", "1. A\n- b\n\n"])
def test_long_texts_are_soon_read(part: str) -> None:
    assert read((part * 20_000).encode(), name="a.txt").blocks
