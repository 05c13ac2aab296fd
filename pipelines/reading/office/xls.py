"""Workbooks of Excel before 2007, by xlrd: a heading for each sheet, its rows as tables, its values as shown."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Literal

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading.draft import Draft
from pipelines.reading.office.compounds import open_compound
from pipelines.reading.office.sheets import MOST_CELLS, add_sheet
from pipelines.reading.office.units import duration, in_minutes, percent_places, shows_duration, with_zeros
from pipelines.reading.properties import clean_title
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

if TYPE_CHECKING:
    from olefile import OleFileIO
    from xlrd.book import Book
    from xlrd.sheet import Cell, Sheet


_UTF_8 = 65001


def read(source: Source) -> ParsedDocument:
    """Return the visible sheets; of a formula, the value that was last computed.

    Raises:
        EncryptedDocument: It has a password.
        CorruptDocument: It is damaged, or something else.
    """
    label = source.format.label
    with open_compound(source.data(), label) as compound:
        title, metadata = _properties(compound)
    draft = Draft()
    with _opened(source.data(), label) as book:
        cells = sum(sum(map(sheet.row_len, range(sheet.nrows))) for sheet in book.sheets())
        if cells > MOST_CELLS:
            raise CorruptDocument(
                label, f"its {cells:,} cells are more than the {MOST_CELLS:,} that are read; split it"
            )
        for sheet in book.sheets():
            if sheet.visibility == 0:
                add_sheet(draft, sheet.name, _rows(book, sheet))
    return draft.finish(source.format, title, metadata)


def _opened(data: bytes, label: str) -> Book:
    """Return the workbook; xlrd would print what it complains of, and its error names no class for a password."""
    from xlrd import open_workbook
    from xlrd.biffh import XLRDError

    try:
        return open_workbook(file_contents=data, logfile=io.StringIO(), formatting_info=True, ragged_rows=True)
    except XLRDError as error:
        if "encrypted" in str(error).lower():
            raise EncryptedDocument from error
        raise CorruptDocument(label, f"{error}; get a fresh copy and ingest that") from error


def _rows(book: Book, sheet: Sheet) -> Iterator[list[str]]:
    for number in range(sheet.nrows):
        yield [_shown(book, cell) for cell in sheet.row(number)]


def _shown(book: Book, cell: Cell) -> str:
    from xlrd.biffh import XL_CELL_BOOLEAN, XL_CELL_DATE, XL_CELL_NUMBER, XL_CELL_TEXT

    if cell.ctype == XL_CELL_TEXT:
        return str(cell.value).strip()
    if cell.ctype == XL_CELL_BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.ctype == XL_CELL_DATE:
        value, shown_as = float(cell.value), _format_of(book, cell)
        return _duration(value) if shows_duration(shown_as) else _moment(value, 1 if book.datemode else 0, shown_as)
    return _number(float(cell.value), _format_of(book, cell)) if cell.ctype == XL_CELL_NUMBER else ""


def _format_of(book: Book, cell: Cell) -> str:
    if cell.xf_index is None or cell.xf_index >= len(book.xf_list):
        return ""
    known = book.format_map.get(book.xf_list[cell.xf_index].format_key)
    return str(known.format_str) if known else ""


def _number(value: float, shown_as: str) -> str:
    if shown_as.endswith("%") or percent_places(shown_as) is not None:
        return f"{value * 100:.10g}%"
    return f"{'-' if value < 0 else ''}{with_zeros(f'{abs(value):.15g}', shown_as)}"


def _duration(value: float) -> str:
    try:
        return duration(timedelta(seconds=round(value * 86_400)))
    except OverflowError:
        return f"{value:.15g}"


def _moment(value: float, datemode: Literal[0, 1], shown_as: str) -> str:
    from xlrd.xldate import XLDateError, xldate_as_datetime

    try:
        moment: datetime = xldate_as_datetime(value, datemode)
    except (XLDateError, OverflowError, ValueError):
        return f"{value:.15g}"
    if 0 <= value < 1:
        return in_minutes(_clock(value), shown_as) or moment.time().isoformat(timespec="seconds")
    return moment.date().isoformat() if moment.time() == time() else moment.isoformat(sep=" ", timespec="seconds")


def _clock(value: float) -> time:
    """Return a share of a day as a time; xlrd's own has no parts of a second."""
    return (datetime.min + timedelta(microseconds=min(round(value * 86_400_000_000), 86_399_999_999))).time()


def _properties(compound: OleFileIO[Any]) -> tuple[str | None, dict[str, str]]:
    properties: Any = compound.get_metadata()  # its attributes are made at run time
    created, modified = properties.create_time, properties.last_saved_time
    metadata = {
        "author": _text(properties.author, properties.codepage),
        "created": created.date().isoformat() if isinstance(created, datetime) else "",
        "modified": modified.date().isoformat() if isinstance(modified, datetime) else "",
    }
    return clean_title(_text(properties.title, properties.codepage)), metadata


def _text(value: object, codepage: int | None) -> str:
    """Return a property's words; none where their code page is not known."""
    if not isinstance(value, bytes):
        return ""
    page = (codepage or _UTF_8) & 0xFFFF  # written as a signed number
    codec = "utf-8" if page == _UTF_8 else f"cp{page}"
    try:
        return value.decode(codec).strip("\0 ")
    except (LookupError, UnicodeError):
        return ""
