"""The readers on real files, from the folder that FOOTNOTE_EVAL_DATA names: as many kinds as its manifest lists."""

from __future__ import annotations

import json
import os
import re
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import CorruptDocument, EmptyDocument, EncryptedDocument, NoTextLayer, UnsupportedFormat
from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit

FOLDER = Path(os.environ.get("FOOTNOTE_EVAL_DATA", "")) / "files"
MANIFEST = FOLDER / "manifest.json"
OFFICE = FOLDER.parent / "own_docs" / "office" / "files" / "pdf"
BLOCKS = ("pdf_text", "csv")  # what else there is comes with blocks through the Markdown reader
ROWS = {
    "background-checks.pdf": [
        " | ".join(["Guam", "0", "100", "55", "12", "3", *"0000100000", "", "", *"000000", "171"])
    ],
    "ag-energy-round-up-2017-02-24.pdf": ["Straw | 55.71 | 54.29 | 58.33 |"],
    "ca-warn-report.pdf": [
        "07/01/2015 | 09/02/2015 | 07/01/2015 | Leidos | El Segundo | 72 | Layoff Permanent",
    ],
    "federal-register-2020-17221.pdf": ["AFM revisions | 1 work-hour × $85 per hour = $85 | $0 | $85 | $6,205."],
}
LISTS = [
    ("list-item-example.pdf", "steps of successful development.", 7),
    ("federal-register-2020-17221.pdf", "by any of the following methods:", 4),
    ("Developer Data Bites Presentation 6.27.2024.pdf", "Agenda:", 7),
]
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
def test_readable_files_are_read_with_their_structure(entry: dict[str, Any]) -> None:
    document = document_of(entry)
    assert document.text.strip()
    assert "\r" not in document.text
    if entry["kind"] in BLOCKS:
        assert_blocks_fit(document)
    spans = [page.span for page in document.pages]
    assert spans == sorted(spans, key=lambda span: span.start)
    assert all(span.end <= len(document.text) for span in spans)


@pytest.mark.parametrize("entry", entries(refused=True))
def test_unreadable_files_are_refused_with_their_own_reason(entry: dict[str, Any]) -> None:
    with pytest.raises(REFUSED[entry["kind"]]):
        document_of(entry)


@pytest.mark.parametrize("entry", [param for param in entries(refused=False) if param.values[0]["kind"] == "pdf_text"])
def test_a_pdf_has_the_pages_the_outline_and_the_amount_of_text_that_it_should(entry: dict[str, Any]) -> None:
    document = document_of(entry)
    assert [page.number for page in document.pages] == list(range(1, entry["pages"] + 1))
    assert len(document.headings) >= entry["outline_items"]
    assert len(document.text) > entry["text_chars"] * 0.7  # running heads and the like are left out


def office_pdfs() -> list[Any]:
    return [pytest.param(path, id=path.name) for path in sorted(OFFICE.glob("*.pdf"))]


@pytest.mark.parametrize("path", office_pdfs())
def test_a_pdf_of_an_office_has_blocks_that_cover_its_text(path: Path) -> None:
    document = read(path.read_bytes(), name=path.name)
    assert_blocks_fit(document)
    assert not re.search(r"\.{6}|[a-z]-\n[a-z]", document.text)
    rows = [document.text[block.span.start : block.span.end] for block in document.blocks if block.kind == "row"]
    for cells in ROWS.get(path.name, ()):
        assert cells in rows


@pytest.mark.parametrize(("name", "lead", "items"), LISTS)
def test_a_list_of_an_office_pdf_follows_its_lead_in(name: str, lead: str, items: int) -> None:
    document = read((OFFICE / name).read_bytes(), name=name)
    texts = [document.text[block.span.start : block.span.end] for block in document.blocks]
    at = next(place for place, text in enumerate(texts) if text.endswith(lead))
    led = takewhile(lambda block: block.kind == "item", document.blocks[at + 1 :])
    assert [block.level for block in led] == [document.blocks[at].level + 1] * items
