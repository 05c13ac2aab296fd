"""Presentations: slides as pages with headings, lists, tables, charts and notes."""

from __future__ import annotations

import io
from time import process_time
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches

from pipelines.errors import CorruptDocument, EmptyDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.reader_files import archive

TITLE_AND_BODY, COMPARISON, TITLE_ONLY, BLANK = 1, 4, 5, 6


def saved(deck: Any) -> bytes:
    target = io.BytesIO()
    deck.save(target)
    return target.getvalue()


def add_slide(deck: Any, layout: int, title: str = "") -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def add_text(slide: Any, text: str, top: float = 2) -> None:
    slide.shapes.add_textbox(Inches(1), Inches(top), Inches(3), Inches(1)).text_frame.text = text


def test_each_slide_is_a_page_with_a_heading() -> None:
    deck = Presentation()
    body = add_slide(deck, TITLE_AND_BODY, "Plan").placeholders[1].text_frame
    body.text = "first"
    inner = body.add_paragraph()
    inner.text, inner.level = "inner", 1
    add_text(add_slide(deck, TITLE_ONLY, "Budget"), "# 5 million\nin all")
    document = read(saved(deck), name="a.pptx")
    assert document.text == "Plan\n\n- first\n  - inner\n\nBudget\n\n# 5 million\n\nin all"
    assert [(heading.level, heading.title) for heading in document.headings] == [(1, "Plan"), (1, "Budget")]
    assert [document.text[page.span.start : page.span.end].split("\n")[0] for page in document.pages] == [
        "Plan",
        "Budget",
    ]
    assert document.title == "Plan"


def test_a_slide_that_compares_is_read_column_by_column() -> None:
    deck = Presentation()
    slide = add_slide(deck, COMPARISON, "Two ferries")
    for at, text in enumerate(("Solveig", "40 cars\nDiesel", "Ragna", "65 cars\nBatteries"), start=1):
        slide.placeholders[at].text = text
    document = read(saved(deck), name="a.pptx")
    assert document.text == "Two ferries\n\nSolveig\n\n- 40 cars\n- Diesel\n\nRagna\n\n- 65 cars\n- Batteries"
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Two ferries"),
        (2, "Solveig"),
        (2, "Ragna"),
    ]


def test_texts_of_several_lines_above_others_are_no_captions() -> None:
    deck = Presentation()
    slide = add_slide(deck, COMPARISON, "Two ferries")
    for at, text in enumerate(("Solveig\nbuilt in 1998", "40 cars", "Ragna\nbuilt in 2021", "65 cars"), start=1):
        slide.placeholders[at].text = text
    document = read(saved(deck), name="a.pptx")
    assert [heading.title for heading in document.headings] == ["Two ferries"]
    assert document.text.index("2021") < document.text.index("40 cars")


def test_a_slide_without_a_title_is_headed_by_its_number() -> None:
    deck = Presentation()
    add_text(add_slide(deck, BLANK), "Text")
    add_slide(deck, TITLE_ONLY, "Named")
    document = read(saved(deck), name="a.pptx")
    assert [heading.title for heading in document.headings] == ["Slide 1", "Named"]
    assert document.title == "Named"


def test_shapes_are_read_from_top_to_bottom_groups_too() -> None:
    deck = Presentation()
    slide = add_slide(deck, TITLE_ONLY, "T")
    add_text(slide, "below", top=5)
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(3), Inches(1), Inches(1)).text_frame.text = "between"
    add_text(slide, "above", top=2)
    assert read(saved(deck), name="a.pptx").text == "T\n\nabove\n\nbetween\n\nbelow"


def test_names_and_values_over_several_columns_stand_in_each() -> None:
    deck = Presentation()
    rows = (
        ("", "2023", "", "2024", ""),
        ("Boat", "spring", "autumn", "spring", "autumn"),
        ("Heron", "3", "4", "5", ""),
    )
    table = (
        add_slide(deck, TITLE_ONLY, "Sails").shapes.add_table(3, 5, Inches(1), Inches(2), Inches(8), Inches(1)).table
    )
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    for row, column in ((0, 1), (0, 3), (2, 3)):
        table.cell(row, column).merge(table.cell(row, column + 1))
    assert shown_blocks(read(saved(deck), name="a.pptx"))[1:] == [
        ("header", 1, "Boat | 2023: spring | 2023: autumn | 2024: spring | 2024: autumn"),
        ("row", 1, "Heron | 3 | 4 | 5 | 5"),
    ]


def test_cells_that_all_claim_a_whole_table_cost_linear_time() -> None:
    deck, size = Presentation(), 60
    table = add_slide(deck, TITLE_ONLY, "Sails").shapes.add_table(size, size, 0, 0, Inches(8), Inches(5)).table
    table.cell(0, 0).text = "jib"
    for row in table._tbl.tr_lst:
        for cell in row.tc_lst:
            cell.rowSpan = cell.gridSpan = size
    content = saved(deck)
    started = process_time()
    assert read(content, name="a.pptx").text.count("jib") >= size
    assert process_time() - started < 2


def test_tables_charts_and_notes_are_text() -> None:
    deck = Presentation()
    slide = add_slide(deck, TITLE_ONLY, "Figures")
    table = slide.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, cells in enumerate((("Kind", "Sum"), ("Dog | cat", "1"), ("", "2"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    data = CategoryChartData()
    data.categories = ["2023", "2024"]
    data.add_series("Visits", (10.5, None))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, 0, Inches(4), Inches(4), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Visits by year"
    slide.notes_slide.notes_text_frame.text = "Say why."
    document = read(saved(deck), name="a.pptx")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Figures"),
        ("header", 1, "Kind | Sum"),
        ("row", 1, "Dog|cat | 1"),
        ("row", 1, "Dog|cat | 2"),
        ("caption", 0, "Visits by year"),
        ("header", 1, " | Visits"),
        ("row", 1, "2023 | 10.5"),
        ("row", 1, "2024"),
        ("note", 0, "Notes: Say why."),
    ]


def test_a_title_of_several_lines_is_its_first() -> None:
    deck = Presentation()
    add_slide(deck, TITLE_ONLY, "Offices\nUlm\nKöln")
    document = read(saved(deck), name="a.pptx")
    assert document.title == "Offices"
    assert document.text == "Offices\n\nUlm\n\nKöln"


def test_the_title_somebody_gave_the_file_comes_first() -> None:
    deck = Presentation()
    add_slide(deck, TITLE_ONLY, "First slide")
    assert read(saved(deck), name="a.pptx").title == "First slide"
    deck.core_properties.title, deck.core_properties.author = "Strategy 2030", "A. Writer"
    document = read(saved(deck), name="a.pptx")
    assert document.title == "Strategy 2030"
    assert document.metadata["author"] == "A. Writer"


def test_a_deck_of_pictures_holds_no_text() -> None:
    deck = Presentation()
    add_slide(deck, BLANK)
    with pytest.raises(EmptyDocument):
        read(saved(deck), name="a.pptx")


def test_a_deck_without_its_parts_is_refused() -> None:
    with pytest.raises(CorruptDocument):
        read(archive({"[Content_Types].xml": "presentationml.presentation.main+xml"}), name="a.pptx")


DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def add_smartart(slide: Any, points: str, links: str) -> None:
    data = (
        f'<d:dataModel xmlns:d="{DIAGRAM}" xmlns:a="{DRAWING}"><d:ptLst>{points}</d:ptLst><d:cxnLst>{links}</d:cxnLst>'
    )
    part = Part(
        PackURI("/ppt/diagrams/data1.xml"), "application/xml", slide.part.package, f"{data}</d:dataModel>".encode()
    )
    relation = slide.part.relate_to(part, f"{OFFICE}/diagramData")
    frame = slide.shapes.add_table(1, 1, Inches(1), Inches(2), Inches(3), Inches(1))._element
    held = frame.graphic.graphicData
    held.set("uri", DIAGRAM)
    for inner in list(held):
        held.remove(inner)
    etree.SubElement(held, f"{{{DIAGRAM}}}relIds").set(f"{{{OFFICE}}}dm", relation)


def test_the_points_of_smartart_are_a_list() -> None:
    def point(key: int, text: str) -> str:
        return f'<d:pt modelId="{key}"><d:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></d:t></d:pt>'

    def link(above: int, below: int, order: int) -> str:
        return f'<d:cxn srcId="{above}" destId="{below}" srcOrd="{order}"/>'

    points = '<d:pt modelId="1" type="doc"/>' + point(2, "Check") + point(3, "Plan") + point(4, "Ask")
    deck = Presentation()
    slide = add_slide(deck, TITLE_ONLY, "Steps")
    add_smartart(slide, points, link(1, 2, 1) + link(1, 3, 0) + link(3, 4, 0) + link(4, 3, 0))
    document = read(saved(deck), name="a.pptx")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Steps"),
        ("item", 1, "- Plan"),
        ("item", 2, "  - Ask"),
        ("item", 1, "- Check"),
    ]
