"""PDF: running heads that stand further in than most, and change with each section."""

from __future__ import annotations

from pipelines.reading import read
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.reader_files import pdf, placed

SECTIONS = ("1 INTRODUCTION", "2 GETTING STARTED", "3 QUICK START", "4 COMPILING AND LINKING")
BODY = ("The ferry leaves from the second pier at noon,", "and it comes back before the evening is over.")


def pages_of(head: float, body: float, *, counted: bool = True) -> list[list[bytes]]:
    return [
        [
            placed(72, head, section, size=10),
            placed(520, head, str(at + 1) if counted else "7", size=10),
            *(
                placed(72, body - 12 * row, f"{line[:-1]} {section[2:].lower()}.", size=10)
                for row, line in enumerate(BODY)
            ),
        ]
        for at, section in enumerate(SECTIONS)
    ]


def texts_of(pages: list[list[bytes]]) -> str:
    return "\n".join(text for _, _, text in shown_blocks(read(pdf(pages), name="a.pdf")))


def test_a_head_that_counts_the_pages_is_left_out_where_it_stands_far_in() -> None:
    shown = texts_of(pages_of(684, 650))
    assert "QUICK START" not in shown
    assert "quick start" in shown


def test_a_line_without_space_below_it_is_no_head() -> None:
    assert "QUICK START" in texts_of(pages_of(684, 672))


def test_a_line_that_does_not_count_the_pages_is_no_head() -> None:
    assert "QUICK START" in texts_of(pages_of(684, 650, counted=False))


def test_the_title_of_a_section_beside_a_running_head_is_left_out() -> None:
    first = [placed(72, 760, "Guide to the Harbour", size=10), placed(72, 650, "Moving a boat", size=14, font="F2")]
    later = [placed(72, 760, "Moving a boat", size=10), placed(480, 760, "Guide to the Harbour", size=10)]
    body = [[placed(72, 600 - 12 * row, line, size=10) for row, line in enumerate(BODY)] for _ in range(4)]
    shown = texts_of([first + body[0], later + body[1], later + body[2], later + body[3]])
    assert shown.count("Moving a boat") == 1
    assert "Guide to the Harbour" not in shown


def test_what_a_browser_prints_around_a_page_is_left_out() -> None:
    head = [placed(30, 770, "11/30/26, 8:37 AM", size=8), placed(250, 770, "Trips of Ebb", size=8)]
    foot = [placed(30, 20, "https://ebb.example/trips", size=8), placed(560, 20, "1/1", size=8)]
    body = [placed(72, 600 - 12 * row, line, size=10) for row, line in enumerate(BODY)]
    assert texts_of([head + body + foot]) == " ".join(BODY)
    firefox = [placed(30, 20, "1 of 1", size=8), placed(500, 20, "30/11/2026, 08:37", size=8)]
    assert texts_of([body + firefox]) == " ".join(BODY)
    site = [placed(30, 20, "Harbour office", size=8), placed(450, 20, "https://ebb.example", size=8)]
    assert "https://ebb.example" in texts_of([body + site])


def test_a_time_and_what_is_then_stay_at_the_top_of_a_page() -> None:
    row = [placed(30, 770, "11/30/26, 8:00 AM", size=10), placed(250, 770, "Launch of the gig", size=10)]
    body = [placed(72, 600 - 12 * at, line, size=10) for at, line in enumerate(BODY)]
    assert "Launch of the gig" in texts_of([row + body])
    numbered = [placed(30, 20, "Harbour office", size=8), placed(560, 20, "1/1", size=8)]
    assert "8:00 AM" in texts_of([row + body + numbered])


def test_what_stands_beside_a_running_head_and_nowhere_else_stays() -> None:
    pages = [
        [placed(72, 760, "Guide to the Harbour", size=10), placed(480, 760, name, size=10)]
        for name in ("Ada", "Ole", "Per")
    ]
    shown = texts_of([[*page, placed(72, 600, BODY[0], size=10)] for page in pages])
    assert all(name in shown for name in ("Ada", "Ole", "Per"))


def test_the_names_of_columns_at_the_top_of_several_pages_are_no_running_head() -> None:
    pages = [
        [
            placed(72, 740, kind, size=10, font="F2"),
            placed(200, 740, "Description", size=10, font="F2"),
            *(
                placed(x, 726 - 14 * row, text, size=10)
                for row in range(3)
                for x, text in ((72, f"{kind}{row}.txt"), (200, f"what the {kind.lower()} {row} of page {at} is for"))
            ),
        ]
        for at, kind in enumerate(("Command", "File", "Directory", "Port"))
    ]
    blocks = shown_blocks(read(pdf(pages), name="a.pdf"))
    assert ("header", 1, "File | Description") in blocks


def test_a_name_that_stands_only_in_the_heads_of_pages_stays() -> None:
    pages = [
        [
            placed(72, 760, "Payslip of the harbour", size=10),
            placed(480, 760, name, size=10),
            placed(72, 600, BODY[0], size=10),
        ]
        for name in ("Ada Voss", "Ole Strand", "Per Lang")
        for _ in range(2)
    ]
    shown = texts_of(pages)
    assert all(name in shown for name in ("Ada Voss", "Ole Strand", "Per Lang"))


def test_chapter_and_section_in_capitals_above_a_page_are_left_out() -> None:
    """As LaTeX writes them above each page of a book, with the number of the page at its foot."""
    heads = [("CHAPTER 2. MOORING A BOAT", "2.1. WHICH ROPES..."), ("CHAPTER 3. LEAVING", "3.4. AFTER THE STORM")]
    body = [placed(72, 600 - 12 * row, line, size=10) for row, line in enumerate(BODY)]
    pages = [[placed(72, 760, left, size=10), placed(420, 760, right, size=10), *body] for left, right in heads]
    assert texts_of(pages) == "\n".join([" ".join(BODY)] * 2)
    cases = [placed(72, 760, "CHAPTER 2. MOORING A BOAT", size=10), placed(420, 760, "Keep it dry", size=10)]
    assert "MOORING A BOAT" in texts_of([cases + body])
