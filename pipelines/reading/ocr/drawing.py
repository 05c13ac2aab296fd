"""Draws pages for reading, in a program of their own that is bounded in memory and time; see `draw_page`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pipelines.reading.ocr.draw_page import BLANK, REFUSED
from pipelines.reading.ocr.programs import ProgramResult, Programs
from pipelines.reading.page_text import Kind, PageText, UnreadPage

_PROGRAM = str(Path(__file__).with_name("draw_page.py"))
_MEMORY = 2 * 2**30
_MOST_PIXELS = 25_000_000
_LONGEST_SIDE_INCHES = 50
_SECONDS = 60.0


class Drawing:
    """Draws pages of files at ``dpi`` dots per inch, fewer where a page is very large."""

    def __init__(self, programs: Programs, dpi: int) -> None:
        self._programs = programs
        self._dpi = dpi

    def page(self, file: str, kind: Kind, page: int, seconds: float) -> bytes | PageText | UnreadPage:
        """Return a page (from 0) as a PNG; a text that is empty where it shows nothing."""
        ended = self._run(file, kind, page, min(seconds, _SECONDS))
        if isinstance(ended, UnreadPage):
            return ended
        if ended.code == BLANK:
            return PageText("")
        return ended.output

    def pages(self, file: str) -> int | UnreadPage:
        """Return how many pages an image file has."""
        ended = self._run(file, "image", None, _SECONDS)
        return ended if isinstance(ended, UnreadPage) else int(ended.output)

    def _run(self, file: str, kind: Kind, page: int | None, seconds: float) -> ProgramResult | UnreadPage:
        asked = {"file": file, "kind": kind, "page": page, "dpi": self._dpi, "pixels": _MOST_PIXELS}
        bounds = {"side": _LONGEST_SIDE_INCHES * self._dpi, "memory": _MEMORY, "seconds": int(seconds) + 1}
        command = [sys.executable, "-I", _PROGRAM, json.dumps(asked | bounds)]
        try:
            ended = self._programs.run(command, b"", seconds)
        except OSError as error:
            return UnreadPage(f"it cannot be drawn: no program can be started ({error.strerror})", passing=True)
        if ended is None:
            return UnreadPage(f"it could not be drawn within {seconds:g} s")
        if ended.code == REFUSED:
            return UnreadPage(f"it cannot be drawn: {ended.messages}")
        if ended.code not in (0, BLANK):
            return UnreadPage("it cannot be drawn: it is damaged, or takes more memory than a page may")
        return ended
