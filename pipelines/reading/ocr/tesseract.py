"""Pages read by tesseract, through its command line."""

from __future__ import annotations

import shutil

from pipelines.profile.sections.ocr import ORIENTATION, TesseractOcr, tesseract_languages
from pipelines.reading.ocr.programs import Programs
from pipelines.reading.ocr.tsv import text_of
from pipelines.reading.page_text import PageText, UnreadPage

_ANY_WAY_UP, _UPRIGHT = "1", "3"  # tesseract's modes of page segmentation
_UNSURE = 0.6  # the mean confidence under which its guess at the way up is doubted
_LEAST_CONFIDENCE = 0.3


class Tesseract:
    """Runs one tesseract for each page."""

    def __init__(self, section: TesseractOcr, programs: Programs) -> None:
        self._section = section
        self._programs = programs
        self._program = shutil.which("tesseract") or "tesseract"
        self._knows_ways_up = ORIENTATION in (tesseract_languages() or ())

    def read(self, image: bytes, seconds: float) -> PageText | UnreadPage:
        """See `Engine`. It takes a page that is hard to read for one that lies on its side; then both are tried."""
        if not self._knows_ways_up:
            return _legible(self._read(image, seconds, _UPRIGHT))
        found = self._read(image, seconds, _ANY_WAY_UP)
        if isinstance(found, PageText) and (found.confidence or 0.0) < _UNSURE:
            found = _surer(found, self._read(image, seconds, _UPRIGHT))
        return _legible(found)

    def close(self) -> None:
        """See `Engine`; what runs is ended by who owns the programs."""

    def _read(self, image: bytes, seconds: float, mode: str) -> PageText | UnreadPage:
        languages = "+".join(self._section.languages)
        command = [self._program, "-", "-", "-l", languages, "--psm", mode, "tsv"]
        try:
            ended = self._programs.run(command, image, seconds)
        except OSError as error:
            return UnreadPage(f"tesseract cannot be run ({error.strerror})", passing=True)
        if ended is None:
            return UnreadPage(f"tesseract was not done within {seconds:g} s")
        if ended.code != 0:
            return UnreadPage(f"tesseract failed ({' '.join(ended.messages.split())[-200:]})")
        return text_of(ended.output.decode(errors="replace"))


def _surer(one: PageText, other: PageText | UnreadPage) -> PageText:
    if isinstance(other, UnreadPage) or (other.confidence or 0.0) <= (one.confidence or 0.0):
        return one
    return other


def _legible(found: PageText | UnreadPage) -> PageText | UnreadPage:
    """``found``, unless it is what tesseract makes of a photograph or of handwriting."""
    if isinstance(found, UnreadPage) or found.confidence is None or found.confidence >= _LEAST_CONFIDENCE:
        return found
    return UnreadPage(f"tesseract could make out no words (confidence {found.confidence:.2f})")
