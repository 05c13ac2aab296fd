"""Workbooks by openpyxl: a heading for each sheet, its rows as tables, its values as the sheet shows them."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any

from openpyxl import Workbook
from openpyxl.chartsheet import Chartsheet
from openpyxl.reader.excel import ExcelReader
from typing_extensions import override

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.office.drawings import Drawings
from pipelines.reading.office.merges import Merges, SheetRow, merges
from pipelines.reading.office.packages import open_package
from pipelines.reading.office.pictures import adding_to
from pipelines.reading.office.properties import office_properties
from pipelines.reading.office.relations import sheets
from pipelines.reading.office.sheets import CellBudget
from pipelines.reading.office.units import divisor_of, duration, in_minutes, percent_places, unit_of, with_zeros
from pipelines.reading.source import Source
from pipelines.reading.tables import (
    below_header,
    columns_of_numbers,
    header_with_units,
    heads_columns,
    joined_header,
    remarks_above,
    remarks_below,
    tables_beside,
)
from pipelines.types import ParsedDocument

_LONGEST_NAME = 80
"""Characters of the name of a table."""
_MOST_ROWS = 1_048_576  # of a sheet, in Excel


class _Reader(ExcelReader):
    """Keeps the place of a sheet that is a chart, and reads nothing of it: openpyxl fails where it is empty."""

    @override
    def read_chartsheet(self, sheet: Any, rel: Any) -> None:
        workbook: Any = self.wb
        chart: Any = Chartsheet()
        chart._parent, chart.title = workbook, sheet.name
        workbook._add_sheet(chart)


def read(source: Source) -> ParsedDocument:
    """Return the visible sheets; of a formula, the value that was last computed."""
    with open_package(source.data(), source.format.label) as package:
        title, metadata = office_properties(package)
        parts = _parts(package)
        drawings = None if source.gallery is None else Drawings(package, adding_to(source.gallery, package))
        draft, budget = Draft(), CellBudget(source.format.label)
        with _without_warnings(), closing(_opened(source.data())) as workbook:
            for sheet in workbook.worksheets:
                if sheet.sheet_state == "visible":
                    merged = merges(package, parts.get(sheet.title, ""), budget)
                    _add_sheet(draft, sheet, merged, budget, drawings.on_sheet(sheet.title) if drawings else [])
    return draft.finish(source.format, title, metadata)


def _parts(package: zipfile.ZipFile) -> dict[str, str]:
    """Return the names of the sheets' parts; none where the workbook does not tell them."""
    with suppress(CorruptDocument):
        return dict(sheets(package))
    return {}


def _opened(data: bytes) -> Workbook:
    reader = _Reader(io.BytesIO(data), read_only=True, data_only=True)
    reader.read()
    return reader.wb


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Keep to itself what openpyxl would warn of losing if the workbook were saved."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"openpyxl\b")
        yield


def _add_sheet(draft: Draft, sheet: Any, merged: Merges, budget: CellBudget, pictures: Sequence[str]) -> None:
    sheet.reset_dimensions()  # what the file says of its size may be wrong, or a million empty rows
    tables = list(_tables(_blocks(islice(sheet.iter_rows(), _MOST_ROWS), merged, budget)))
    if tables or pictures:
        draft.add_heading(1, sheet.title)
    named = _are_named(tables)
    for table in tables:
        heading = table.titles[-1] if named and table.rows and table.titles else ""
        for title in table.titles[: -1 if heading else None]:
            draft.add(title, "caption" if table.rows else "paragraph")
        if heading:
            draft.add_heading(2, heading)
        draft.add_table(table.rows, has_header=table.has_header)
        for remark in table.remarks:
            draft.add(" ".join(remark.split()))
    for picture in pictures:
        draft.add(picture, "picture")


def _are_named(tables: Sequence[_Table]) -> bool:
    """Return whether the tables of a sheet have names of their own, so that each one's title tells it apart."""
    titled = [table for table in tables if table.titles and table.rows]
    names = {table.titles[-1] for table in titled}
    is_each_own = len(names) == len(titled) and all(len(name) <= _LONGEST_NAME for name in names)
    return is_each_own and sum(table.has_header for table in titled) > 1


@dataclass(slots=True)
class _Table:
    """Rows, whether the first names the columns, the titles above them, the remarks right below them, and which of the
    columns hold numbers, once that was asked.
    """

    titles: list[str]
    rows: list[list[str]]
    has_header: bool
    remarks: list[str] = field(default_factory=list)
    numbers: list[int] | None = None

    def takes(self, other: _Table) -> bool:
        """Return whether the rows of another table, behind a gap, continue this one; a title may begin them."""
        if other.has_header or not self.rows or not other.rows or self.remarks:
            return False
        if other.titles:
            return self.has_header and len(other.titles) == 1 and self._has_columns_of(other)
        return self.has_header or (len(self.rows) == 1 and heads_columns(self.rows + other.rows))

    def _has_columns_of(self, other: _Table) -> bool:
        """Return whether the same columns hold numbers; those of this one as it was before others continued it."""
        if self.numbers is None:
            self.numbers = columns_of_numbers(self.rows[1:])
        return bool(self.numbers) and self.numbers == columns_of_numbers(other.rows)


def _tables(blocks: Iterable[list[SheetRow]]) -> Iterator[_Table]:
    """Yield tables with the titles above them; rows behind a gap that have no header belong to the one before."""
    waiting: _Table | None = None
    for block in blocks:
        found = _table(block)
        if waiting is None:
            waiting = found
        elif waiting.takes(found):
            waiting.rows += [*([title] for title in found.titles), *found.rows]
            waiting.has_header = waiting.has_header or heads_columns(waiting.rows)
            waiting.remarks = found.remarks
        elif not waiting.rows and found.rows:
            found.titles = waiting.titles + found.titles
            waiting = found
        else:
            yield waiting
            waiting = found
    if waiting is not None:
        yield waiting


def _table(block: list[SheetRow]) -> _Table:
    """Return a stretch of rows as a table, with the remarks at its end."""
    end = len(block) - remarks_below([row.cells for row in block])
    table = _headed(block[:end])
    table.remarks = [row.cells[0] for row in block[end:]]
    return table


def _headed(block: list[SheetRow]) -> _Table:
    """Return a stretch of rows as a table; those at its beginning that fill few of its columns are titles."""
    widths = [sum(map(bool, row.cells)) for row in block]
    full = max(2, (max(widths) + 1) // 2)
    count = next((index for index, width in enumerate(widths) if width >= full), len(block))
    rows = [row.cells for row in block]
    for groups in range(max(count - 1, 0), min(count + 1, len(block) - 2)):
        spread, rest = block[groups].spread, rows[groups + 1 :]
        header = joined_header(spread, rows[groups], rest) or header_with_units(spread, rest)
        if header:
            return _Table(_titles(rows[:groups]), [header, *below_header(header, block[groups + 2 :])], has_header=True)
    count += remarks_above(rows[count:])
    has_header = heads_columns(rows[count:])
    below = below_header(rows[count], block[count + 1 :]) if has_header else rows[count + 1 :]
    return _Table(_titles(rows[:count]), [*rows[count : count + 1], *below], has_header)


def _titles(rows: list[list[str]]) -> list[str]:
    return [" ".join(" ".join(filter(None, row)).split()) for row in rows]


def _blocks(rows: Iterable[Any], merged: Merges, budget: CellBudget) -> Iterator[list[SheetRow]]:
    """Yield the stretches of rows between empty ones."""
    block: list[SheetRow] = []
    for number, row in enumerate(rows, 1):
        budget.spend(len(row))
        shown = merged.row(number, [_shown(cell) for cell in row])
        if any(shown.cells):
            block.append(shown)
        elif block:
            yield from _side_by_side(block)
            block = []
    if block:
        yield from _side_by_side(block)


def _side_by_side(block: list[SheetRow]) -> Iterator[list[SheetRow]]:
    """Yield the tables of a stretch of rows that stand beside each other, from the left; all of it if it is one."""
    for columns in tables_beside([row.cells for row in block]):
        yield [SheetRow(row.cells[columns], row.spread[columns]) for row in block if any(row.cells[columns])]


def _shown(cell: Any) -> str:
    value = cell.value
    if value is None or cell.data_type == "e":
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value, str(cell.number_format or ""))
    if isinstance(value, time):
        return in_minutes(value, str(cell.number_format or "")) or value.isoformat()
    return _moment(value) if isinstance(value, date | timedelta) else str(value).strip()


def _number(value: float, number_format: str) -> str:
    places = percent_places(number_format)
    if places is not None:
        return f"{value * 100:.{places}f}%"
    before, after = unit_of(number_format)
    divisor = divisor_of(number_format)
    shown = value / divisor if divisor > 1 else value
    digits = f"{abs(shown):.15g}" if isinstance(shown, float) else str(abs(shown))
    return f"{'-' if value < 0 else ''}{before}{with_zeros(digits, number_format)}{after}"


def _moment(value: date | timedelta) -> str:
    if isinstance(value, timedelta):
        return duration(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ", timespec="seconds")
    return value.isoformat()
