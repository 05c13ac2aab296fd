"""OpenDocument texts, spreadsheets and presentations."""

from __future__ import annotations

import pytest

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading import read
from pipelines.reading.office import sheets
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.reader_files import archive, opendocument

LISTS = (
    '<text:list-style style:name="Bullets"><text:list-level-style-bullet text:level="1"/>'
    '<text:list-level-style-number text:level="2" style:num-format="1"/></text:list-style>'
    '<text:list-style style:name="Steps"><text:list-level-style-number text:level="1" style:num-format="1"/>'
    "</text:list-style>"
)


def text(body: str, **parts: str) -> bytes:
    return opendocument("text", body, **parts)


def p(words: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{words}</text:p>'


def note(words: str) -> str:
    return (
        f"<text:note><text:note-citation>1</text:note-citation><text:note-body>{p(words)}</text:note-body></text:note>"
    )


def items(*texts: str, style: str = "Bullets") -> str:
    listed = "".join(f"<text:list-item>{one}</text:list-item>" for one in texts)
    return f'<text:list text:style-name="{style}">{listed}</text:list>'


def table(*rows: tuple[str, ...], name: str = "Sheet") -> str:
    cells = ("".join(f"<table:table-cell>{p(cell)}</table:table-cell>" for cell in row) for row in rows)
    listed = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    return f'<table:table table:name="{name}">{listed}</table:table>'


def test_headings_paragraphs_and_properties() -> None:
    body = p("Travel", "Title") + '<text:h text:outline-level="2">Before</text:h>' + p("Pack<text:s text:c='2'/>light.")
    said = "<dc:title>Travel rules</dc:title><meta:initial-creator>Ann</meta:initial-creator>"
    meta = f"{said}<dc:date>2024-02-03T10:00</dc:date>"
    document = read(text(body, meta=meta), name="a.odt")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Travel"),
        ("heading", 2, "Before"),
        ("paragraph", 0, "Pack  light."),
    ]
    assert document.title == "Travel rules"
    assert document.metadata == {"author": "Ann", "modified": "2024-02-03"}


def test_lists_have_their_lead_in_their_numbers_and_their_nesting() -> None:
    nested = p("passport") + items(p("valid"), p("signed"))
    body = (
        p("You need:")
        + items(nested, p("visa") + p("from the embassy"))
        + p("Then")
        + items(p("go"), p("rest"), style="Steps")
    )
    document = read(text(body, styles=LISTS), name="a.odt")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("paragraph", 0, "You need:"),
        ("item", 1, "- passport"),
        ("item", 2, "  1. valid"),
        ("item", 2, "  2. signed"),
        ("item", 1, "- visa"),
        ("paragraph", 2, "from the embassy"),
        ("paragraph", 0, "Then"),
        ("item", 1, "1. go"),
        ("item", 1, "2. rest"),
    ]


def test_tables_notes_captions_code_and_quotes() -> None:
    styles = '<style:style style:name="P1" style:parent-style-name="Quotations"/>'
    body = (
        p(f"Fares{note('Only abroad.')} rise.") + p("Fares of 2024", "Caption")
        + table(("City", "Fare"), ("Rome", "100")) + p("run  it", "Preformatted_20_Text") + p("So it is.", "P1")
    )  # fmt: skip
    document = read(text(body, styles=styles), name="a.odt")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("paragraph", 0, "Fares rise."),
        ("note", 1, "Note: Only abroad."),
        ("caption", 0, "Fares of 2024"),
        ("header", 1, "City | Fare"),
        ("row", 1, "Rome | 100"),
        ("code", 0, "run  it"),
        ("quote", 0, "So it is."),
    ]


def test_notes_of_headings_and_of_cells_stand_behind_them() -> None:
    heading = f'<text:h text:outline-level="1">Fares{note("Since May.")}</text:h>'
    comment = f"<office:annotation>{p('Really?')}</office:annotation>"
    document = read(
        text(heading + table(("City", "Fare"), ("Rome", f"100{note('Only cash.')}{comment}"))), name="a.odt"
    )
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Fares"),
        ("note", 1, "Note: Since May."),
        ("header", 1, "City | Fare"),
        ("row", 1, "Rome | 100"),
        ("note", 1, "Note: Only cash."),
    ]


def test_a_table_in_a_cell_is_shown_once() -> None:
    outer = table(("City", "Fare"), ("Rome", "TABLE")).replace(
        p("TABLE"), p("by") + table(("bus", "2"), ("train", "9"))
    )
    in_groups = outer.replace("<table:table-row>", "<table:table-header-rows><table:table-row>", 1)
    in_groups = in_groups.replace("</table:table-row>", "</table:table-row></table:table-header-rows>", 1)
    for body in (outer, in_groups):
        rows = [shown for kind, _, shown in shown_blocks(read(text(body), name="a.odt"))]
        assert rows == ["City | Fare", "Rome | by bus 2 train 9"]


def test_content_outside_the_text_is_left_out() -> None:
    body = (
        "<text:tracked-changes>" + p("deleted") + "</text:tracked-changes><text:table-of-content>" + p("Contents")
        + "</text:table-of-content>" + p("Said<office:annotation>" + p("Really?") + "</office:annotation> so.")
    )  # fmt: skip
    assert read(text(body), name="a.odt").text == "Said so."


def test_sheets_are_headings_and_tables() -> None:
    hidden = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    secret = table(("x", "y")).replace("<table:table ", '<table:table table:style-name="ta2" ')
    book = opendocument(
        "spreadsheet", table(("Item", "Price"), ("Lamp", "12.50 €"), name="Prices") + secret, styles=hidden
    )
    document = read(book, name="a.ods")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Prices"),
        ("header", 1, "Item | Price"),
        ("row", 1, "Lamp | 12.50 €"),
    ]


def test_cells_that_are_repeated_to_the_end_of_the_sheet_cost_nothing() -> None:
    row = f'<table:table-row table:number-rows-repeated="1048576"><table:table-cell>{p("a")}</table:table-cell>'
    filled = f'<table:table-cell table:number-columns-repeated="16384">{p("b")}</table:table-cell></table:table-row>'
    empty = '<table:table-row><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    start = f"<table:table>{empty}<table:table-row><table:table-cell>{p('one')}</table:table-cell></table:table-row>"
    assert read(opendocument("spreadsheet", f"{start}{empty}</table:table>"), name="a.ods").text == "one"
    many = f"<table:table>{(row + filled) * 5}</table:table>"
    with pytest.raises(CorruptDocument, match="cells"):
        read(opendocument("spreadsheet", many), name="a.ods")
    assert sheets.MOST_CELLS <= 2_000_000


def test_rows_that_are_left_out_are_counted() -> None:
    head, lamp, desk = table(("Item", "Price"), ("Lamp", "12"), ("Desk", "9")).split("<table:table-row>")[1:]
    repeated = f'<table:table-row table:number-rows-repeated="2500">{lamp}'
    many = f"<table:table><table:table-row>{head}{repeated}<table:table-row>{desk}"
    lines = read(opendocument("spreadsheet", many), name="a.ods").text.split("\n")
    assert lines.count("Lamp | 12") == 1000
    assert lines[-2:] == ["... and 1,500 more rows like the last", "Desk | 9"]


def test_text_boxes_and_shapes_on_a_sheet_are_read_behind_its_rows() -> None:
    box = f"<draw:frame><draw:text-box>{p('Prices of')}{p('the spring')}</draw:text-box></draw:frame>"
    shape = f"<draw:custom-shape>{p('without tax')}</draw:custom-shape>"
    shapes = f"<table:shapes>{box}</table:shapes>"
    held = table(("Item", "Price"), ("Lamp", f"12</text:p>{shape}<text:p>")).replace(
        "<table:table-row>", f"{shapes}<table:table-row>", 1
    )
    document = read(opendocument("spreadsheet", held), name="a.ods")
    assert_blocks_fit(document)
    assert document.text == "Sheet\n\nItem | Price\nLamp | 12\n\nPrices of\n\nthe spring\n\nwithout tax"
    alone = opendocument("spreadsheet", f'<table:table table:name="Notes">{shapes}</table:table>')
    assert read(alone, name="a.ods").text == "Notes\n\nPrices of\n\nthe spring"


def test_slides_are_pages_with_their_titles_and_notes() -> None:
    def frame(words: str, kind: str = "outline") -> str:
        return f'<draw:frame presentation:class="{kind}"><draw:text-box>{words}</draw:text-box></draw:frame>'

    notes = f"<presentation:notes>{frame(p('Speak slowly.'), 'notes')}</presentation:notes>"
    first = f"<draw:page>{frame(p('Plan'), 'title')}{frame(items(p('walk'), p('rest')))}{notes}</draw:page>"
    second = f"<draw:page>{frame(p('End'), 'title')}{frame(p('7'), 'page-number')}</draw:page>"
    document = read(opendocument("presentation", first + second, styles=LISTS), name="a.odp")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Plan"),
        ("item", 0, "- walk"),
        ("item", 0, "- rest"),
        ("note", 0, "Note: Speak slowly."),
        ("heading", 1, "End"),
    ]
    assert [page.number for page in document.pages] == [1, 2]
    assert document.text[document.pages[1].span.start : document.pages[1].span.end].strip() == "End"


def test_a_document_with_a_password_is_reported() -> None:
    with pytest.raises(EncryptedDocument):
        read(text(p("x"), manifest="<encryption-data/>"), name="a.odt")


def test_another_kind_is_named_and_nameless_bytes_are_recognised() -> None:
    with pytest.raises(CorruptDocument, match="it is ODT"):
        read(text(p("x")), name="a.ods")
    assert read(text(p("x"))).media_type == "application/vnd.oasis.opendocument.text"


def test_entities_are_refused() -> None:
    laughs = '<!DOCTYPE x [<!ENTITY a "ha">]><x>&a;</x>'
    content = archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": laughs})
    with pytest.raises(CorruptDocument, match="entities"):
        read(content, name="a.odt")


def test_a_level_beyond_any_document_is_the_first() -> None:
    body = f'<text:h text:outline-level="{"9" * 5000}">Fees</text:h>' + p("They are due in May.")
    assert [heading.level for heading in read(text(body), name="a.odt").headings] == [1]


def test_facts_of_one_thing_have_no_header() -> None:
    document = read(opendocument("text", table(("Size", "76 mm"), ("Weight", "2 kg"))), name="a.odt")
    assert [kind for kind, _, _ in shown_blocks(document)] == ["row", "row"]
