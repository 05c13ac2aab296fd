"""HTML pages: what the page is about, without the furniture around it."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

from pipelines.reading.draft import Draft
from pipelines.reading.html.boldtitles import HEADINGS, promote_bold
from pipelines.reading.html.furniture import remove_banner, remove_furniture
from pipelines.reading.html.images import pictures_of
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.properties import clean_title
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_CHARSET = re.compile(rb"""(?:<meta[^>]+charset|<\?xml[^>]+encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)

# Furniture around an article; inside one, these hold its title, its notes and its sources.
_SURROUNDINGS = (
    "body > header, body > footer, body > aside, [role=banner], [role=contentinfo], [role=complementary], form,"
    " :is(#page-header, #site-header):not(:has(h1, h2))"
)
_FEW_HEADINGS = 1
"""Headings of a page whose other headings are paragraphs in bold, if there are any."""
_METADATA = {
    "author": "meta[name=author]",
    "description": "meta[name=description]",
    "published": "meta[property='article:published_time']",
}


def read(source: Source) -> ParsedDocument:
    """Return the page's main content; the title is that of ``<title>``."""
    soup = parse_html(source.text(_declared_charset(source)))
    metadata = {key: _content(soup, selector) for key, selector in _METADATA.items()}
    metadata["published"] = metadata["published"][:10]
    draft = Draft()
    main = _main(soup)
    if len(main.find_all(HEADINGS)) <= _FEW_HEADINGS:
        promote_bold(main)
    draft.add_stored(render_html(main, pictures_of(main, source.gallery)))
    title = clean_title(soup.title.get_text()) if soup.title else None
    return draft.finish(source.format, title or draft.first_title(), metadata)


def _declared_charset(source: Source) -> str | None:
    head = source.content[:4096] if isinstance(source.content, bytes) else b""
    found = _CHARSET.search(head)
    return found[1].decode("ascii", "ignore") if found else None


def _content(soup: BeautifulSoup, selector: str) -> str:
    found = soup.select_one(selector)
    return str(found.get("content") or "").strip() if found else ""


def _main(soup: BeautifulSoup) -> Tag:
    """Return the element that holds what the page is about."""
    remove_furniture(soup)
    mains = soup.select("main, [role=main]")
    articles = soup.select("article")
    for candidates in (mains, articles):
        if len(candidates) == 1 and candidates[0].get_text(strip=True):
            return candidates[0]
    for element in soup.select(_SURROUNDINGS):
        element.decompose()
    body = soup.body or soup
    remove_banner(body)
    return body
