"""PDF: pages, lines, bookmarks, and the ways in which a PDF cannot be read."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipelines.errors import CorruptDocument, EncryptedDocument, NoTextLayer
from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit
from tests.pipelines.reading.reader_files import pdf, placed

GAP = 20.0


def pages_of(document: ParsedDocument) -> list[str]:
    return [document.text[page.span.start : page.span.end] for page in document.pages]


def test_each_page_has_its_number_and_its_span() -> None:
    document = read(pdf([["First page"], [], ["Third page,", "second line"]]), name="a.pdf")
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert pages_of(document) == ["First page", "", "Third page, second line"]
    assert document.text == "First page\n\nThird page, second line"


def test_printed_labels_are_kept_beside_physical_numbers() -> None:
    content = pdf([["Preface"], ["One"], ["Two"]], labels="0 << /S /r >> 1 << /S /D /St 1 >>")
    assert [(page.number, page.label) for page in read(content).pages] == [(1, "i"), (2, "1"), (3, "2")]
    assert read(pdf([["One"]])).pages[0].label is None


def test_more_space_than_usual_between_lines_parts_paragraphs() -> None:
    content = pdf([["The title", GAP, "One sentence", "goes on. And", "on.", GAP, "Another paragraph."]])
    assert read(content).text == "The title\n\nOne sentence goes on. And on.\n\nAnother paragraph."


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["The air-", "plane was dam-", "aged."], "The airplane was damaged."),
        (["A touch-", "and-go and a well-", "known risk."], "A touch-and-go and a well-known risk."),
        (
            ["She took some long-life milk, and a long-", "life battery."],
            "She took some long-life milk, and a long-life battery.",
        ),
        (["In 2018-", "2019 the non-", "EU share fell."], "In 2018-2019 the non-EU share fell."),
    ],
)
def test_a_word_broken_at_a_line_s_end_is_whole_again_and_keeps_a_hyphen_of_its_own(
    lines: list[str], text: str
) -> None:
    assert read(pdf([lines])).text == text


def test_letters_of_tex_without_a_table_of_unicode_are_read() -> None:
    lines = [rb"(\210 An e\036cient \020\034xed\021 di\033erence,) Tj", rb"(1997\0252004, and two wa\037es \035y.) Tj"]
    drawn = [b"BT /F1 12 Tf 72 %d Td %s ET" % (700 - 16 * at, line) for at, line in enumerate(lines)]
    assert read(pdf([drawn])).text == "- An efficient “fixed” difference, 1997–2004, and two waffles fly."


def test_bookmarks_are_headings_at_the_line_that_holds_their_title() -> None:
    pages = [
        ["Contents", "Scope 2", "Terms 2"],
        ["1. Scope", GAP, "Text of scope.", GAP, "2.1 Non-profit", "terms", "More."],
    ]
    document = read(pdf(pages, bookmarks=[("Scope", 1), ("2.1 Nonprofit Terms", 1)]))
    assert [heading.title for heading in document.headings] == ["1. Scope", "2.1 Non-profit terms"]
    lines = [document.text[heading.start :].split("\n")[0] for heading in document.headings]
    assert lines == ["1. Scope", "2.1 Non-profit terms"]
    assert_blocks_fit(document)


def test_the_same_title_twice_on_a_page_is_found_twice() -> None:
    document = read(pdf([["Fees", "First.", GAP, "Fees", "Second."]], bookmarks=[("Fees", 0), ("Fees", 0)]))
    assert [heading.start for heading in document.headings] == [0, document.text.rindex("Fees")]


def test_a_bookmark_that_is_not_on_its_page_stands_where_the_page_begins() -> None:
    document = read(pdf([["One"], ["Two words"]], bookmarks=[("Elsewhere", 1)]))
    assert document.headings[0].start == document.pages[1].span.start


def test_the_title_is_the_file_s_own_or_its_only_chapter() -> None:
    info = "/Title (Annual report) /Author (A. Writer) /CreationDate (D:20240506070809Z)"
    document = read(pdf([["Text"]], info=info))
    assert document.title == "Annual report"
    assert document.metadata == {"author": "A. Writer", "created": "2024-05-06"}
    assert read(pdf([["Text"]], bookmarks=[("The book", 0)])).title == "The book"
    assert read(pdf([["Text"]], bookmarks=[("Chapter 1", 0), ("Chapter 2", 0)])).title is None


@pytest.mark.parametrize(
    "title",
    [
        "untitled",
        "Microsoft Word - minutes.docx",
        "Document1",
        "PowerPoint Presentation",
        r"\(anonymous\)",
        r"\(unspecified\)",
        "Untitled document",
    ],
)
def test_a_generated_title_is_ignored(title: str) -> None:
    assert read(pdf([["Text"]], info=f"/Title ({title})")).title is None


def test_a_title_that_only_begins_like_a_generated_one_is_kept() -> None:
    title = "Untitled documents of the archive"
    assert read(pdf([["Text"]], info=f"/Title ({title})")).title == title


def test_a_file_that_is_locked_only_for_others_is_read() -> None:
    assert read(pdf([["Nobody may print this"]], owner_locked=True)).text == "Nobody may print this"


def test_a_password_is_asked_for() -> None:
    with pytest.raises(EncryptedDocument, match="remove the password"):
        read(pdf([["Secret"]], user_locked=True))


def test_pictures_of_pages_are_called_so() -> None:
    with pytest.raises(NoTextLayer, match="2 page"):
        read(pdf([[], []]))


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_file_that_was_cut_off_is_refused(share: float) -> None:
    content = pdf([[f"Page {number}"] for number in range(20)])
    with pytest.raises(CorruptDocument, match="cut off"):
        read(content[: int(len(content) * share)])


def test_a_file_with_a_broken_inside_is_refused() -> None:
    content = pdf([["Hello"]]).replace(b"/Type /Pages", b"/Type /Pagan").replace(b"/Type /Catalog", b"/Type /Cat")
    with pytest.raises((CorruptDocument, NoTextLayer)):
        read(content.replace(b"/Kids", b"/Kidz").replace(b"/Root", b"/Loot"), name="a.pdf")


def test_lines_of_a_gateway_before_the_file_do_no_harm() -> None:
    assert read(b"X-Scan: clean\r\n\r\n" + pdf([["Hello"]]), name="a.pdf").text == "Hello"


def test_threads_may_read_at_once() -> None:
    contents = [pdf([[f"Document {number}"]] * 5) for number in range(16)]
    with ThreadPoolExecutor(8) as threads:
        texts = [document.text for document in threads.map(read, contents)]
    assert [text.split("\n")[0] for text in texts] == [f"Document {number}" for number in range(16)]


def test_a_line_that_only_names_a_title_is_not_the_heading() -> None:
    lines = [
        placed(72, 700, "You may look at what is moored (see"),
        placed(72, 686, "Counting the boats)."),
        placed(72, 640, "2.3 Counting the boats", size=16, font="F2"),
        placed(72, 600, "Walk along the pier."),
    ]
    document = read(pdf([lines], bookmarks=[("Counting the boats", 0)]))
    assert [heading.title for heading in document.headings] == ["2.3 Counting the boats"]


def test_many_bookmarks_of_one_page_take_time_by_their_number() -> None:
    lines = [placed(72, 100_000 - 40 * number, f"Boat {number}") for number in range(600)]
    content = pdf([lines], bookmarks=[(f"Boat {number}", 0) for number in range(600)])
    began = time.process_time()
    assert len(read(content).headings) == 600
    assert time.process_time() - began < 4


def test_the_word_chapter_and_its_number_above_a_title_are_left_out() -> None:
    title = [placed(480, 720, "CHAPTER"), placed(480, 700, "FOUR", size=18), placed(400, 650, "MOORING", size=24)]
    document = read(pdf([["Boats float."], [*title, placed(72, 600, "Tie it.")]], bookmarks=[("MOORING", 1)]))
    assert document.text.split() == ["Boats", "float.", "MOORING", "Tie", "it."]
