"""Presentations by python-pptx: each slide a page with a heading, its lists, tables, charts and speaker's notes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER

from pipelines.reading.draft import Draft
from pipelines.reading.office import office_properties
from pipelines.reading.packages import open_package
from pipelines.reading.source import Source
from pipelines.reading.tables import markdown_table
from pipelines.reading.tidying import tidy
from pipelines.reading.xmltree import local_name
from pipelines.types import ParsedDocument, Span

_FURNITURE = (PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER)
_LISTS = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY, PP_PLACEHOLDER.VERTICAL_OBJECT)


def read(source: Source) -> ParsedDocument:
    """Return the slides in their order, hidden ones too; a slide's number is its page."""
    with open_package(source.data(), source.format.label) as package:
        title, metadata = office_properties(package)
    draft = Draft()
    slides = Presentation(io.BytesIO(source.data())).slides
    for number, slide in enumerate(slides, start=1):
        draft.add_page(_add_slide(draft, slide, number), number)
    titles = (_title(slide) for slide in slides)
    return draft.finish(source.format, title or next(filter(None, titles), None), metadata)


def _title(slide: Any) -> str:
    shape = slide.shapes.title
    return tidy(shape.text_frame.text).strip() if shape is not None and shape.has_text_frame else ""


def _add_slide(draft: Draft, slide: Any, number: int) -> Span:
    """Append a slide; one without a title is headed by its number, or it would seem to belong to the one before."""
    titled = slide.shapes.title.shape_id if slide.shapes.title is not None else None
    blocks = [block for shape in _shapes(slide.shapes, titled) for block in _blocks(shape) if block]
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and notes.text.strip():
        blocks.append(f"Notes: {tidy(notes.text)}")
    if not blocks and not _title(slide):
        return draft.add("")
    start = draft.add_heading(1, _title(slide) or f"Slide {number}")
    return Span(start.start, max([start.end, *(draft.add(block).end for block in blocks)]))


def _shapes(shapes: Any, titled: int | None) -> Iterator[Any]:
    """Yield the shapes that hold content, those in groups too, from top to bottom as far as their places are known."""
    found = [shape for shape in shapes if shape.shape_id != titled and not _is_furniture(shape)]
    for shape in sorted(found, key=lambda each: (each.top or 0, each.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes, titled)
        else:
            yield shape


def _is_furniture(shape: Any) -> bool:
    return shape.is_placeholder and shape.placeholder_format.type in _FURNITURE


def _blocks(shape: Any) -> Iterator[str]:
    if getattr(shape, "has_table", False):
        yield markdown_table(_grid(shape.table))
    elif getattr(shape, "has_chart", False):
        yield _chart(shape.chart)
    elif shape.has_text_frame:
        in_list = shape.is_placeholder and shape.placeholder_format.type in _LISTS
        lines = [_line(paragraph, in_list) for paragraph in shape.text_frame.paragraphs]
        yield "\n".join(line for line in lines if line)


def _grid(table: Any) -> list[list[str]]:
    """Return the cells by row, one that spans rows repeated in each: every row can stand alone."""
    grid = [[cell.text for cell in row.cells] for row in table.rows]
    for top, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells):
            if cell.is_merge_origin:
                for spanned in grid[top + 1 : top + cell.span_height]:
                    spanned[column] = cell.text
    return grid


def _line(paragraph: Any, in_list: bool) -> str:
    """Return a paragraph as one line, an item of a list where it has a bullet of its own or from its place."""
    text = " ".join(tidy(paragraph.text.replace("\v", " ")).split())
    signs = {local_name(sign) for sign in paragraph._p.pPr} if paragraph._p.pPr is not None else set()
    is_item = bool(signs & {"buChar", "buAutoNum"}) or (in_list and "buNone" not in signs)
    return f"{'  ' * paragraph.level}- {text}" if text and is_item else text


def _chart(chart: Any) -> str:
    """Return a chart's title and its figures: a row for each category, a column for each series."""
    title = chart.chart_title.text_frame.text if chart.has_title and chart.chart_title.has_text_frame else ""
    tables = (markdown_table(_figures(plot)) for plot in chart.plots)
    return "\n\n".join(part for part in (tidy(title), *tables) if part)


def _figures(plot: Any) -> list[list[str]]:
    series = list(plot.series)
    rows = [["", *(each.name for each in series)]]
    for index, category in enumerate(plot.categories):
        values = [each.values[index] if index < len(each.values) else None for each in series]
        rows.append([str(category), *("" if number is None else f"{number:.15g}" for number in values)])
    return rows
