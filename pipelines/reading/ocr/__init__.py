"""Text recognition: pages without text of their own are drawn, and read by what the profile names."""

from __future__ import annotations

from pipelines.profile.sections.ocr import OcrSection, TesseractOcr
from pipelines.reading.ocr.drawing import Drawing
from pipelines.reading.ocr.programs import Programs
from pipelines.reading.ocr.reader import DocumentOcr, Ocr
from pipelines.reading.ocr.seeing import PageTranscriber, default_prompt
from pipelines.reading.ocr.tesseract import Tesseract
from pipelines.reading.page_text import Kind, PageCache, PageText, UnreadPage

__all__ = ["DocumentOcr", "Kind", "Ocr", "PageCache", "PageText", "UnreadPage", "build_ocr"]


def build_ocr(section: OcrSection, cache: PageCache) -> Ocr:
    """Return what reads pages as the section says; nothing is started before the first page."""
    programs = Programs()
    drawing = Drawing(programs, section.dpi)
    if isinstance(section, TesseractOcr):
        return Ocr(section, Tesseract(section, programs), programs, drawing, cache)
    complete = section.model_copy(update={"prompt": section.prompt or default_prompt(section.model)})
    return Ocr(complete, PageTranscriber(complete), programs, drawing, cache)
