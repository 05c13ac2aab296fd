"""The readers on real files, from the folder that FOOTNOTE_EVAL_DATA names: as many kinds as its manifest lists."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import CorruptDocument, EmptyDocument, EncryptedDocument, NoTextLayer, UnsupportedFormat
from pipelines.reading import read
from pipelines.types import ParsedDocument

FOLDER = Path(os.environ.get("FOOTNOTE_EVAL_DATA", "")) / "files"
MANIFEST = FOLDER / "manifest.json"
REFUSED = {
    "pdf_scanned": NoTextLayer,
    "pdf_encrypted": EncryptedDocument,
    "pdf_corrupt": (CorruptDocument, EmptyDocument),
    "binary": UnsupportedFormat,
}

pytestmark = pytest.mark.skipif(
    "FOOTNOTE_EVAL_DATA" not in os.environ or not MANIFEST.exists(),
    reason="FOOTNOTE_EVAL_DATA names no folder of files",
)


def entries(*, refused: bool) -> list[Any]:
    listed = json.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else []
    chosen = [entry for entry in listed if (entry["kind"] in REFUSED) is refused]
    return [pytest.param(entry, id=entry["file"]) for entry in chosen]


def document_of(entry: dict[str, Any]) -> ParsedDocument:
    return read((FOLDER / entry["file"]).read_bytes(), name=entry["file"])


@pytest.mark.parametrize("entry", entries(refused=False))
def test_what_can_be_read_is_read_with_its_structure_in_place(entry: dict[str, Any]) -> None:
    document = document_of(entry)
    assert document.text.strip()
    assert "\r" not in document.text
    for heading in document.headings:
        line = document.text[heading.start :].split("\n")[0]
        assert heading.start == 0 or document.text[heading.start - 1] == "\n"
        assert heading.title in line
    spans = [page.span for page in document.pages]
    assert spans == sorted(spans, key=lambda span: span.start)
    assert all(span.end <= len(document.text) for span in spans)


@pytest.mark.parametrize("entry", entries(refused=True))
def test_what_cannot_be_read_is_refused_for_its_own_reason(entry: dict[str, Any]) -> None:
    with pytest.raises(REFUSED[entry["kind"]]):
        document_of(entry)


@pytest.mark.parametrize("entry", [param for param in entries(refused=False) if param.values[0]["kind"] == "pdf_text"])
def test_a_pdf_has_the_pages_the_outline_and_the_amount_of_text_that_it_should(entry: dict[str, Any]) -> None:
    document = document_of(entry)
    assert [page.number for page in document.pages] == list(range(1, entry["pages"] + 1))
    assert bool(document.headings) is bool(entry["outline_items"])
    assert len(document.text) > entry["text_chars"] * 0.9
