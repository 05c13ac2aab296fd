"""EPUB: chapters in reading order."""

from __future__ import annotations

import pytest

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit
from tests.pipelines.reading.reader_files import archive, epub


def chapter(body: str) -> str:
    return f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{body}</body></html>'


def locked(*names: str) -> str:
    data = "".join(f'<CipherData><CipherReference URI="{name}"/></CipherData>' for name in names)
    return f'<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container">{data}</encryption>'


def test_chapters_follow_the_spine_and_keep_their_headings() -> None:
    content = epub(
        {"b.xhtml": chapter("<h1>One</h1><p>é&#160;&nbsp;a</p>"), "a.xhtml": chapter("<h2>Two</h2><p>b</p>")}
    )
    document = read(content, name="a.epub")
    assert_blocks_fit(document)
    assert document.text == "One\n\né a\n\nTwo\n\nb"
    assert [document.text[heading.start :][:3] for heading in document.headings] == ["One", "Two"]


def test_metadata_is_the_book_s_own() -> None:
    metadata = (
        "<dc:title>The Book</dc:title><dc:creator>A. Writer</dc:creator><dc:creator>B. Writer</dc:creator>"
        "<dc:date>2020-01-02T00:00:00Z</dc:date><dc:language>en</dc:language>"
    )
    document = read(epub({"a.xhtml": chapter("<p>Text</p>")}, metadata=metadata), name="a.epub")
    assert document.title == "The Book"
    assert document.metadata == {"author": "A. Writer, B. Writer", "published": "2020-01-02", "language": "en"}


@pytest.mark.parametrize(
    ("item", "contents"),
    [
        (
            '<item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
            '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Named</text></navLabel>'
            '<content src="a%20b.xhtml#x"/></navPoint></navMap></ncx>',
        ),
        (
            '<item id="toc" href="toc.ncx" properties="nav" media-type="application/xhtml+xml"/>',
            chapter('<nav><ol><li><a href="a%20b.xhtml">Named</a></li></ol></nav>'),
        ),
    ],
)
def test_a_chapter_without_a_heading_takes_that_of_the_contents(item: str, contents: str) -> None:
    content = epub({"a b.xhtml": chapter("<p>Text</p>")}, items=item, extra={"OPS/toc.ncx": contents})
    assert read(content, name="a.epub").text == "Named\n\nText"


def test_an_encrypted_book_is_distinguished_from_encrypted_fonts() -> None:
    chapters = {"a.xhtml": chapter("<p>Text</p>")}
    assert read(epub(chapters, extra={"META-INF/encryption.xml": locked("OPS/font.otf")}), name="a.epub").text == "Text"
    with pytest.raises(EncryptedDocument):
        read(epub(chapters, extra={"META-INF/encryption.xml": locked("OPS/a.xhtml")}), name="a.epub")


def test_a_book_with_a_missing_chapter_is_refused() -> None:
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="gone.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    )
    with pytest.raises(CorruptDocument, match=r"OPS/gone\.xhtml is missing"):
        read(epub({}, extra={"OPS/book.opf": opf}), name="a.epub")


def test_a_container_that_names_no_book_is_refused() -> None:
    with pytest.raises(CorruptDocument, match="names no book"):
        read(archive({"META-INF/container.xml": "<container/>"}), name="a.epub")


@pytest.mark.parametrize("mark", ['epub:type="noteref"', 'role="doc-noteref"'])
def test_the_number_of_a_note_is_no_word_of_its_sentence(mark: str) -> None:
    body = chapter(f'<p>It opened in 2019<a {mark} href="#n">4</a>.</p>')
    assert read(epub({"a.xhtml": body}), name="a.epub").text == "It opened in 2019."
