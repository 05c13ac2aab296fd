"""Presentations by python-pptx: each slide a page with a heading, its lists, tables, charts and speaker's notes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.oxml.ns import qn

from pipelines.reading.blocks import BlockWriter
from pipelines.reading.draft import Draft
from pipelines.reading.office.charts import chart_tables
from pipelines.reading.office.packages import open_package
from pipelines.reading.office.pictures import alternative
from pipelines.reading.office.properties import office_properties
from pipelines.reading.office.slidecolumns import captions_of, in_order
from pipelines.reading.office.slidexml import unwrap
from pipelines.reading.office.smartart import smartart_items
from pipelines.reading.pictures import Gallery
from pipelines.reading.source import Source
from pipelines.reading.tables import below_header, heads_columns, joined_header
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
    for slide in slides:
        unwrap(slide.shapes._spTree)
    for number, slide in enumerate(slides, start=1):
        draft.add_page(_add_slide(draft, slide, number, source.gallery), number)
    titles = (_title(slide).partition("\n")[0] for slide in slides)
    return draft.finish(source.format, title or next(filter(None, titles), None), metadata)


def _title(slide: Any) -> str:
    shape = slide.shapes.title
    return tidy(shape.text_frame.text.replace("\v", " ")).strip() if shape is not None and shape.has_text_frame else ""


def _add_slide(draft: Draft, slide: Any, number: int, gallery: Gallery | None) -> Span:
    """Append a slide; one without a title is headed by its number, or it would seem to belong to the one before."""
    titled = slide.shapes.title.shape_id if slide.shapes.title is not None else None
    title, *others = _title(slide).split("\n")
    content = BlockWriter()
    for line in others:
        content.add(line.strip())
    for shape, is_caption in _shapes(slide.shapes, titled):
        if is_caption:
            content.add_heading(2, tidy(shape.text_frame.text).strip())
        else:
            _add_shape(content, shape)
        if gallery is not None:
            content.add(_picture(shape, gallery), "picture")
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None:
        _add_notes(content, tidy(notes.text))
    stored = content.stored()
    if not stored.text and not title:
        return draft.add("")
    start = draft.add_heading(1, title or f"Slide {number}")
    return Span(start.start, max(start.end, draft.add_stored(stored).end))


def _add_notes(content: BlockWriter, notes: str) -> None:
    """Append what the speaker is to say."""
    first, *others = notes.strip().split("\n")
    content.add(f"Notes: {first}" if first else "", "note")
    for line in others:
        content.add(line.strip(), level=1)


def _shapes(shapes: Any, titled: int | None) -> Iterator[tuple[Any, bool]]:
    """Yield the shapes that hold content, those in groups too, in the order of reading where their places are known.

    With each comes whether it is the caption of a column.
    """
    found = [shape for shape in shapes if shape.shape_id != titled and not _is_furniture(shape)]
    captions = captions_of(found)
    heads = {caption.shape_id for caption in captions.values()}
    for shape in in_order(found, captions):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes, titled)
        else:
            yield shape, shape.shape_id in heads


def _is_furniture(shape: Any) -> bool:
    return shape.is_placeholder and shape.placeholder_format.type in _FURNITURE


def _add_shape(content: BlockWriter, shape: Any) -> None:
    if getattr(shape, "has_table", False):
        _add_table(content, shape.table)
    elif getattr(shape, "has_chart", False):
        _add_chart(content, shape.chart)
    elif diagram := _smartart(shape):
        for depth, text in smartart_items(diagram):
            content.add(f"{'  ' * depth}- {text}", "item", level=depth + 1)
    elif shape.has_text_frame:
        in_list = shape.is_placeholder and shape.placeholder_format.type in _LISTS
        _add_paragraphs(content, shape.text_frame.paragraphs, in_list)


def _smartart(shape: Any) -> bytes:
    """Return the data of a shape that is SmartArt; empty where it is none."""
    named = shape._element.xpath(".//*[local-name()='relIds']/@*[local-name()='dm']")
    linked = shape.part.rels.get(str(named[0])) if named else None
    return b"" if linked is None or linked.is_external else bytes(linked.target_part.blob)


def _picture(shape: Any, gallery: Gallery) -> str:
    """Return the text of the block of a shape's picture; "" where it has none that is kept."""
    blip = shape._element.find(f".//{qn('p:blipFill')}/{qn('a:blip')}")
    linked = None if blip is None else shape.part.rels.get(blip.get(qn("r:embed")) or "")
    if linked is None or linked.is_external:
        return ""
    said = shape._element.xpath(".//p:cNvPr/@descr")
    return gallery.add(linked.target_part.blob, alternative(said[0]) if said else "")


def _add_table(content: BlockWriter, table: Any) -> None:
    """Append a table; names above several columns name each of them, and so do values below a header."""
    grid, spread = _grid(table)
    header = joined_header(spread[0], grid[0], grid[1:]) if grid else None
    is_named = header is not None or bool(table.first_row) or heads_columns(grid)
    if grid and is_named:
        first, names = (1, grid[0]) if header is None else (2, header)
        grid = [names, *below_header(names, zip(grid[first:], spread[first:], strict=True))]
    content.add_table(grid, has_header=is_named)


def _grid(table: Any) -> tuple[list[list[str]], list[list[str]]]:
    """Return the cells by row, one that spans rows repeated in each, and the same with those that span columns."""
    grid = [[cell.text for cell in row.cells] for row in table.rows]
    spread = [list(row) for row in grid]
    spanned: set[tuple[int, int]] = set()  # no cell is spread twice, though a damaged file may say so
    for top, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells):
            if cell.is_merge_origin and (top, column) not in spanned:
                text, across, down = grid[top][column], cell.span_width, cell.span_height
                for at in range(top, min(top + down, len(grid))):
                    grid[at][column] = text
                    width = min(across, len(grid[at]) - column)
                    spread[at][column : column + width] = [text] * width
                    spanned.update((at, place) for place in range(column, column + width))
    return grid, spread


def _add_paragraphs(content: BlockWriter, paragraphs: Iterable[Any], in_list: bool) -> None:
    """Append paragraphs, items of a list where they have a bullet of their own or from their place."""
    counts: dict[int, int] = {}
    for paragraph in paragraphs:
        text = " ".join(tidy(paragraph.text.replace("\v", " ")).split())
        signs = {local_name(sign) for sign in paragraph._p.pPr} if paragraph._p.pPr is not None else set()
        depth = paragraph.level
        is_item = bool(signs & {"buChar", "buAutoNum"}) or (in_list and "buNone" not in signs)
        # A number restarts below another item, and behind anything else.
        counts = {level: count for level, count in counts.items() if is_item and level <= depth}
        if not text or not is_item:
            content.add(text)
            continue
        counts[depth] = counts.get(depth, 0) + ("buAutoNum" in signs)
        sign = f"{counts[depth]}." if "buAutoNum" in signs else "-"
        content.add(f"{'  ' * depth}{sign} {text}", "item", level=depth + 1)


def _add_chart(content: BlockWriter, chart: Any) -> None:
    """Append a chart's title and its figures."""
    title = chart.chart_title.text_frame.text if chart.has_title and chart.chart_title.has_text_frame else ""
    content.add(" ".join(tidy(title).split()), "caption")
    for figures in chart_tables(chart._chartSpace):
        content.add_table(figures)
