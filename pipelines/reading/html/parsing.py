"""HTML parsed as browsers do, without what is never read."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup

from pipelines.reading.html.folding import FOLDING, unfold
from pipelines.reading.html.grids import set_apart
from pipelines.reading.html.notes import unbox_notes

_NEVER_READ = [
    "script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "video", "audio", "select", "input",
    "dialog",
]  # fmt: skip
# What programs that make pages of DocBook, AsciiDoc and reStructuredText write for <figcaption>.
_CAPTIONS = (
    ".equation > p.title, .example > p.title, .table > p.title, .procedure > p.title, .figure > p.title,"
    " .listingblock > div.title, .exampleblock > div.title, .tableblock > div.title, .imageblock > div.title,"
    " .figure > .caption, .mediaobject > .caption"
)
_DECLARATION = re.compile(r"<\?xml[^>]{0,200}\?>")


def parse_html(markup: str) -> BeautifulSoup:
    """Parse HTML or XHTML as browsers do, and take out what is never read."""
    # Without a tag Beautiful Soup takes its input for the name of a file, and warns.
    soup = BeautifulSoup(f"<!DOCTYPE html>{_DECLARATION.sub('', markup)}", "lxml")
    for element in soup.find_all(_NEVER_READ):
        element.decompose()
    unfold(soup)
    unbox_notes(soup)
    for caption in soup.select(_CAPTIONS):
        caption.name = "figcaption"
    # Inside a heading a button folds the section, and holds the heading's words.
    folding = {id(button) for heading in soup.find_all(FOLDING) for button in heading.find_all("button")}
    for button in soup.find_all("button"):
        if id(button) not in folding:
            button.decompose()
    set_apart(soup)
    return soup
