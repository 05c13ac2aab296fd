"""Word documents by mammoth: HTML first, then read like any page.

Mammoth knows lists, tables, footnotes, text boxes and tracked changes, but not the numbers that Word paints before
headings and clauses ("4.2", "(a)"); they are written into the text before, since people ask for them.
"""

from __future__ import annotations

import io

import mammoth

from pipelines.reading.draft import Draft
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.office.markeditems import with_marked_items
from pipelines.reading.office.packages import open_package
from pipelines.reading.office.properties import office_properties
from pipelines.reading.office.wordlayout import drop_contents, promote_bold
from pipelines.reading.office.wordnumbers import with_numbers
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='Code'] => pre:separator('\\n')
p[style-name='HTML Preformatted'] => pre:separator('\\n')
p[style-name='Preformatted Text'] => pre:separator('\\n')
p[style-name^='toc '] => !
"""
_unread = mammoth.images.img_element(lambda image: {})


def read(source: Source) -> ParsedDocument:
    """Return the document's body and notes; what stands in its page headers and footers is left out."""
    with open_package(source.data(), source.format.label) as package:
        title, metadata = office_properties(package)
        numbered = with_numbers(package)
    html = mammoth.convert_to_html(io.BytesIO(numbered), style_map=_STYLES, convert_image=_unread).value
    soup = parse_html(html)
    for unread in soup.select("img, a[href^='#footnote-ref'], a[href^='#endnote-ref']"):
        unread.decompose()  # Word invents what it says of pictures
    draft = Draft()
    drop_contents(soup)
    promote_bold(soup)
    draft.add_stored(with_marked_items(render_html(soup)))
    return draft.finish(source.format, title or draft.first_title(), metadata)
