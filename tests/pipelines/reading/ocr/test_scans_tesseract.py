"""Scans read by tesseract itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.errors import IllegibleDocument
from pipelines.reading.ocr import Ocr
from pipelines.reading.ocr.tsv import text_of
from tests.fakes.scans import covered, drawn, file_of, joined, needs_tesseract
from tests.pipelines.reading.ocr.ocr_cases import pages_of, read_by, tesseract
from tests.pipelines.reading.reader_files import pdf

pytestmark = needs_tesseract

RECORD = (
    "Biscuit was seen on 12 March 2024",
    "for lameness of the left hind leg.",
    "",
    "Carprofen 50 mg, twice daily.",
)
READ = "Biscuit was seen on 12 March 2024\nfor lameness of the left hind leg.\n\nCarprofen 50 mg, twice daily."
LEFT = ("Beagles are hounds", "that follow hares", "for many hours.", "They need exercise", "and much company.")
RIGHT = ("Sphynx cats feel", "the cold in winter.", "They need a bed", "that is warm, and", "food of good value.")
SCANNED = Path(os.environ.get("FOOTNOTE_EVAL_DATA", "")) / "files" / "pdf_scanned" / "ocr_test.pdf"


@pytest.fixture(scope="module")
def ocr() -> Iterator[Ocr]:
    opened = tesseract()
    yield opened
    opened.close()


def test_pages_without_text_are_read_among_pages_with_text(ocr: Ocr) -> None:
    labels = "0 << /S /r >> 1 << /S /D /St 1 >>"
    scans = file_of(
        drawn(RECORD),
        drawn(RECORD, slant=5),
        drawn(RECORD, turned=90),
        drawn(LEFT, RIGHT, size=(1200, 900)),
        kind="PDF",
    )
    content = joined(pdf([["Typed before."], []], labels=labels), scans, pdf([["Typed after."]]))
    document = read_by(ocr, content)
    columns = "\n".join(LEFT), "\n".join(RIGHT)
    assert pages_of(document) == ["Typed before.", "", READ, READ, READ, "\n\n".join(columns), "Typed after."]
    assert [page.number for page in document.pages] == [1, 2, 3, 4, 5, 6, 7]
    assert document.scan is not None
    assert (document.scan.reader, document.scan.read, document.scan.unread) == ("tesseract eng", (3, 4, 5, 6), {})
    assert 0.8 < (document.scan.confidence or 0) <= 1


def test_a_stamp_over_a_scan_gives_way_to_what_the_scan_says(ocr: Ocr) -> None:
    document = read_by(ocr, covered(pdf([["Scanned with Scanner"]]), drawn(RECORD)))
    assert document.text == READ
    assert document.scan is not None
    assert document.scan.read == (1,)


def test_the_title_of_a_cover_stays_where_its_picture_says_no_more(ocr: Ocr) -> None:
    document = read_by(ocr, covered(pdf([["Annual report of the clinic"]]), drawn(("Annual report",))))
    assert document.text == "Annual report of the clinic"
    assert document.scan is not None
    assert document.scan.read == ()


def test_the_pages_of_a_fax_are_read(ocr: Ocr) -> None:
    document = read_by(ocr, file_of(drawn(RECORD).convert("1"), drawn(LEFT).convert("1"), kind="TIFF"), "fax.tif")
    assert pages_of(document) == [READ, "\n".join(LEFT)]
    assert document.media_type == "image/tiff"


def test_a_transparent_screenshot_is_read(ocr: Ocr) -> None:
    page = drawn(RECORD).resize((500, 450))
    page.putalpha(page.point(lambda shade: 255 - shade))
    page.info.clear()
    assert read_by(ocr, file_of(page), "shot.png").text.startswith("Biscuit was seen")


def test_a_blank_page_is_neither_text_nor_a_failure(ocr: Ocr) -> None:
    with pytest.raises(IllegibleDocument, match=r"no text on any of its 1 page\(s\)$"):
        read_by(ocr, file_of(drawn(), kind="PDF"))


@pytest.mark.skipif(not SCANNED.is_file(), reason="FOOTNOTE_EVAL_DATA names no folder of files")
def test_a_real_scan_is_read() -> None:
    ocr = tesseract(dpi=150)
    assert "PDF document conversion" in " ".join(read_by(ocr, SCANNED.read_bytes()).text.split())
    ocr.close()


def test_a_table_of_words_becomes_lines_and_paragraphs() -> None:
    rows = [
        row((1, 1, 1), (100, 100), 96, "air-"),
        row((1, 1, 2), (100, 140), 90, "plane"),
        row((1, 2, 1), (100, 182), 80, "after"),
        row((1, 2, 2), (100, 260), 80, "Next"),
        row((1, 3, 1), (150, 300), 80, "Indented"),
        row((2, 1, 1), (700, 100), -1, " "),
        row((2, 1, 1), (700, 100), 40, '"x"'),
    ]
    found = text_of("level\tpage_num\n" + "".join(rows))
    assert found.text == 'air-\nplane\nafter\n\nNext\n\nIndented\n\n"x"'
    sure = 4 * 0.96 + 5 * 0.9 + (5 + 4 + 8) * 0.8 + 3 * 0.4
    assert found.confidence == pytest.approx(sure / 29, abs=1e-3)


def row(number: tuple[int, int, int], place: tuple[int, int], sure: float, word: str) -> str:
    """A line of tesseract's table, and the one word in it."""
    (block, paragraph, line), (left, top) = number, place
    where = f"{left}\t{top}\t90\t30"
    of_line = f"4\t1\t{block}\t{paragraph}\t{line}\t0\t{where}\t-1\t\n"
    return f"{of_line}5\t1\t{block}\t{paragraph}\t{line}\t1\t{where}\t{sure}\t{word}\n"
