"""OpenDocument files, of LibreOffice and others: texts, spreadsheets and presentations."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from lxml import etree

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading.draft import Draft
from pipelines.reading.formats import ODP, ODT
from pipelines.reading.office.opentext import TextBody, attribute, paragraph_text
from pipelines.reading.office.packages import open_package, part, required_part
from pipelines.reading.office.pictures import adding_to
from pipelines.reading.office.sheets import CellBudget, add_sheet
from pipelines.reading.properties import clean_title
from pipelines.reading.source import Source
from pipelines.reading.xmltree import parse_plain, words
from pipelines.types import ParsedDocument, Span

_FURNITURE = ("page", "page-number", "footer", "header", "date-time")
_MOST_REPEATS = 1000
"""How often a cell or row with words in it is repeated; files fill columns to the sheet's end that way."""


def read(source: Source) -> ParsedDocument:
    """Return the text, the sheets or the slides, as a reader sees them.

    Raises:
        EncryptedDocument: It has a password.
        CorruptDocument: It is damaged, or something else.
    """
    label = source.format.label
    with open_package(source.data(), label) as package:
        if b"encryption-data" in (part(package, "META-INF/manifest.xml", label) or b""):
            raise EncryptedDocument
        content = parse_plain(required_part(package, "content.xml", label), label)
        styles = part(package, "styles.xml", label)
        title, metadata = _properties(package, label)
        body = content.find("body")
        inside = body[0] if body is not None and len(body) else None
        if inside is None:
            raise CorruptDocument(label, "its content is missing; get a fresh copy and ingest that")
        draft = Draft()
        add_picture = adding_to(source.gallery, package)
        text = TextBody(draft, content, parse_plain(styles, label) if styles else None, add_picture)
        if source.format is ODT:
            text.add(inside)
        elif source.format is ODP:
            _add_slides(draft, text, inside)
        else:
            _add_sheets(draft, text, content, inside)
    return draft.finish(source.format, title or draft.first_title(), metadata)


def _properties(package: zipfile.ZipFile, label: str) -> tuple[str | None, dict[str, str]]:
    meta = part(package, "meta.xml", label)
    described = parse_plain(meta, label).find("meta") if meta else None
    if described is None:
        return None, {}
    metadata = {
        "author": words(described.find("creator")) or words(described.find("initial-creator")),
        "created": words(described.find("creation-date"))[:10],
        "modified": words(described.find("date"))[:10],
    }
    return clean_title(words(described.find("title"))), metadata


def _add_slides(draft: Draft, text: TextBody, slides: etree._Element) -> None:
    """Append each slide as a page: its title a heading, what stands on it, and its notes."""
    for number, slide in enumerate(slides.iterfind("page"), start=1):
        before = draft.length
        for shape in slide:
            _add_shape(draft, text, shape)
        if draft.length > before:
            draft.add_page(Span(before, draft.length), number)


def _add_shape(draft: Draft, text: TextBody, shape: etree._Element) -> None:
    kind = attribute(shape, "class")
    if shape.tag == "notes":
        notes = " ".join(paragraph_text(p) for p in shape.iter("p")).split()
        draft.add(" ".join(["Note:", *notes]) if notes else "", "note")
    elif kind == "title":
        draft.add_heading(1, " ".join(paragraph_text(p) for p in shape.iter("p")))
    elif kind not in _FURNITURE:
        text.add(shape)


def _add_sheets(draft: Draft, text: TextBody, content: etree._Element, sheets: etree._Element) -> None:
    hidden = _hidden_styles(content)
    budget = CellBudget("ODS")
    for sheet in sheets.iterfind("table"):
        if attribute(sheet, "style-name") not in hidden:
            pictures = [shown for image in sheet.iter("image") if (shown := text.picture(image))]
            add_sheet(draft, attribute(sheet, "name"), _rows(sheet, budget), pictures, _boxes(sheet))


def _boxes(sheet: etree._Element) -> list[str]:
    """Return the paragraphs of the text boxes and shapes that lie on a sheet."""
    written = (paragraph_text(p) for box in sheet.iter("text-box", "custom-shape") for p in box.iter("p"))
    return [shown for words in written if (shown := " ".join(words.split()))]


def _hidden_styles(content: etree._Element) -> set[str]:
    styles = content.iterfind("automatic-styles/style")
    return {
        attribute(style, "name")
        for style in styles
        for properties in style.iterfind("table-properties")
        if attribute(properties, "display") == "false"
    }


def _rows(sheet: etree._Element, budget: CellBudget) -> Iterator[list[str]]:
    for row in sheet.iter("table-row"):
        cells = list(_cells(row))
        filled = any(cells)
        repeats = _repeats(row, "number-rows-repeated") if filled else 1
        for _ in range(min(repeats, _MOST_REPEATS)):
            budget.spend(len(cells))
            yield cells
        if repeats > _MOST_REPEATS:
            yield [f"... and {repeats - _MOST_REPEATS:,} more rows like the last"]


def _cells(row: etree._Element) -> Iterator[str]:
    """Yield the texts of a row without the empty cells at its end, of which files have thousands."""
    waiting = 0
    for cell in row:
        if cell.tag not in ("table-cell", "covered-table-cell"):
            continue
        shown = _shown(cell)
        repeats = _repeats(cell, "number-columns-repeated")
        if not shown:
            waiting += repeats
            continue
        yield from [""] * min(waiting, _MOST_REPEATS)
        waiting = 0
        yield from [shown] * min(repeats, _MOST_REPEATS)


def _shown(cell: etree._Element) -> str:
    """Return what a cell shows; where a program wrote no more than its value, that."""
    shown = " ".join(paragraph_text(p) for p in cell.iterfind("p")).strip()
    values = ("string-value", "date-value", "time-value", "boolean-value", "value")
    return shown or next(filter(None, (attribute(cell, name) for name in values)), "")


def _repeats(element: etree._Element, name: str) -> int:
    count = attribute(element, name)
    return max(1, int(count)) if count.isdecimal() and len(count) < 9 else 1
