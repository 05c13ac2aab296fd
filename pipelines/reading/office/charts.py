"""The figures of charts, from their XML: python-pptx knows no 3-D charts, and fewer kinds than files have."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from pipelines.reading.office.sheets import CellBudget
from pipelines.reading.xmltree import local_name

_BY_COORDINATES = ("scatterChart", "bubbleChart")


def chart_tables(chart: etree._Element) -> Iterator[list[list[str]]]:
    """Yield the figures of each plot of a chart as rows, the first of which names the columns.

    Raises:
        CorruptDocument: They have more cells than are read.
    """
    budget = CellBudget("PPTX")
    for plot in chart.iterfind("{*}chart/{*}plotArea/*"):
        series = sorted(plot.iterfind("{*}ser"), key=_order)
        if local_name(plot) in _BY_COORDINATES:
            for each in series:
                yield _points(each, budget)
        elif series:
            yield _categories(series, budget)


def _categories(series: list[etree._Element], budget: CellBudget) -> list[list[str]]:
    """Return a row for each category, a column for each series; what has no categories is numbered from 1."""
    names = next((named for each in series if (named := each.find("{*}cat")) is not None), None)
    labels = _cached(names)
    return _grid(["", *map(_name, series)], labels, [_values(each, "val") for each in series], budget)


def _points(series: etree._Element, budget: CellBudget) -> list[list[str]]:
    """Return a row for each point of a series with its coordinates, and its size in a chart of bubbles."""
    columns = {_name(series) or "y": _values(series, "yVal")}
    if series.find("{*}bubbleSize") is not None:
        columns["size"] = _values(series, "bubbleSize")
    places = _values(series, "xVal") or _cached(series.find("{*}xVal"))
    return _grid(["x", *columns], places, list(columns.values()), budget)


def _grid(
    header: list[str], labels: dict[int, str], columns: list[dict[int, str]], budget: CellBudget
) -> list[list[str]]:
    indices = sorted({index for column in (labels, *columns) for index in column})
    budget.spend(len(indices) * len(header))
    return [
        header,
        *(
            [labels.get(index, "") if labels else str(index + 1), *(column.get(index, "") for column in columns)]
            for index in indices
        ),
    ]


def _values(series: etree._Element, name: str) -> dict[int, str]:
    """Return the numbers of a series by their places; errors of a sheet, such as "#N/A", are none."""
    found = {}
    for index, text in _cached(series.find(f"{{*}}{name}")).items():
        try:
            found[index] = f"{float(text):.15g}"
        except ValueError:
            continue
    return found


def _cached(data: etree._Element | None) -> dict[int, str]:
    """Return what a file keeps of a chart's cells by their places; of names in several levels, the innermost."""
    if data is None:
        return {}
    level = next(data.iter("{*}lvl"), data)
    points = ((str(point.get("idx")), point.findtext("{*}v") or "") for point in level.iter("{*}pt"))
    return {int(index): text for index, text in points if index.isdecimal() and len(index) < 9}


def _name(series: etree._Element) -> str:
    named = series.find("{*}tx")
    return next((value.text or "" for value in named.iter("{*}v")), "") if named is not None else ""


def _order(series: etree._Element) -> int:
    order = series.find("{*}order")
    written = str(order.get("val")) if order is not None else ""
    return int(written) if written.isdecimal() and len(written) < 9 else 0
