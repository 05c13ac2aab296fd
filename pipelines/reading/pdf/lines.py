"""The lines of a PDF page, with a blank line wherever the page leaves more space than usual."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pypdfium2 import PdfiumError, PdfTextPage, raw

from pipelines.reading.tidying import tidy

# PDFium writes U+FFFE for a hyphen at a line's end and runs on with the next line.
_HYPHEN = "\ufffe"
_LINE = re.compile(rf"[^\r\n{_HYPHEN}]*{_HYPHEN}?")
_UNUSUAL = 1.2
_SENTENCE_ENDS = (".", "!", "?", ":")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    bottom: float | None


def page_text(page: PdfTextPage) -> str:
    """Return the text of a page in the order in which it was written."""
    lines = [_line(page, found) for found in _LINE.finditer(page.get_text_range()) if found[0].strip()]
    usual = _usual_distance(lines)
    parts = [lines[0].text] if lines else []
    for above, line in pairwise(lines):
        parts.append("\n\n" if _parted(above, line, usual) else "\n")
        parts.append(line.text)
    return tidy("".join(parts))


def _line(page: PdfTextPage, found: re.Match[str]) -> _Line:
    """Return a line and where its first visible character stands, None where that cannot be told."""
    first = found.start() + len(found[0]) - len(found[0].lstrip())
    try:
        bottom = page.get_charbox(raw.FPDFText_GetCharIndexFromTextIndex(page, first), loose=True)[1]
    except PdfiumError:
        bottom = None
    return _Line(found[0].replace(_HYPHEN, "-").strip(), bottom)


def _usual_distance(lines: list[_Line]) -> float:
    places = [line.bottom for line in lines if line.bottom is not None]
    return median([above - below for above, below in pairwise(places) if above > below] or [0.0])


def _parted(above: _Line, line: _Line, usual: float) -> bool:
    """Whether a paragraph ends between two lines: by the space between them, or where a column ends, by the words."""
    if above.bottom is None or line.bottom is None:
        return False
    distance = above.bottom - line.bottom
    if distance < -usual:
        return not line.text[0].islower() or above.text.endswith(_SENTENCE_ENDS)
    return distance > usual * _UNUSUAL
