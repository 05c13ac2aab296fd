"""Which reader reads what, and what is refused before any does."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from pipelines.errors import CorruptDocument, EmptyDocument, EncryptedDocument, UnreadableDocument, UnsupportedFormat
from pipelines.reading import SUPPORTED_SUFFIXES, media_type_of, read
from pipelines.reading.formats import FORMATS, Format
from tests.pipelines.reading.reader_files import archive, docx, epub, paragraph, pdf

PAGE = b"<!DOCTYPE html>\n<html><body><h1>Hello</h1></body></html>"
NOISE = bytes((i * 197 + 31) % 256 for i in range(1024))
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def test_the_media_type_decides_before_the_name() -> None:
    assert read(b"# Hello", name="notes.txt", media_type="text/markdown").headings
    assert not read(b"# Hello", name="notes.md", media_type="text/plain; charset=utf-8").headings


def test_the_name_decides_where_the_media_type_says_nothing() -> None:
    assert read(b"a,b\n1,2", name="x.csv", media_type="application/octet-stream").media_type == "text/csv"
    assert read(b"a,b\n1,2", name="x.csv", media_type="application/vnd.ms-excel").media_type == "text/csv"


@pytest.mark.parametrize(
    "name", ["A.MD", "folder.v2/a.md", "C:\\notes\\a.Md", "https://example.com/a.md?version=1#top", ".hidden.md"]
)
def test_a_name_is_read_by_its_ending_alone(name: str) -> None:
    assert media_type_of(name) == "text/markdown"


@pytest.mark.parametrize("name", ["", "README", ".md", "archive.tar.gz", "https://example.com/", "https://example.md"])
def test_a_name_without_a_known_ending_has_no_media_type(name: str) -> None:
    assert media_type_of(name) is None


def test_a_text_without_any_hint_is_markdown_that_keeps_its_lines_and_signs() -> None:
    document = read("# Lamps\n\nif a<b and c>d,\nuse List<String> and 2 * 3 * 4")
    assert document.text == "Lamps\n\nif a<b and c>d,\nuse List<String> and 2 * 3 * 4"
    assert document.media_type == "text/markdown"


def test_line_ends_become_line_feeds_and_a_leading_mark_goes() -> None:
    assert read("\ufeff# A\r\nb\rc\n").text == "A\n\nb\nc"
    assert read(b"\xef\xbb\xbf# A\r\nb\rc\n", name="a.md").text == "A\n\nb c"


def test_text_extracted_from_a_binary_file_keeps_its_name() -> None:
    assert read("# Travel policy", name="policy.pdf").title == "Travel policy"
    assert read("One.\n\nTwo < three.", name="https://example.com/page.html").text == "One.\n\nTwo < three."


def test_a_text_declared_to_be_a_binary_file_is_refused() -> None:
    with pytest.raises(CorruptDocument, match="upload the file itself"):
        read("Hello", media_type="application/pdf")


@pytest.mark.parametrize("content", [b"", b" \n\t ", "", " \n", b"\xef\xbb\xbf"])
def test_nothing_is_refused_as_nothing(content: bytes | str) -> None:
    with pytest.raises(EmptyDocument):
        read(content, name="a.md")


def test_an_unknown_ending_is_refused_in_one_short_line() -> None:
    with pytest.raises(UnsupportedFormat, match=r"docs/formats\.md lists$") as refused:
        read(b"content", name="data.bin")
    assert len(refused.value.message) < 160


def test_no_two_formats_share_an_ending_or_a_media_type() -> None:
    for named in ([name for known in FORMATS for name in (known.media_type, *known.aliases)], list(SUPPORTED_SUFFIXES)):
        assert len(set(named)) == len(named)


@pytest.mark.parametrize("name", ["data.bin", "old.doc", "picture.gif"])
def test_an_unknown_ending_is_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(UnsupportedFormat, match=r"\.pdf, \.docx"):
        read(b"content", name=name)


def test_an_unknown_media_type_is_refused() -> None:
    with pytest.raises(UnsupportedFormat, match="image/gif"):
        read(b"content", name="a.md", media_type="image/gif")


def test_any_other_kind_of_text_is_read_as_plain_text() -> None:
    assert read(b"BEGIN:VCARD", name="a.vcf", media_type="text/vcard").media_type == "text/plain"


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"# Hello", "text/markdown"),
        (PAGE, "text/html"),
        (pdf([["Hello"]]), "application/pdf"),
        (docx(paragraph("Hello")), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        (epub({"a.xhtml": "<p>Hello</p>"}), "application/epub+zip"),
        (b'<?xml version="1.0"?>\n<article><body><p>Hello</p></body></article>', "application/jats+xml"),
    ],
)
def test_nameless_bytes_are_read_as_what_they_look_like(content: bytes, media_type: str) -> None:
    assert read(content).media_type == media_type
    assert read(content, name="README").media_type == media_type


def test_a_file_without_an_ending_is_plain_text_if_its_titles_are_numbered_and_nothing_is_marked() -> None:
    faq = "Questions\n\n1.1. May I swim?\n\nNo.\n\n1.2. May I row?\n\nYes.\n\n2.1. Is it deep?\n\nIt is.\n"
    document = read(faq.encode(), name="FAQ")
    assert document.media_type == "text/plain"
    assert [heading.title for heading in document.headings][-1] == "2.1. Is it deep?"
    for other in (faq.replace("No.", "**No.**"), faq.replace("2.1. ", ""), f"# {faq}"):
        assert read(other.encode(), name="FAQ").media_type == "text/markdown"
    assert read(faq.encode()).media_type == read(faq.encode(), name="FAQ.md").media_type == "text/markdown"


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n" + NOISE, archive({"a.txt": "a"}), OLD_OFFICE, b"\x1f\x8b" + NOISE]
)
def test_nameless_bytes_of_an_unknown_kind_are_refused(content: bytes) -> None:
    with pytest.raises(UnsupportedFormat):
        read(content)


@pytest.mark.parametrize(
    ("content", "name", "found"),
    [
        (PAGE, "a.pdf", "an HTML page"),
        (PAGE, "a.csv", "an HTML page"),
        (b"\xef\xbb\xbf<!-- saved -->\n" + PAGE, "a.txt", "an HTML page"),
        (b"Hello", "a.pdf", "text"),
        (b"Hello", "a.docx", "text"),
        (NOISE, "a.pdf", "binary data"),
        (pdf([["Hello"]]), "a.md", "a PDF"),
        (docx(paragraph("Hello")), "a.txt", "a ZIP archive"),
        (docx(paragraph("Hello")), "a.pptx", "it is DOCX"),
        (epub({"a.xhtml": "<p>Hello</p>"}), "a.xlsx", "it is EPUB"),
        (archive({"a.txt": "a"}), "a.docx", "ZIP archive of something else"),
        (OLD_OFFICE, "a.docx", "before 2007"),
        (OLD_OFFICE, "a.xls", "damaged or was cut off"),
        (b"Hello", "a.xls", "text"),
        (PAGE, "a.xls", "an HTML page"),
        (PAGE, "a.py", "an HTML page"),
        (b"Hello", "a.zip", "text"),
        (docx(paragraph("Hello")), "a.odt", "it is DOCX"),
        (b"{\\rtf1 Hello}", "a.txt", "an RTF document"),
    ],
)
def test_a_name_that_lies_is_found_out(content: bytes, name: str, found: str) -> None:
    with pytest.raises(CorruptDocument, match=found):
        read(content, name=name)


@pytest.mark.parametrize("suffix", sorted(set(SUPPORTED_SUFFIXES) - {".eml"}))
def test_noise_is_refused_under_every_name(suffix: str) -> None:
    with pytest.raises(UnreadableDocument):
        read(NOISE, name=f"noise{suffix}")


def test_an_encrypted_office_file_is_distinguished_from_an_old_one() -> None:
    locked = OLD_OFFICE + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(EncryptedDocument):
        read(locked, name="a.xlsx")


@pytest.mark.parametrize("text", ["half \ud800 a character", "a NUL \x00 character"])
def test_text_that_cannot_be_stored_is_refused(text: str) -> None:
    with pytest.raises(CorruptDocument, match="it holds"):
        read(text)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", r'["\ud800", "\u0000"]'), ("a.html", "<p>&#xD800; &#0;</p>"), ("a.md", "&#xD800; &#0;\n")],
)
def test_what_a_format_can_escape_but_no_text_can_hold_is_replaced(name: str, content: str) -> None:
    assert read(content.encode(), name=name).text.count("\ufffd") == 2


def test_a_file_of_structure_without_words_holds_no_text() -> None:
    with pytest.raises(EmptyDocument, match="HTML"):
        read(b"<html><body><img src='a.png'></body></html>", name="a.html")


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.module)
def test_each_format_has_a_module_that_reads_it(known: Format) -> None:
    assert callable(import_module(f"pipelines.reading.{known.module}").read)


def test_importing_the_readers_loads_no_parser() -> None:
    program = "import sys, pipelines.reading; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not set(ran.stdout.split()) & {
        "lxml",
        "bs4",
        "mammoth",
        "pptx",
        "openpyxl",
        "docutils",
        "pypdfium2",
        "markdown_it",
        "olefile",
        "xlrd",
    }
