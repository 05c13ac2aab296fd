"""HTML pages: what the page is about, without the furniture around it."""

from __future__ import annotations

import re
from itertools import islice

from bs4 import BeautifulSoup, Tag

from pipelines.reading.draft import Draft
from pipelines.reading.html.images import pictures_of
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.properties import clean_title
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_CHARSET = re.compile(rb"""(?:<meta[^>]+charset|<\?xml[^>]+encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)

# Furniture wherever it stands: navigation, and the marks that programs put beside headings and code.
_FURNITURE_NAMES = (
    "sr-only visually-hidden skip-link mw-editsection linenos lineno breadcrumb breadcrumbs cookie-banner"
    " cookie-consent cookie-notice onetrust-consent-sdk social-share share-bar share-buttons sharing sidebar toc"
    " table-of-contents edit-this-page edit-page-link theme-edit-this-page headerlink pagination pager prev-next"
    " related-posts"
)
_FURNITURE = frozenset(_FURNITURE_NAMES.split())
_FURNITURE_ROLES = frozenset({"navigation", "search"})
_MENU = re.compile(r"(?:^|[-_])(?:(?:main|sub|top|side|site|page)?-?(?:menu|nav)|navbar|navigation|toc)\d*(?:$|[-_])")
_MENUS = "ul, ol, [class*=menu], [id*=menu], [class*=nav], [id*=nav], [class*=toc], [id*=toc]"
_LEAST_LINKS = 3
_ALL_LINKS = 0.9
"""The share of a menu's characters that stand in links."""
_HEADING_LINKS = ":is(h1, h2, h3, h4, h5, h6, dt) a"
# Furniture around an article; inside one, these hold its title, its notes and its sources.
_SURROUNDINGS = (
    "body > header, body > footer, body > aside, [role=banner], [role=contentinfo], [role=complementary], form"
)
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


def _is_furniture(element: Tag) -> bool:
    attributes = element.attrs
    if element.name == "nav" or "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if attributes.get("role") in _FURNITURE_ROLES or attributes.get("aria-label") == "breadcrumb":
        return True
    return attributes.get("id") in _FURNITURE or not _FURNITURE.isdisjoint(attributes.get("class") or ())


def _is_menu(element: Tag) -> bool:
    """Return whether an element is nothing but links, and is called a menu or leads to places of its own page."""
    if element.name in ("ul", "ol") and element.find_parent(["ul", "ol"]):
        return False
    links = element.find_all("a", href=True)
    if len(links) < _LEAST_LINKS:
        return False
    linked = sum(len(link.get_text(strip=True)) for link in links)
    if linked < _ALL_LINKS * len(element.get_text(strip=True)):
        return False
    return all(str(link["href"]).startswith("#") for link in links) or any(
        _MENU.search(name) for one in (element, *islice(element.parents, 2)) for name in _names(one)
    )


def _names(element: Tag) -> list[str]:
    return " ".join(map(str, (element.get("id") or "", *element.get_attribute_list("class")))).lower().split()


def _main(soup: BeautifulSoup) -> Tag:
    """Return the element that holds what the page is about."""
    for element in soup.find_all(_is_furniture):
        element.decompose()
    for element in [each for each in soup.select(_MENUS) if _is_menu(each)]:
        if not element.decomposed:
            element.decompose()
    for link in soup.select(_HEADING_LINKS):
        if len(link.get_text(strip=True)) <= 1:  # the sign to copy the heading's address
            link.decompose()
    mains = soup.select("main, [role=main]")
    articles = soup.select("article")
    for candidates in (mains, articles):
        if len(candidates) == 1 and candidates[0].get_text(strip=True):
            return candidates[0]
    for element in soup.select(_SURROUNDINGS):
        element.decompose()
    return soup.body or soup
