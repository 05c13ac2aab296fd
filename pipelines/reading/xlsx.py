"""Workbooks by openpyxl: a heading for each sheet, its rows as tables, its values as the sheet shows them."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any

from openpyxl import Workbook, load_workbook

from pipelines.reading.draft import Draft
from pipelines.reading.office import office_properties
from pipelines.reading.packages import open_package
from pipelines.reading.source import Source
from pipelines.reading.tables import markdown_table
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the visible sheets; of a formula, the value that was last computed."""
    with open_package(source.data(), source.format.label) as package:
        title, metadata = office_properties(package)
    draft = Draft()
    with _without_warnings(), closing(_opened(source.data())) as workbook:
        for sheet in workbook.worksheets:
            if sheet.sheet_state == "visible":
                _add_sheet(draft, sheet)
    return draft.finish(source.format, title, metadata)


def _opened(data: bytes) -> Workbook:
    return load_workbook(io.BytesIO(data), read_only=True, data_only=True)


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Keep to itself what openpyxl would warn of losing if the workbook were saved."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"openpyxl\b")
        yield


def _add_sheet(draft: Draft, sheet: Any) -> None:
    sheet.reset_dimensions()  # what the file says of its size may be wrong, or a million empty rows
    tables = [markdown_table(block) for block in _blocks(sheet.iter_rows())]
    if not any(tables):
        return
    draft.add_heading(1, sheet.title)
    for table in tables:
        draft.add(table)


def _blocks(rows: Iterable[Any]) -> Iterator[list[list[str]]]:
    """Yield the stretches of rows between empty ones: tables and the titles above them."""
    block: list[list[str]] = []
    for row in rows:
        cells = [_shown(cell) for cell in row]
        if any(cells):
            block.append(cells)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _shown(cell: Any) -> str:
    value = cell.value
    if value is None or cell.data_type == "e":
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value, str(cell.number_format or ""))
    return _moment(value) if isinstance(value, date | time | timedelta) else str(value).strip()


def _number(value: float, number_format: str) -> str:
    if number_format.endswith("%"):
        return f"{value * 100:.10g}%"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _moment(value: date | time | timedelta) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ", timespec="seconds")
    return value.isoformat() if isinstance(value, date) else str(value)
