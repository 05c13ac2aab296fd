"""Checklists, and lists whose items are lines of one paragraph."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.reading.html.brokenlines import broken_lines
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.html.html_pages import html_page
from tests.pipelines.reading.pdf.mapped_pdf import mapped_pdf
from tests.pipelines.reading.reader_files import docx, paragraph

LEAD = "Hand these in before you leave the boat yard:"
BOXES = ["☐ key of the shed", "☑ oilskin", "☐ pass for the quay"]
CREW = ["Joined: Ada Moor, as a pilot", "Left: Piotr Lang", "Moved: Aisha Bello"]
CHECKLIST = [("paragraph", 0, LEAD), *(("item", 1, f"- {box}") for box in BOXES)]
WRITTEN = [("paragraph", 0, LEAD), *(("item", 1, box) for box in BOXES)]


def test_boxes_are_the_marks_of_items_in_plain_text() -> None:
    document = read("\n".join([LEAD, *BOXES]).encode(), name="leaving.txt")
    assert shown_blocks(document) == WRITTEN


def test_boxes_are_the_marks_of_items_in_a_page() -> None:
    broken, apart = f"<p>{'<br>'.join([LEAD, *BOXES])}</p>", "".join(f"<p>{line}</p>" for line in [LEAD, *BOXES])
    assert shown_blocks(html_page(broken)) == CHECKLIST
    assert shown_blocks(html_page(apart)) == WRITTEN


def test_boxes_are_the_marks_of_items_in_a_word_document() -> None:
    broken = paragraph("</w:t><w:br/><w:t>".join([LEAD, *BOXES]))
    assert shown_blocks(read(docx(broken), name="a.docx")) == CHECKLIST
    apart = "".join(map(paragraph, [*BOXES, "The yard is closed in May."]))
    assert shown_blocks(read(docx(apart), name="a.docx"))[0] == ("item", 1, BOXES[0])


@pytest.mark.parametrize("box", ["☐", "\uf0a8"])
def test_boxes_are_the_marks_of_items_in_a_pdf(box: str) -> None:
    codes = {chr(code): chr(code) for code in range(32, 127) if code != ord("^")} | {box: "^"}
    lines = [LEAD, "^ key of the shed", "^ oilskin"]
    drawn = [f"BT /F1 10 Tf 1 0 0 1 50 {700 - 14 * at} Tm ({line}) Tj ET" for at, line in enumerate(lines)]
    document = read(mapped_pdf(drawn, 500, codes), name="a.pdf")
    assert shown_blocks(document) == [CHECKLIST[0], ("item", 1, "- ☐ key of the shed"), ("item", 1, "- ☐ oilskin")]


def test_lines_with_labels_of_their_own_are_items() -> None:
    items = [("item", 0, f"- {line}") for line in CREW]
    assert shown_blocks(html_page(f"<p>The yard grew.</p><p>{'<br>'.join(CREW)}</p>"))[1:] == items
    content = docx(paragraph("</w:t><w:br/><w:t>".join(CREW)))
    assert shown_blocks(read(content, name="a.docx")) == items


def test_lines_with_labels_are_led_into_by_the_paragraph_above() -> None:
    blocks = shown_blocks(html_page(f"<p>The crew of May:</p><p>{'<br>'.join(CREW)}</p>"))
    assert [level for _, level, _ in blocks] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    "text",
    [
        "The boat is old\nand leaks.",
        "Opening hours: nine to five\nclosed in May",
        "1. Rig the boat\n- or sail it",
        "7. is the berth\n8. is free",
        "Address: Quay 7",
        "the rule is this: stay\nout: never sail",
    ],
)
def test_other_lines_stay_one_paragraph(text: str) -> None:
    assert broken_lines(text) is None


@pytest.mark.parametrize("part", ["☐", "☐ ", "A: b\n", "A: ", "\nA: b", ":\n", "A", "- \n"])
def test_long_paragraphs_are_soon_known(part: str) -> None:
    assert broken_lines(part * 20_000) is None


def test_many_lines_are_as_many_items() -> None:
    found = broken_lines("\n".join(["☐ oar"] * 20_000))
    assert found is not None
    assert len(found.items) == 20_000
