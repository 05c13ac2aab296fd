"""What the tests of text recognition share: a cache in memory, and programs that stand in for tesseract."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.profile.sections.ocr import OcrSection, OllamaOcr, TesseractOcr
from pipelines.reading import read
from pipelines.reading.ocr import Ocr, build_ocr
from pipelines.types import ParsedDocument

_PLACE = "1\t1\t1\t1\t{word}\t0\t0\t9\t9"
TSV = f"4\t{_PLACE.format(word=0)}\t-1\t\n5\t{_PLACE.format(word=1)}\t{{confidence}}\t{{word}}"


class Kept:
    """Keeps what was read in memory."""

    def __init__(self) -> None:
        self.pages: dict[bytes, list[str]] = {}

    def known(self, key: bytes, document_id: str) -> list[str] | None:
        return self.pages.get(key)

    def keep(self, key: bytes, value: list[str], document_id: str) -> None:
        self.pages[key] = value


opened: list[Ocr] = []
"""What a test opened, for the fixture `closed`."""


def tesseract(**said: object) -> Ocr:
    return _built(TesseractOcr.model_validate({"engine": "tesseract", "dpi": 200, **said}))


def seeing(url: str, **said: object) -> Ocr:
    section = {"engine": "ollama", "model": "qwen2.5vl:7b", "base_url": url, "page_timeout_s": 20, **said}
    return _built(OllamaOcr.model_validate(section))


def _built(section: OcrSection) -> Ocr:
    opened.append(build_ocr(section, Kept()))
    return opened[-1]


def read_by(ocr: Ocr, content: bytes, name: str = "a.pdf") -> ParsedDocument:
    return read(content, name=name, ocr=ocr.of("a"))


def pages_of(document: ParsedDocument) -> list[str]:
    return [document.text[page.span.start : page.span.end] for page in document.pages]


def stand_in(folder: Path, script: str, patch: pytest.MonkeyPatch) -> None:
    """Lets a shell script stand in for tesseract: one that hangs or fails cannot be had of the real one."""
    program = folder / "tesseract"
    languages = 'if [ "$1" = --list-langs ]; then printf "List:\\neng\\nosd\\n"; exit; fi\n'
    program.write_text(f"#!/bin/sh\n{languages}{script}\n", encoding="utf-8")
    program.chmod(0o755)
    patch.setenv("PATH", str(folder), prepend=":")
