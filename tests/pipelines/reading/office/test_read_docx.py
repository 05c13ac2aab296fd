"""Word documents: headings, the numbers Word paints, lists, tables, notes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pipelines.errors import CorruptDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.reader_files import archive, docx, paragraph


def style(style_id: str, name: str, properties: str = "", parent: str = "") -> str:
    based = f'<w:basedOn w:val="{parent}"/>' if parent else ""
    named = f'<w:name w:val="{name}"/>{based}<w:pPr>{properties}</w:pPr>'
    return f'<w:style w:type="paragraph" w:styleId="{style_id}">{named}</w:style>'


def level(depth: int, kind: str, text: str, start: int = 1, more: str = "") -> str:
    look = f'<w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{depth}">{look}</w:lvl>'


def rules(number: int, *levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{number}">{"".join(levels)}</w:abstractNum>'


def use(number: int, of_rules: int, more: str = "") -> str:
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of_rules}"/>{more}</w:num>'


SECOND_LEVEL = '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="1"/>'
STYLES = (
    style("Titel", "Title")
    + style("berschrift1", "heading 1", '<w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/>')
    + style("berschrift2", "heading 2", SECOND_LEVEL, parent="berschrift1")
    + style("Hausstil", "House style", parent="berschrift2")
    + style("Verzeichnis1", "toc 1")
)
NUMBERING = (
    rules(
        0,
        level(0, "decimal", "%1", more='<w:pStyle w:val="berschrift1"/>'),
        level(1, "decimal", "%1.%2"),
        level(2, "lowerLetter", "(%3)"),
        level(3, "upperRoman", "%4.", start=3),
    )
    + rules(1, level(0, "bullet", "o"), level(1, "bullet", "o"))
    + rules(2, level(0, "decimal", "%1."))
    + use(1, 0)
    + use(2, 1)
    + use(3, 2)
    + use(4, 2, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
)


def text_of(*paragraphs: str) -> str:
    document = read(docx("".join(paragraphs), styles=STYLES, numbering=NUMBERING), name="a.docx")
    assert_blocks_fit(document)
    return document.text


def test_headings_of_any_language_and_house_style_carry_their_numbers() -> None:
    body = (
        paragraph("Vertrag", "Titel") + paragraph("Zweck", "berschrift1") + paragraph("Dauer", "berschrift2")
        + paragraph("Ende", "Hausstil") + paragraph("Preis", "berschrift1") + paragraph("Raten", "berschrift2")
    )  # fmt: skip
    document = read(docx(body, styles=STYLES, numbering=NUMBERING), name="a.docx")
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Vertrag"),
        (1, "1 Zweck"),
        (2, "1.1 Dauer"),
        (2, "1.2 Ende"),
        (1, "2 Preis"),
        (2, "2.1 Raten"),
    ]
    assert document.title == "Vertrag"
    assert document.text[document.headings[2].start :].startswith("1.1 Dauer\n")


def test_clauses_carry_their_letters_and_numerals() -> None:
    text = text_of(
        paragraph("Duties", numbered=(1, 0)),
        paragraph("to pay", numbered=(1, 2)),
        paragraph("in cash", numbered=(1, 3)),
        paragraph("at once", numbered=(1, 3)),
        paragraph("to wait", numbered=(1, 2)),
    )
    assert text == "1 Duties\n\n(a) to pay\n\nIII. in cash\n\nIV. at once\n\n(b) to wait"


def test_a_list_continues_and_restarts_as_in_word() -> None:
    text = text_of(
        paragraph("one", numbered=(3, 0)),
        paragraph("aside"),
        paragraph("two", numbered=(3, 0)),
        paragraph("first again", numbered=(4, 0)),
        paragraph("second", numbered=(4, 0)),
    )
    assert text == "1. one\n\naside\n\n2. two\n\n1. first again\n\n2. second"


def test_bullets_are_lists() -> None:
    bullets = [
        paragraph("one", numbered=(2, 0)),
        paragraph("inner", numbered=(2, 1)),
        paragraph("two", numbered=(2, 0)),
    ]
    assert text_of(*bullets) == "- one\n  - inner\n- two"


def test_a_paragraph_may_be_a_heading_by_itself_or_leave_its_list() -> None:
    out = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>'
    text = text_of(
        paragraph("By itself", properties='<w:outlineLvl w:val="2"/>'),
        paragraph("Unnumbered", "berschrift1", properties=out),
        paragraph("Numbered", "berschrift1"),
    )
    assert text == "By itself\n\nUnnumbered\n\n1 Numbered"


def test_tables_are_tables() -> None:
    def row(*cells: str) -> str:
        return "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells) + "</w:tr>"

    table = f"<w:tbl>{row('Food', 'Calories')}{row('Leaves', '50')}</w:tbl>"
    assert text_of(table) == "Food | Calories\nLeaves | 50"


def bold(text: str) -> str:
    return f"<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p>"


def test_paragraphs_with_marks_are_a_list() -> None:
    content = docx("".join(map(paragraph, ("The reports are these.", "a. Names", "b. Sums", "After.", "• Lone"))))
    assert shown_blocks(read(content, name="a.docx")) == [
        ("paragraph", 0, "The reports are these."),
        ("item", 1, "a. Names"),
        ("item", 1, "b. Sums"),
        ("paragraph", 0, "After."),
        ("paragraph", 0, "• Lone"),
    ]


def test_a_bold_line_over_text_is_a_heading() -> None:
    document = read(
        docx(bold("Company") + bold("Duties") + paragraph("To pay.") + bold("Bold to the end.")), name="a.docx"
    )
    assert [heading.title for heading in document.headings] == ["Duties"]


SAID = "Members pay the fee in the first week of a year."


def test_lines_in_capitals_over_text_are_headings() -> None:
    lines = ("FEES", SAID, "2. BOATS AND OARS", "a. Rules", SAID, "KEYS OF THE BOAT HOUSE", SAID, "THE END OF IT")
    document = read(docx("".join(map(paragraph, lines))), name="a.docx")
    assert [(one.title, one.level) for one in document.headings] == [
        ("FEES", 2), ("2. BOATS AND OARS", 2), ("KEYS OF THE BOAT HOUSE", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "lines",
    [
        ("FEES", SAID, "KEYS", SAID),  # few
        ("FEES", "Ada Moor", "KEYS", "Piotr Lang", "OARS", "Ole Brandt"),  # over short lines
        ("BRING", "1. OARS", "2. ROPES", "3. JACKETS"),  # a list
        ("KEEP OUT!", SAID, "DO NOT SWIM.", SAID, "NOTE:", SAID),  # sentences
        ("A-1", SAID, "B-2", SAID, "C-3", SAID),  # codes
        ("WARNING", SAID, "NOTE", SAID, "WARNING", SAID),  # notices
    ],
)
def test_lines_in_capitals_that_are_no_titles_stay_text(lines: Sequence[str]) -> None:
    assert read(docx("".join(map(paragraph, lines))), name="a.docx").headings == ()


@pytest.mark.parametrize("gap", ["</w:t><w:tab/><w:t>", " ..... ", "...", " . . . ", "…", "_____", "   "])
def test_a_typed_table_of_contents_is_left_out(gap: str) -> None:
    lines = (
        "Table of Contents",
        f"1 Purpose{gap}3",
        "2 Duties of the",
        f"tenant{gap}4",
        "3 Rent4-1",
        f"4 End{gap}5",
        "This is the lease.",
    )
    assert text_of(*map(paragraph, lines)) == "This is the lease."
    assert text_of(paragraph("Contents"), paragraph("Milk and honey.")) == "Contents\n\nMilk and honey."


def test_what_a_crate_holds_is_no_table_of_contents() -> None:
    lines = (
        "Contents",
        "Part 1",
        "Part 2",
        "Part 3",
        "Bolts, 12",
        "Nuts: 24",
        "Washers 48",
        "Order no. 4711",
        "Firmware 2.0",
    )
    assert text_of(*map(paragraph, lines)) == "\n\n".join(lines)


def test_a_table_of_contents_ends_where_pages_begin_again() -> None:
    tab = "</w:t><w:tab/><w:t>"
    contents = [f"{title}{tab}{page}" for title, page in (("Preface", "iv"), ("A", 1), ("B", 5), ("C", 5), ("D", 9))]
    text = text_of(*map(paragraph, ("Contents", *contents, f"Bolts{tab}2", f"Nuts{tab}3")))
    assert text.split() == ["Bolts", "2", "Nuts", "3"]


def test_tables_of_contents_deleted_words_and_decoration_are_left_out() -> None:
    edited = (
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Bo</w:t></w:r><w:r><w:t>ld</w:t></w:r>"
        "<w:del><w:r><w:delText> old</w:delText></w:r></w:del><w:ins><w:r><w:t> new</w:t></w:r></w:ins></w:p>"
    )
    assert text_of(paragraph("1 Zweck 3", "Verzeichnis1"), edited) == "Bold new"


def test_title_author_and_dates_are_the_file_s_own() -> None:
    core = (
        "<dc:title>Lease</dc:title><dc:creator>A. Writer</dc:creator>"
        "<dcterms:created>2024-05-06T07:08:09Z</dcterms:created>"
    )
    document = read(docx(paragraph("Heading", "Heading1"), core=core), name="a.docx")
    assert document.title == "Lease"
    assert document.metadata == {"author": "A. Writer", "created": "2024-05-06"}


def test_a_text_box_is_counted_once() -> None:
    boxed = f"<w:txbxContent>{paragraph('boxed', numbered=(3, 0))}</w:txbxContent>"
    both = f"<mc:Choice>{boxed}</mc:Choice><mc:Fallback><w:pict>{boxed}</w:pict></mc:Fallback>"
    compatible = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    alternatives = f'<mc:AlternateContent xmlns:mc="{compatible}">{both}</mc:AlternateContent>'
    box = f"<w:p><w:r>{alternatives}</w:r></w:p>"
    assert text_of(box, paragraph("after", numbered=(3, 0))).endswith("2. after")


@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml", "_rels/.rels"])
def test_a_damaged_part_is_refused(part: str) -> None:
    with pytest.raises(CorruptDocument):
        read(docx(paragraph("Hello"), extra={part: "<w:broken"}), name="a.docx")


def test_a_file_that_was_cut_off_is_refused() -> None:
    with pytest.raises(CorruptDocument, match="damaged or was cut off"):
        read(docx(paragraph("Hello"))[:-30], name="a.docx")


def test_an_archive_without_the_document_is_refused() -> None:
    with pytest.raises(CorruptDocument):
        read(archive({"[Content_Types].xml": "wordprocessingml.document.main+xml"}), name="a.docx")


MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def math(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (math("E=m") + f"<m:sSup><m:e>{math('c')}</m:e><m:sup>{math('2')}</m:sup></m:sSup>", "E=mc^2"),
        (f"<m:f><m:num>{math('a+b')}</m:num><m:den>{math('2')}</m:den></m:f>", "(a+b)/2"),
        (f"<m:rad><m:deg/><m:e>{math('x')}</m:e></m:rad>", "√x"),
        (f"<m:d><m:dPr><m:begChr m:val='['/></m:dPr><m:e>{math('0,1')}</m:e></m:d>", "[0,1)"),
        (
            f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{math('i=1')}</m:sub><m:sup>{math('n')}</m:sup>"
            f"<m:e>{math('k')}</m:e></m:nary>",
            "∑_(i=1)^n k",
        ),
    ],
)
@pytest.mark.parametrize("around", ["{}", f"<m:oMathPara {MATH}>{{}}</m:oMathPara>"])
def test_formulas_are_text_in_their_line(formula: str, shown: str, around: str) -> None:
    written = around.format(f"<m:oMath {MATH}>{formula}</m:oMath>")
    line = f'<w:p><w:r><w:t xml:space="preserve">It is </w:t></w:r>{written}<w:r><w:t>, so.</w:t></w:r></w:p>'
    assert text_of(line) == f"It is {shown}, so."


def test_hidden_text_is_left_out() -> None:
    def run(text: str, look: str) -> str:
        return f"<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>"

    shown = run("Shown", '<w:vanish w:val="0"/>')
    assert text_of(f"<w:p>{shown}{run('hidden', '<w:vanish/>')}</w:p>") == "Shown"


@pytest.mark.parametrize("start", ["9" * 10, "9" * 5000])
def test_a_list_that_starts_beyond_what_word_counts_starts_with_one(start: str) -> None:
    numbering = rules(0, level(0, "lowerRoman", "%1.", start=0).replace('"0"/>', f'"{start}"/>', 1)) + use(1, 0)
    document = read(docx(paragraph("Fees", numbered=(1, 0)), numbering=numbering), name="a.docx")
    assert document.text == "i. Fees"


def test_the_words_of_smartart_stand_in_their_place() -> None:
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    space = 'xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    relation = f'<Relationship Id="r9" Type="{office}/diagramData" Target="diagrams/data1.xml"/>'
    points = "".join(
        f'<d:pt modelId="{key}"><d:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></d:t></d:pt>'
        for key, text in ((2, "Plan"), (3, "Check"))
    )
    links = '<d:cxn srcId="1" destId="2" srcOrd="0"/><d:cxn srcId="1" destId="3" srcOrd="1"/>'
    data = f'<d:pt modelId="1" type="doc"/>{points}{links}'
    drawing = f'<w:drawing><d:relIds {space} xmlns:r="{office}" r:dm="r9"/></w:drawing>'
    extra = {
        "word/_rels/document.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'relationships">{relation}</Relationships>',
        "word/diagrams/data1.xml": f"<d:dataModel {space} "
        f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">{data}</d:dataModel>',
    }
    document = read(docx(f"{paragraph('Steps:')}<w:p><w:r>{drawing}</w:r></w:p>", extra=extra), name="a.docx")
    assert document.text == "Steps:\n\nPlan; Check"


def test_a_paragraph_in_the_style_for_captions_is_a_caption() -> None:
    named = '<w:p><w:pPr><w:pStyle w:val="Beschriftung"/></w:pPr><w:r><w:t>Table 1: Boats</w:t></w:r></w:p>'
    document = read(docx(named + paragraph("Boats float."), styles=style("Beschriftung", "caption")), name="a.docx")
    assert shown_blocks(document) == [("caption", 0, "Table 1: Boats"), ("paragraph", 0, "Boats float.")]


def test_bullets_of_a_deeper_style_stand_below_those_of_the_first() -> None:
    bullets = [
        paragraph("a lamp", numbered=(2, 0)),
        paragraph("its oil", "B2", numbered=(2, 0)),
        paragraph("in a can", "B3", numbered=(2, 0)),
        paragraph("a rope", numbered=(2, 0)),
    ]
    styles = style("B2", "List Bullet 2") + style("B3", "List Bullet 3")
    document = read(docx("".join(bullets), styles=styles, numbering=NUMBERING), name="a.docx")
    assert document.text == "- a lamp\n  - its oil\n    - in a can\n- a rope"


@pytest.mark.parametrize("before", ["", paragraph("4 May 2031") + paragraph("Dear members,")])
def test_a_bold_line_that_names_all_of_a_document_is_above_the_others(before: str) -> None:
    body = (
        bold("Trip to the islands") + paragraph("We sail on Friday.") + bold("What to bring") + paragraph("A jacket.")
    )
    document = read(docx(before + body), name="a.docx")
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Trip to the islands"),
        (2, "What to bring"),
    ]
    assert document.title == "Trip to the islands"


@pytest.mark.parametrize(("before", "first"), [("", "1. Duties"), (paragraph("The crew met on Friday."), "Duties")])
def test_the_first_of_several_bold_sections_is_no_title(before: str, first: str) -> None:
    body = bold(first) + paragraph("To pay.") + bold("2. Rights") + paragraph("To sail.")
    document = read(docx(before + body), name="a.docx")
    assert [heading.level for heading in document.headings] == [2, 2]
