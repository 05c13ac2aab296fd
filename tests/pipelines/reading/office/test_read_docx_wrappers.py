"""Word documents: text in fields, in marks of direction, below ruby, and in text boxes without an older form."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.reader_files import docx, paragraph

COMPATIBLE = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
PLACED = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
SHAPE = 'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def text_of(inner: str) -> str:
    return read(docx(f"<w:p>{inner}</w:p>"), name="a.docx").text


def field(inner: str) -> str:
    return f'<w:fldSimple w:instr=" SEQ Table ">{inner}</w:fldSimple>'


def right_to_left(name: str, inner: str) -> str:
    return f'<w:{name} w:val="rtl">{inner}</w:{name}>'


RUBY = f"<w:r><w:ruby><w:rt>{run('kan')}</w:rt><w:rubyBase>{run('漢')}</w:rubyBase></w:ruby></w:r>"


@pytest.mark.parametrize(
    ("inner", "shown"),
    [
        (run("Table ") + field(run("7")) + run(": Sizes"), "Table 7: Sizes"),
        (field(field(run("in")) + run("side")), "inside"),
        (run("a ") + right_to_left("dir", run("b")) + run(" c"), "a b c"),
        (run("a ") + right_to_left("bdo", right_to_left("bdo", run("b"))) + run(" c"), "a b c"),
        (RUBY + run("字"), "漢字"),
        (run("kept ") + f"<w:del>{field(run('gone'))}</w:del>" + run("too"), "kept too"),
    ],
)
def test_words_in_wrappers_stand_in_their_line(inner: str, shown: str) -> None:
    assert text_of(inner) == shown


def test_the_newer_form_is_read_where_there_is_no_older() -> None:
    newer = f'<mc:Choice Requires="wps">{run("new ")}</mc:Choice>'
    assert text_of(f"<mc:AlternateContent {COMPATIBLE}>{newer}</mc:AlternateContent>" + run("words")) == "new words"
    both = f"{newer}<mc:Fallback>{run('old ')}</mc:Fallback>"
    assert text_of(f"<mc:AlternateContent {COMPATIBLE}>{both}</mc:AlternateContent>" + run("words")) == "old words"


@pytest.mark.parametrize(
    "around", ["{}", '<mc:AlternateContent><mc:Choice Requires="wps">{}</mc:Choice></mc:AlternateContent>']
)
def test_a_text_box_without_an_older_form_is_read_below_its_paragraph(around: str) -> None:
    box = f"<wps:wsp><wps:txbx><w:txbxContent>{paragraph('boxed')}</w:txbxContent></wps:txbx></wps:wsp>"
    drawing = (
        f"<w:drawing><wp:inline {PLACED}><a:graphic {DRAWING}><a:graphicData>{box}</a:graphicData></a:graphic>"
        "</wp:inline></w:drawing>"
    )
    held = around.format(drawing).replace("<mc:AlternateContent>", f"<mc:AlternateContent {COMPATIBLE}>")
    inner = run("beside") + f"<w:r>{held}</w:r>"
    assert text_of(inner.replace("<wps:wsp>", f"<wps:wsp {SHAPE}>")) == "beside\n\nboxed"


def test_fields_in_footnotes_are_read() -> None:
    note = f'<w:footnote w:id="2"><w:p>{run("See ")}{field(run("page 4"))}</w:p></w:footnote>'
    notes = f"<w:footnotes {WORD}>{note}</w:footnotes>"
    relation = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/>'
        "</Relationships>"
    )
    body = f'<w:p>{run("Words")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    extra = {"word/footnotes.xml": notes, "word/_rels/document.xml.rels": relation}
    assert read(docx(body, extra=extra), name="a.docx").text == "Words (See page 4)"
