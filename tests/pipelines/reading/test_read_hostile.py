"""Files made to harm: they are refused or read in time, and never reach out."""

from __future__ import annotations

import io
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from openpyxl import Workbook

from pipelines.errors import CorruptDocument, UnreadableDocument
from pipelines.reading import read
from pipelines.reading.office import packages
from tests.pipelines.reading.reader_files import archive, docx, epub, paragraph

LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
MANY = 100_000


def workbook() -> dict[str, bytes]:
    target = io.BytesIO()
    book = Workbook()
    book.worksheets[0].append(["a", "b"])
    book.save(target)
    with zipfile.ZipFile(target) as package:
        return {name: package.read(name) for name in package.namelist()}


def test_a_package_that_unpacks_beyond_measure_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = docx(paragraph("a" * 2_000_000))
    assert len(bomb) < 10_000
    monkeypatch.setattr(packages, "LARGEST_PART", 1_000_000)
    with pytest.raises(CorruptDocument, match="would unpack to"):
        read(bomb, name="a.docx")


def test_many_parts_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "LARGEST_PACKAGE", 1_000_000)
    media = {f"word/media/{number}.png": "a" * 300_000 for number in range(5)}
    with pytest.raises(CorruptDocument, match="take out its media"):
        read(docx(paragraph("Hello"), extra=media), name="a.docx")


def test_office_files_with_document_types_are_refused() -> None:
    body = (
        f"{LAUGHS}<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>&c;</w:document>"
    )
    for encoded in (body, body.encode("utf-16")):
        content = archive({**parts(docx(paragraph("x"))), "word/document.xml": encoded})
        with pytest.raises(CorruptDocument, match="document type declaration"):
            read(content, name="a.docx")
    sheet = f"<?xml version='1.0'?>{LAUGHS}<worksheet>&c;</worksheet>"
    with pytest.raises(CorruptDocument, match="document type declaration"):
        read(archive({**workbook(), "xl/worksheets/sheet1.xml": sheet}), name="a.xlsx")


def parts(content: bytes) -> dict[str, str | bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {name: package.read(name) for name in package.namelist()}


def test_articles_and_books_that_declare_entities_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    outside = (
        f'<!DOCTYPE article [<!ENTITY file SYSTEM "{secret.as_uri()}">]><article><body><p>&file;</p></body></article>'
    )
    for text in (outside, f"{LAUGHS}<article><body><p>&c;</p></body></article>"):
        with pytest.raises(CorruptDocument, match="entities"):
            read(text.encode(), name="a.xml")
    book = epub({"a.xhtml": "<p>x</p>"}, extra={"META-INF/container.xml": f"{LAUGHS}<container/>"})
    with pytest.raises(CorruptDocument, match="entities"):
        read(book, name="a.epub")


def test_entities_in_another_encoding_are_not_expanded() -> None:
    text = f"{LAUGHS}<article><body><p>x &c; y</p></body></article>"
    try:
        document = read(text.encode("utf-16"), name="a.xml")
    except UnreadableDocument:
        return
    assert "ha" not in document.text


def test_a_page_reaches_for_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    address = secret.as_uri()
    markup = f'<!DOCTYPE html SYSTEM "{address}"><p>a</p><iframe src="{address}"></iframe><object>b</object>'
    assert read(markup.encode(), name="a.html").text == "a"


def test_a_part_cannot_be_fetched_from_outside_the_package() -> None:
    opf = (
        '<package><manifest><item id="a" href="../../../../etc/passwd" media-type="text/html"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    with pytest.raises(CorruptDocument, match="is missing"):
        read(epub({}, extra={"OPS/book.opf": opf}), name="a.epub")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"<!---->" * (MANY // 7), "comments.txt"),
        (b"---\n" + b"a: " * MANY + b"\n" + b"x\n" * MANY, "frontmatter.md"),
        (b"# " + b"[" * MANY, "brackets.md"),
        (b"> " * MANY, "quotes.md"),
        (b"a " + b"`" * MANY, "backticks.md"),
        (b"# a" + b" " * MANY + b"{", "spaces.md"),
        (b"a,b\n" + b"1" * MANY + b"x,2\n", "digits.csv"),
        (b'"' * MANY, "quotes.csv"),
        (b"Subject: x\n\n" + b" " * MANY + b"x", "spaces.eml"),
        (b"<html>" + b"<?xml " * (MANY // 6), "declarations.html"),
        (b"<ol>" + b"<li>a" * 10_000, "items.html"),
        (b"<table><tr>" + b"<td rowspan=1000 colspan=1000>a" * 200, "spans.html"),
        (b"[" * MANY, "nested.json"),
        (b".. foo::\n\n" * 2_000, "directives.rst"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_patterns_made_to_stall_a_parser_do_not(content: bytes, name: str) -> None:
    with suppress(UnreadableDocument):
        read(content, name=name)


def test_labels_in_labels_that_end_in_no_link_are_read_in_a_moment() -> None:
    began = time.process_time()
    text = read(b"![" * 30_000 + b"](" * 30_000, name="labels.md").text
    assert text.startswith("![![")
    assert time.process_time() - began < 3


@pytest.mark.parametrize("line", ["!!! " + "a" * MANY + ' "x"y', ":::a{}" + " " * MANY + "x\n:::"])
def test_a_note_with_an_endless_first_line_is_read_in_a_moment(line: str) -> None:
    began = time.process_time()
    assert read(line.encode(), name="note.md").text
    assert time.process_time() - began < 3
