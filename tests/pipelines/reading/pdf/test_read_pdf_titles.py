"""PDF: the title that the first page shows, where the file states none."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from tests.pipelines.reading.reader_files import pdf, placed

TEXT = [
    placed(72, 600 - 14 * at, f"The {word} of the ferry are read by the crew before each crossing.", size=10)
    for at, word in enumerate(("ropes", "lamps", "gauges", "tanks", "doors", "charts"))
]


def title_of(*drawn: bytes, text: list[bytes] = TEXT, later: list[bytes] | None = None, info: str = "") -> str | None:
    pages = [[*drawn, *text], *([later] if later else [])]
    return read(pdf(pages, info=info), name="scan_0042.pdf").title


def test_the_largest_line_at_the_top_is_the_title() -> None:
    series, name = placed(72, 740, "Harbour Office of Vik", size=9), placed(72, 700, "Rules for Night Ferries", size=20)
    assert title_of(series, name) == "Rules for Night Ferries"


def test_a_title_of_several_lines_is_put_together() -> None:
    lines = placed(72, 720, "Report on the State of the", size=18), placed(72, 698, "Northern Ferry Piers", size=18)
    assert title_of(*lines) == "Report on the State of the Northern Ferry Piers"


def test_the_mark_of_a_note_is_not_part_of_the_title() -> None:
    assert title_of(placed(72, 700, "Ferry Traffic Report*", size=20)) == "Ferry Traffic Report"


def test_a_question_may_be_the_title() -> None:
    assert title_of(placed(72, 700, "What does a ferry cost?", size=20)) == "What does a ferry cost?"


def test_the_title_that_the_file_states_is_kept() -> None:
    drawn = placed(72, 700, "Rules for Night Ferries", size=20)
    assert title_of(drawn, info="/Title (Night rules)") == "Night rules"


@pytest.mark.parametrize(
    "text",
    [
        "LINDEBY",  # may be a logo
        "4 March 2025",
        "March 2025 / 17",
        "1 Scope of these rules",
        "2.3 Lamps and ropes",
        "Chapter 4 Lamps and ropes",
        "PART II - LAMPS",
        "Table of Contents",
        "Nordal Ferries GmbH",
        "Nordal Ferries & Sons Ltd.",
        "Please read before you go on board.",
        "and what else may be carried",
        "Crossings to the islands of",
        "Dear Passengers of the Ferry",
    ],
)
def test_a_large_line_that_is_no_title_gives_none(text: str) -> None:
    assert title_of(placed(72, 700, text, size=20)) is None


@pytest.mark.parametrize(
    "beside",
    ["12 Pier Street, Lindeby", "Tel. 0711 555 0142", "www.nordal.example", "info@nordal.example", "P.O. Box 12"],
)
def test_a_name_above_an_address_is_a_letterhead(beside: str) -> None:
    assert title_of(placed(72, 720, "Nordal Ferry Company", size=18), placed(72, 702, beside, size=9)) is None


def test_the_name_of_a_periodical_is_no_title() -> None:
    name, number = placed(72, 720, "The Ferry Friend", size=24), placed(72, 700, "Spring 2025, Issue 58", size=9)
    assert title_of(name, number) is None


def test_a_letter_has_no_title() -> None:
    assert title_of(placed(72, 720, "Nordal Ferry Company", size=18), placed(72, 640, "Dear Ms Holm,", size=10)) is None


def test_a_line_far_below_the_first_text_is_no_title() -> None:
    heading = placed(72, 400, "Rules for Night Ferries", size=20)
    assert title_of(heading) is None


def test_text_no_larger_than_the_rest_gives_no_title() -> None:
    assert title_of(placed(72, 700, "Rules for Night Ferries", size=10, font="F2")) is None


def test_two_large_lines_apart_give_no_title() -> None:
    slogan, name = placed(72, 740, "We Bring You Over", size=24), placed(72, 690, "Rules for Night Ferries", size=21)
    assert title_of(slogan, name) is None


def test_one_of_many_headings_of_one_size_is_no_title() -> None:
    later = [placed(72, 700, "Lamps and Ropes", size=20), *TEXT]
    first = placed(72, 700, "Crossing at Night", size=20)
    assert title_of(first, later=later) is None
    assert title_of(first, text=[placed(72, 600, "Vik, 2025", size=10)], later=later) == "Crossing at Night"


def test_the_cells_of_a_table_are_no_title() -> None:
    assert title_of(placed(72, 700, "Ferry line", size=20), placed(320, 700, "Piers called", size=20)) is None


def test_a_page_of_rubbish_costs_little() -> None:
    began = time.perf_counter()
    for text in ("1" * 4000, "a " * 2000, "A. " * 1500, "x@" * 2000, "12 " + "St. " * 1200, "9 A " * 1200):
        title_of(placed(2, 700, text, size=20))
    assert time.perf_counter() - began < 30
