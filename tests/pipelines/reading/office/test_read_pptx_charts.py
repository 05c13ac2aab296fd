"""Presentations: the charts of every kind as tables, and shapes that are wrapped for older programs."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
COMPATIBLE = "http://schemas.openxmlformats.org/markup-compatibility/2006"
SHAPES = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
FORMULAS = "http://schemas.openxmlformats.org/officeDocument/2006/math"
NEWER = "http://schemas.microsoft.com/office/drawing/2010/main"


def slide_of(deck: Any, title: str) -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = title
    return slide


def text_of(deck: Any) -> str:
    return str(document_of(deck).text)


def document_of(deck: Any) -> Any:
    target = io.BytesIO()
    deck.save(target)
    return read(target.getvalue(), name="a.pptx")


def add_chart(slide: Any, kind: XL_CHART_TYPE, data: Any) -> Any:
    frame = slide.shapes.add_chart(kind, 0, Inches(2), Inches(4), Inches(3), data)
    return frame.chart._chartSpace


def visits(years: Sequence[str] = ("2023", "2024")) -> Any:
    data: Any = CategoryChartData()
    data.categories = years
    data.add_series("Visits", [10.5 + number for number in range(len(years))])
    data.add_series("Calls", [None, *range(3, 2 + len(years))])
    return data


@pytest.mark.parametrize(
    "kind", ["pie3DChart", "bar3DChart", "line3DChart", "area3DChart", "stockChart", "surfaceChart", "ofPieChart"]
)
def test_a_chart_that_python_pptx_does_not_know_is_read_like_others(kind: str) -> None:
    deck = Presentation()
    slide = slide_of(deck, "Figures")
    add_chart(slide, XL_CHART_TYPE.BAR_CLUSTERED, visits()).find(f".//{CHART}barChart").tag = f"{CHART}{kind}"
    document = document_of(deck)
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Figures"),
        ("header", 1, " | Visits | Calls"),
        ("row", 1, "2023 | 10.5"),
        ("row", 1, "2024 | 11.5 | 3"),
    ]


def test_series_stand_in_their_order_and_errors_of_the_sheet_are_left_out() -> None:
    deck = Presentation()
    chart = add_chart(slide_of(deck, "T"), XL_CHART_TYPE.LINE, visits())
    first, second = (series.find(f"{CHART}order") for series in chart.iter(f"{CHART}ser"))
    first.set("val", "1")
    second.set("val", "0")
    next(chart.find(f".//{CHART}val").iter(f"{CHART}v")).text = "#N/A"
    assert text_of(deck).split("\n")[2:] == [" | Calls | Visits", "2023", "2024 | 3 | 11.5"]


def test_a_chart_without_categories_is_numbered_from_one() -> None:
    deck = Presentation()
    chart = add_chart(slide_of(deck, "T"), XL_CHART_TYPE.LINE, visits())
    for names in list(chart.iter(f"{CHART}cat")):
        names.getparent().remove(names)
    assert text_of(deck).split("\n")[2:] == [" | Visits | Calls", "1 | 10.5", "2 | 11.5 | 3"]


def test_points_of_a_scatter_chart_have_both_their_coordinates() -> None:
    deck = Presentation()
    data = XyChartData()
    for name, points in (("North", [(1, 10), (2, 25)]), ("South", [(1.5, 7)])):
        series = data.add_series(name)
        for x, y in points:
            series.add_data_point(x, y)
    add_chart(slide_of(deck, "T"), XL_CHART_TYPE.XY_SCATTER, data)
    assert text_of(deck) == "T\n\nx | North\n1 | 10\n2 | 25\n\nx | South\n1.5 | 7"


def test_a_bubble_has_a_size() -> None:
    deck = Presentation()
    data = BubbleChartData()
    data.add_series("North").add_data_point(1, 10, 4)
    add_chart(slide_of(deck, "T"), XL_CHART_TYPE.BUBBLE, data)
    assert text_of(deck) == "T\n\nx | North | size\n1 | 10 | 4"


def test_a_long_chart_is_read_at_once() -> None:
    deck = Presentation()
    add_chart(slide_of(deck, "T"), XL_CHART_TYPE.LINE, visits([f"day {number}" for number in range(2000)]))
    started = time.process_time()
    assert text_of(deck).endswith("day 1999 | 2009.5 | 2001")
    assert time.process_time() - started < 20  # it took minutes for a fifth of them


def test_places_far_out_make_no_rows_between() -> None:
    deck = Presentation()
    chart = add_chart(slide_of(deck, "T"), XL_CHART_TYPE.LINE, visits())
    for count in chart.iter(f"{CHART}ptCount"):
        count.set("val", "99999999")
    next(chart.find(f".//{CHART}val").iter(f"{CHART}pt")).set("idx", "77777777")
    assert text_of(deck).split("\n")[2:] == [" | Visits | Calls", "2023", "2024 | 11.5 | 3", " | 10.5"]


def wrap(slide: Any, shape: Any, requires: str, older: str = "") -> None:
    """Give a shape of a slide the form that PowerPoint writes for what is newer than the format."""
    element = shape._element
    wrapper = etree.Element(f"{{{COMPATIBLE}}}AlternateContent", nsmap={"mc": COMPATIBLE, "p": SHAPES})
    element.getparent().replace(element, wrapper)
    etree.SubElement(wrapper, f"{{{COMPATIBLE}}}Choice", Requires=requires).append(element)
    etree.SubElement(wrapper, f"{{{COMPATIBLE}}}Fallback").append(
        etree.fromstring(older or f'<p:cxnSp xmlns:p="{SHAPES}"/>')
    )


def text_box(slide: Any, text: str, top: float = 3) -> Any:
    box = slide.shapes.add_textbox(Inches(1), Inches(top), Inches(3), Inches(1))
    box.text_frame.text = text
    return box


OLDER = (
    f'<p:sp xmlns:p="{SHAPES}" xmlns:a="{DRAWING}"><p:nvSpPr><p:cNvPr id="9" name="n"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
    "<p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>not available</a:t></a:r></a:p></p:txBody></p:sp>"
)


def test_a_text_box_with_a_formula_is_read_with_it() -> None:
    deck = Presentation()
    slide = slide_of(deck, "T")
    box = text_box(slide, "The energy is ")
    formula = (
        f'<a14:m xmlns:a14="{NEWER}" xmlns:m="{FORMULAS}"><m:oMathPara><m:oMath><m:r><m:t>E=m</m:t></m:r>'
        "<m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
        "</m:oMath></m:oMathPara></a14:m>"
    )
    box.text_frame.paragraphs[0]._p.append(etree.fromstring(formula))
    wrap(slide, box, "a14", OLDER)
    text_box(slide, "below", top=5)
    assert text_of(deck) == "T\n\nThe energy is E=mc^2\n\nbelow"


def test_a_wrapped_shape_in_a_group_and_a_wrapped_title_are_read() -> None:
    deck = Presentation()
    slide = slide_of(deck, "Named")
    group = slide.shapes.add_group_shape()
    inner = group.shapes.add_textbox(Inches(1), Inches(3), Inches(1), Inches(1))
    inner.text_frame.text = "inside"
    wrap(slide, inner, "a14", OLDER)
    wrap(slide, slide.shapes.title, "a14", OLDER)
    document = document_of(deck)
    assert (document.title, document.text) == ("Named", "Named\n\ninside")


def test_what_an_older_program_is_told_instead_of_a_model_is_no_text() -> None:
    deck = Presentation()
    slide = slide_of(deck, "T")
    wrap(slide, text_box(slide, ""), "am3d", OLDER)
    text_box(slide, "below", top=5)
    assert text_of(deck) == "T\n\nbelow"
