"""Scans for tests: text drawn as an image, as files of images, and as pages of a PDF."""

from __future__ import annotations

import ctypes
import io
import shutil
from collections.abc import Sequence

import pytest
from PIL import Image, ImageDraw, ImageFont
from pypdfium2 import PdfDocument, PdfImage, PdfMatrix, raw

DPI = 200
SIZE = (1000, 900)  # pixels
needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


def drawn(*columns: Sequence[str], slant: float = 0, turned: int = 0, size: tuple[int, int] = SIZE) -> Image.Image:
    """A page whose ``columns`` hold these lines; an empty line leaves a gap. ``slant`` and ``turned`` are degrees."""
    page = Image.new("L", size, 255)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(30)
    width = (size[0] - 120) // max(len(columns), 1)
    for number, lines in enumerate(columns):
        for row, line in enumerate(lines):
            draw.text((60 + number * width, 60 + row * 44), line, fill=0, font=font)
    return page.rotate(slant, Image.Resampling.BICUBIC, fillcolor=255).rotate(turned, expand=True)


def file_of(*pages: Image.Image, kind: str = "PNG") -> bytes:
    """An image file; only a TIFF or a PDF may have several pages."""
    written = io.BytesIO()
    dpi = {"resolution": DPI} if kind == "PDF" else {"dpi": (DPI, DPI)}
    several = {"save_all": True, "append_images": pages[1:]} if len(pages) > 1 else {}
    pages[0].save(written, kind, **dpi, **several)
    return written.getvalue()


def typed(text: str) -> bytes:
    """A PDF page with a line of text that needs no reading."""
    pdf = PdfDocument.new()
    page = pdf.new_page(612, 792)
    line = raw.FPDFPageObj_NewTextObj(pdf.raw, b"Helvetica", 12.0)
    raw.FPDFText_SetText(line, (ctypes.c_ushort * (len(text) + 1))(*map(ord, text), 0))
    raw.FPDFPageObj_Transform(line, 1, 0, 0, 1, 72, 700)
    raw.FPDFPage_InsertObject(page.raw, line)
    page.gen_content()
    return _saved(pdf)


def joined(*files: bytes) -> bytes:
    """A PDF of the pages of several."""
    whole = PdfDocument.new()
    for file in files:
        part = PdfDocument(file)
        whole.import_pages(part)
        part.close()
    return _saved(whole)


def covered(file: bytes, picture: Image.Image) -> bytes:
    """A PDF whose first page shows ``picture`` over its text, as large as the page."""
    pdf = PdfDocument(file)
    page = pdf[0]
    image = PdfImage.new(pdf)
    image.load_jpeg(io.BytesIO(file_of(picture, kind="JPEG")))
    image.set_matrix(PdfMatrix().scale(*page.get_size()))
    page.insert_obj(image)
    page.gen_content()
    return _saved(pdf)


def _saved(pdf: PdfDocument) -> bytes:
    written = io.BytesIO()
    pdf.save(written)
    pdf.close()
    return written.getvalue()
