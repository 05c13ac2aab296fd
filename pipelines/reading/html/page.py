"""HTML pages: what the page is about, without the furniture around it."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

from pipelines.reading.draft import Draft
from pipelines.reading.html.boldtitles import HEADINGS, promote_bold, promote_questions
from pipelines.reading.html.foldtitles import title_folds
from pipelines.reading.html.footnotes import place_short_notes
from pipelines.reading.html.furniture import remove_banner, remove_furniture
from pipelines.reading.html.images import pictures_of
from pipelines.reading.html.looseterms import gather_terms
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.questiontables import unfold_questions
from pipelines.reading.html.rendering import render_html
from pipelines.reading.html.surroundings import append_facts, around, take_facts
from pipelines.reading.markeditems import with_marked_items
from pipelines.reading.properties import clean_title
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_CHARSET = re.compile(rb"""(?:<meta[^>]+charset|<\?xml[^>]+encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)

# Furniture around an article; inside one, these hold its title, its notes and its sources.
_SURROUNDINGS = (
    "body > header, body > footer, body > aside, [role=banner], [role=contentinfo], [role=complementary], form,"
    " :is(#page-header, #site-header):not(:has(h1, h2))"
)
_SAYS = ["h1", "h2", "h3", "h4", "h5", "h6", "p"]
"""What a form holds where it is the page itself, as ASP.NET writes it, and no search or login."""
_TITLES_ELSEWHERE = "h1:not(article h1, header h1, [role=banner] h1)"
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
    place_short_notes(soup)
    main, facts = _main(soup)
    if len(main.find_all(HEADINGS)) <= _FEW_HEADINGS:
        promote_bold(main)
    unfold_questions(main)
    promote_questions(main)
    title_folds(main)
    gather_terms(main)
    append_facts(main, facts)
    draft.add_stored(with_marked_items(render_html(main, pictures_of(main, source.gallery)), numbered=False))
    title = clean_title(soup.title.get_text()) if soup.title else None
    return draft.finish(source.format, title or draft.first_title(), metadata)


def _declared_charset(source: Source) -> str | None:
    head = source.content[:4096] if isinstance(source.content, bytes) else b""
    found = _CHARSET.search(head)
    return found[1].decode("ascii", "ignore") if found else None


def _content(soup: BeautifulSoup, selector: str) -> str:
    found = soup.select_one(selector)
    return str(found.get("content") or "").strip() if found else ""


def _main(soup: BeautifulSoup) -> tuple[Tag, list[Tag]]:
    """Return the element that holds what the page is about, and the facts that stood around it."""
    remove_furniture(soup)
    body = soup.body or soup
    most = len(body.get_text(strip=True)) // 2 + 1
    marked = _marked(soup, body, most)
    if marked is not None:
        return marked, take_facts(around(soup, marked))
    for form in body.select("form"):
        if form.find(_SAYS) is not None and len(form.get_text(strip=True)) >= most:
            form.unwrap()
    surroundings = soup.select(_SURROUNDINGS)
    facts = take_facts(element for element in surroundings if element.name != "form")
    for element in surroundings:
        element.decompose()
    remove_banner(body)
    return body, facts


def _marked(soup: BeautifulSoup, body: Tag, most: int) -> Tag | None:
    """Return the element that says itself that it is the page; None if there is none."""
    mains = soup.select("main, [role=main]")
    articles = soup.select("article")
    if len(mains) == 1 and mains[0].get_text(strip=True):
        return mains[0]
    if len(articles) == 1 and articles[0].get_text(strip=True) and _is_page(articles[0], body, most):
        return articles[0]
    return None


def _is_page(article: Tag, body: Tag, most: int) -> bool:
    """Return whether an article is the page, and no card on a page whose title and ``most`` words stand beside it."""
    is_titled_elsewhere = article.find("h1") is None and body.select_one(_TITLES_ELSEWHERE) is not None
    return not is_titled_elsewhere or len(article.get_text(strip=True)) >= most
