"""EPUB books: the chapters in reading order."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from urllib.parse import unquote

from bs4 import BeautifulSoup
from lxml import etree

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading.draft import Draft
from pipelines.reading.encoding import decode, normalised
from pipelines.reading.html.images import pictures_of
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.office.packages import open_package, part, required_part
from pipelines.reading.pictures import LARGEST_FILE
from pipelines.reading.properties import clean_title
from pipelines.reading.source import Source
from pipelines.reading.xmltree import parse_plain, words
from pipelines.types import ParsedDocument

_NCX = "application/x-dtbncx+xml"
_METADATA = {"author": "creator", "published": "date", "publisher": "publisher", "language": "language"}


def read(source: Source) -> ParsedDocument:
    """Return the chapters; one whose text has no heading is headed by its title in the table of contents."""
    draft = Draft()
    with open_package(source.data(), source.format.label) as package:
        path = _book_path(package)
        book = parse_plain(required_part(package, path, "EPUB"), "EPUB")
        locked, titles = _locked(package), _titles(package, book, path)
        for chapter in _chapters(book, path):
            if chapter in locked:
                raise EncryptedDocument
            page = parse_html(_text(required_part(package, chapter, "EPUB")))
            pictures = pictures_of(page, source.gallery, partial(_image, package, chapter))
            _add_chapter(draft, page, titles.get(chapter), pictures)
    title = clean_title(words(book.find("metadata/title")))
    return draft.finish(source.format, title or draft.first_title(), _metadata(book))


def _metadata(book: etree._Element) -> dict[str, str]:
    found = {key: map(words, book.iterfind(f"metadata/{tag}")) for key, tag in _METADATA.items()}
    joined = {key: ", ".join(filter(None, values)) for key, values in found.items()}
    return joined | {"published": joined["published"][:10]}


def _book_path(package: zipfile.ZipFile) -> str:
    container = parse_plain(required_part(package, "META-INF/container.xml", "EPUB"), "EPUB")
    root = container.find(".//rootfile")
    path = root.get("full-path") if root is not None else None
    if not path:
        raise CorruptDocument("EPUB", "its container names no book; get a fresh copy and ingest that")
    return path


def _resolved(base: str, reference: str) -> str:
    """Return the name of the part that a reference, relative to another part, points to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(reference.partition("#")[0])))


def _chapters(book: etree._Element, path: str) -> Iterator[str]:
    """Yield the names of the texts in reading order, without the table of contents."""
    items = {item.get("id"): item for item in book.iterfind("manifest/item")}
    for reference in book.iterfind("spine/itemref"):
        item = items.get(reference.get("idref"))
        if item is not None and "html" in item.get("media-type", "") and not _is_contents(item):
            yield _resolved(path, item.get("href", ""))


def _is_contents(item: etree._Element) -> bool:
    return "nav" in item.get("properties", "").split()


def _titles(package: zipfile.ZipFile, book: etree._Element, path: str) -> dict[str, str]:
    """Return what the tables of contents call each part, by its first entry."""
    titles: dict[str, str] = {}
    for item in book.iterfind("manifest/item"):
        if _is_contents(item) or item.get("media-type") == _NCX:
            contents = _resolved(path, item.get("href", ""))
            data = part(package, contents, "EPUB") or b""
            entries = _nav_entries(data) if _is_contents(item) else _ncx_entries(data)
            for target, title in entries:
                titles.setdefault(_resolved(contents, target), title)
    return titles


def _nav_entries(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield what the contents of an EPUB 3 point to, and call it."""
    for link in parse_html(_text(data)).select("nav a[href]"):
        yield str(link["href"]), " ".join(link.get_text().split())


def _ncx_entries(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield what the contents of an EPUB 2 point to, and call it."""
    for point in parse_plain(data, "EPUB").iterfind(".//navPoint") if data else ():
        target = point.find("content")
        if target is not None:
            yield target.get("src", ""), words(point.find("navLabel"))


def _locked(package: zipfile.ZipFile) -> set[str]:
    """Return the parts that are encrypted: in a book to be read, its fonts at most."""
    data = part(package, "META-INF/encryption.xml", "EPUB")
    references = parse_plain(data, "EPUB").iterfind(".//CipherReference") if data else ()
    return {unquote(reference.get("URI", "")) for reference in references}


def _text(data: bytes) -> str:
    return normalised(decode(data, "EPUB"), "EPUB")


def _image(package: zipfile.ZipFile, chapter: str, address: str) -> bytes | None:
    """Return the image of a book that a chapter refers to."""
    info = package.NameToInfo.get(_resolved(chapter, address))
    if info is None or info.file_size > LARGEST_FILE:
        return None
    try:
        return part(package, info.filename, "EPUB")
    except CorruptDocument:  # the picture alone is damaged
        return None


def _add_chapter(draft: Draft, page: BeautifulSoup, title: str | None, pictures: Mapping[int, str]) -> None:
    body = page.body or page
    chapter = render_html(body, pictures)
    if title and chapter.text and not body.find(["h1", "h2", "h3", "h4", "h5", "h6"]):
        draft.add_heading(1, title)
    draft.add_stored(chapter)
