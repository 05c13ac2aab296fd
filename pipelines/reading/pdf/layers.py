"""Whether the text layer of a PDF page is all that the page shows."""

from __future__ import annotations

from pypdfium2 import PdfPage, raw

from pipelines.reading.scans import Layer, letters_in

_DECORATION = 80
"""Letters and figures that a stamp, a page number and a scanner's advertisement have together, at most."""
_COVERED = 0.5


def layer_of(page: PdfPage, text: str) -> Layer:
    """Return the text of a page; it lacks something where there is none, or a few words over a picture of half the
    page.
    """
    if not text:
        return Layer(text, raw.FPDFPage_CountObjects(page.raw) > 0)
    return Layer(text, letters_in(text) <= _DECORATION and _covered(page) >= _COVERED)


def _covered(page: PdfPage) -> float:
    """Return the share of a page that its pictures cover, at most."""
    x0, y0, x1, y1 = page.get_bbox()
    area, covered = (x1 - x0) * (y1 - y0), 0.0
    for picture in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]):
        left, bottom, right, top = picture.get_bounds()
        covered += max(min(right, x1) - max(left, x0), 0.0) * max(min(top, y1) - max(bottom, y0), 0.0)
    return covered / area if area > 0 else 0.0
