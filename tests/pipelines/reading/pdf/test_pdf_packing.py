"""Pages of a PDF that another process reads come back as they were."""

from __future__ import annotations

import pytest
from pypdfium2 import PdfDocument

from pipelines.reading.pdf.glyphs import Word
from pipelines.reading.pdf.layers import layer_of
from pipelines.reading.pdf.lines import Piece
from pipelines.reading.pdf.packing import packed, unpacked
from pipelines.reading.pdf.page import PdfPageParts, parts_of
from pipelines.reading.scans import Layer
from tests.pipelines.reading.reader_files import pdf

GRID = b"72 700 m 300 700 l S 72 650 m 300 650 l S 72 700 m 72 650 l S 300 700 m 300 650 l S 80 600 200 40 re S"


def page(content: bytes) -> tuple[Layer, PdfPageParts]:
    with PdfDocument(pdf([["Beagles howl at night."], [content]])) as document:
        pages = [(parts_of(each), each) for each in document]
        return next((layer_of(each, parts.letters), parts) for parts, each in reversed(pages))


def test_what_is_drawn_and_written_comes_back() -> None:
    drawn, blank = page(GRID), page(b"")
    assert drawn[1].grids
    assert drawn[1].boxes
    assert list(unpacked(packed([drawn, blank]))) == [drawn, blank]


@pytest.mark.parametrize("text", ["ä😀", "\ud800", "a\nb\u2028c\x00", '"\\'])
def test_every_character_and_number_comes_back(text: str) -> None:
    word = Word(text, 0.1 + 0.2, float("inf"), -0.0, 1e-300, bold=True, mono=False)
    parts = PdfPageParts((Piece((word, word), led=True),), (), (), (), (Piece((word,)),), 0.0, 792)
    found = list(unpacked(packed([(Layer(parts.letters, lacking=True), parts)] * 2)))
    assert found == [(Layer(parts.letters, lacking=True), parts)] * 2
