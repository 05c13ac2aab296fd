"""PDF: running heads that stand further in than most, and change with each section."""

from __future__ import annotations

from block_checks import shown_blocks
from reader_files import pdf, placed

from pipelines.reading import read

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
