"""Pages of PDFs as pictures, with a passage marked; drawn in a program of their own, bounded in memory and time."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

from pipelines.errors import CorruptDocument
from pipelines.reading.ocr.programs import Programs
from pipelines.types import PageImage

_PROGRAM = str(Path(__file__).with_name("program.py"))
_DPI = 120
_MOST_PIXELS = 4_000_000
_MEMORY = 2 * 2**30
_SECONDS = 20
_AT_ONCE = 2


class PageImages:
    """Draws pages, two at a time; every method may be called from several threads. Close it when done."""

    def __init__(self) -> None:
        self._programs = Programs()
        self._slots = threading.Semaphore(_AT_ONCE)

    def draw(self, pdf: bytes, page: int, quote: str) -> PageImage:
        """Return a page (from 1) as a PNG in which ``quote`` is marked, as far as it is found there.

        Raises:
            CorruptDocument: The page cannot be drawn within its limits.
        """
        asked = {"page": page, "quote": quote, "dpi": _DPI, "pixels": _MOST_PIXELS}
        bounds = {"memory": _MEMORY, "seconds": _SECONDS}
        given = json.dumps(asked | bounds).encode() + b"\n" + pdf
        with self._slots:
            ended = self._programs.run([sys.executable, "-I", _PROGRAM], given, _SECONDS)
        if ended is None or ended.code != 0:
            raise CorruptDocument("PDF", f"page {page} cannot be drawn")
        head, _, picture = ended.output.partition(b"\n")
        return PageImage(picture, json.loads(head)["marked_at"])

    def close(self) -> None:
        """End what is being drawn."""
        self._programs.close()
