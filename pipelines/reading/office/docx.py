"""Word documents by mammoth: HTML first, then read like any page.

Mammoth knows lists, tables, footnotes, text boxes and tracked changes, but not the numbers that Word paints before
headings and clauses ("4.2", "(a)"); they are written into the text before, since people ask for them.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import mammoth
from bs4 import BeautifulSoup

from pipelines.reading.draft import Draft
from pipelines.reading.html.boldtitles import promote_bold
from pipelines.reading.html.footnotes import place_short_notes
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.markeditems import with_marked_items
from pipelines.reading.office.packages import open_package
from pipelines.reading.office.pictures import alternative
from pipelines.reading.office.properties import office_properties
from pipelines.reading.office.wordlayout import drop_contents
from pipelines.reading.office.wordnumbers import with_numbers
from pipelines.reading.pictures import LARGEST_FILE, Gallery
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='caption'] => figcaption:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='Code'] => pre:separator('\\n')
p[style-name='HTML Preformatted'] => pre:separator('\\n')
p[style-name='Preformatted Text'] => pre:separator('\\n')
p[style-name^='toc '] => !
p[style-name='List Bullet 2'] => ul|ol > li > ul > li:fresh
p[style-name='List Bullet 3'] => ul|ol > li > ul|ol > li > ul > li:fresh
"""
_MARK = "data-footnote-picture"
_MEDIA_BYTES = 60_000_000
_UNREADABLE = (KeyError, ValueError, OSError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error)
"""What reading a part raises that is missing, damaged or elsewhere."""


def read(source: Source) -> ParsedDocument:
    """Return the document's body and notes; what stands in its page headers and footers is left out."""
    with open_package(source.data(), source.format.label) as package:
        title, metadata = office_properties(package)
        numbered = with_numbers(package, _media(package) if source.gallery is not None else {})
    images = mammoth.images.img_element(_marked_by(source.gallery))
    soup = parse_html(mammoth.convert_to_html(io.BytesIO(numbered), style_map=_STYLES, convert_image=images).value)
    place_short_notes(soup)
    for unread in soup.select("a[href^='#footnote-ref'], a[href^='#endnote-ref']"):
        unread.decompose()
    pictures = _pictures(soup)
    draft = Draft()
    drop_contents(soup)
    promote_bold(soup, with_title=True, with_capitals=True)
    draft.add_stored(with_marked_items(render_html(soup, pictures)))
    return draft.finish(source.format, title or draft.first_title(), metadata)


def _media(package: zipfile.ZipFile) -> dict[str, bytes]:
    """Return the files of pictures by their names, without those that are damaged or would take too much memory."""
    found: dict[str, bytes] = {}
    room = _MEDIA_BYTES
    for info in package.infolist():
        if info.filename.endswith((".xml", ".rels")) or info.file_size > min(LARGEST_FILE, room):
            continue
        try:
            found[info.filename] = package.read(info)
        except _UNREADABLE:
            continue
        room -= info.file_size
    return found


def _marked_by(gallery: Gallery | None) -> Callable[[Any], dict[str, str]]:
    """Return what tells mammoth how an image is written: by the text of its block, if it is kept."""

    def marked(image: Any) -> dict[str, str]:
        if gallery is None:
            return {}
        try:
            with image.open() as file:
                raw = file.read()
        except _UNREADABLE:
            return {}
        return {_MARK: gallery.add(raw, alternative(image.alt_text or ""))}

    return marked


def _pictures(soup: BeautifulSoup) -> dict[int, str]:
    """Return the texts of the pictures' blocks by the identities of the elements; other images are taken out."""
    found = {}
    for image in soup.find_all("img"):
        text = str(image.attrs.pop(_MARK, ""))
        image.attrs.pop("alt", None)
        if text:
            found[id(image)] = text
        else:
            image.decompose()
    return found
