"""What stands around the words of a page wherever it stands: menus, marks beside headings, links to the next page."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement

# Furniture wherever it stands: navigation, and the marks that programs put beside headings and code.
_FURNITURE_NAMES = (
    "sr-only visually-hidden skip-link mw-editsection linenos lineno breadcrumb breadcrumbs cookie-banner"
    " cookie-consent cookie-notice onetrust-consent-sdk social-share share-bar share-buttons sharing toc"
    " table-of-contents edit-this-page edit-page-link theme-edit-this-page headerlink pagination pager prev-next"
    " related-posts navheader navfooter docnav indexdiv indextable genindextable"
    " list-of-figures list-of-tables list-of-examples list-of-equations list-of-procedures sphinxsidebar"
)
_FURNITURE = frozenset(_FURNITURE_NAMES.split())
_SIDE = "sidebar"
_BOX_TITLES = frozenset({"titlepage", "title", "sidebar-title"})
"""What a box beside the text begins with, which DocBook and Sphinx call a sidebar too."""
_FURNITURE_ROLES = frozenset({"navigation", "search"})
_MENU = re.compile(r"(?:^|[-_])(?:(?:main|sub|top|side|site|page)?-?(?:menu|nav)|navbar|navigation|toc)\d*(?:$|[-_])")
_MENUS = "ul, ol, dl, [class*=menu], [id*=menu], [class*=nav], [id*=nav], [class*=toc], [id*=toc]"
_LEAST_LINKS = 3
_LEAST_PLACES = 2
"""The links of a list of the page's own places."""
_ALL_LINKS = 0.9
"""The share of a menu's characters that stand in links."""
_HEADING_LINKS = ":is(h1, h2, h3, h4, h5, h6, dt) a"
_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
_LEADING = frozenset({"prev", "previous", "next"})
_BESIDE = "back contents first home index last page chapter section table of to the top up"
_PAGES = _LEADING.union(_BESIDE.split())
"""The words beside links to the pages before and behind."""
_TO_TOP_WORDS = "back go of page return the to top up"
_TO_TOP = frozenset(_TO_TOP_WORDS.split())
"""The words of a link to the top of its own page."""
_NAVIGATION = ".navigation, #navigation"
_POINTS_ON = re.compile(r"\W*(?:next|up|prev|previous|contents|index)\b", re.IGNORECASE)
"""What the links of a page of latex2html begin with; the links themselves are the titles of pages."""
_WORD = re.compile(r"[^\W\d_]+")
_MOST_BESIDE = 400
"""The characters of such a line, with the titles of those pages."""
_FARTHEST = 8
"""How far above a link the element is at most that is nothing but such a line."""
_SAYS = ["h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "table", "ul", "ol", "dl"]
"""What the words of a page stand in."""
_PATH_SIGN = re.compile(r">|\u00bb|\u203a|\u2192|::")
_OWN_PAGE = re.compile(rf"\s*(?:(?:{_PATH_SIGN.pattern})[^.!?]{{0,80}})?")
_MOST_FRAMING = 15
_FACT = re.compile(r"[\d:@]")
"""What a telephone number, hours or an address have."""
_WHOLE_PAGES = frozenset({"html", "body", "main", "article"})
_FEWEST_ENTRIES = 20
"""Of an index: a short list of pages may be what is asked for."""
_WITHIN_PAGE = re.compile("#")
_ADDRESS = re.compile(r"\w*:")
"""What a link to another site, or to a mailbox, begins with."""

_SEE = re.compile(r"\W*see\s", re.IGNORECASE)
"""What an entry of an index has that sends to another one."""


def remove_furniture(soup: BeautifulSoup) -> None:
    """Take out of a page what is no part of what it says."""
    bars = [each.parent for each in soup.find_all("nav")]
    for element in soup.find_all(_is_furniture):
        element.decompose()
    menus = [each for each in soup.select(_MENUS) if _is_menu(each)]
    bars += [each.parent for each in menus]
    for element in menus:
        if not element.decomposed:
            element.decompose()
    for bar in bars:
        if bar is not None and not bar.decomposed and _is_frame(bar, soup):
            bar.decompose()
    pointing = [each for each in soup.select(_NAVIGATION) if _POINTS_ON.match(_beginning(each)) and _is_beside(each)]
    pointing += [each for link in soup.find_all("a", href=True) if _leads_on(link) for each in _beside(link)]
    for element in pointing:
        if not element.decomposed:
            element.decompose()
    _remove_links(soup)
    _remove_paths(soup)
    _remove_index(soup)


def _remove_links(soup: BeautifulSoup) -> None:
    """Take out links to the top of the page, and the signs to copy the addresses of headings."""
    for link in soup.find_all("a", href=_WITHIN_PAGE):
        if _leads_to_top(link):
            link.clear(decompose=True)  # taking links out of a long line one by one would take quadratic time
    for link in soup.select(_HEADING_LINKS):
        if len(link.get_text(strip=True)) <= 1:
            link.decompose()


def _remove_index(soup: BeautifulSoup) -> None:
    """Take out the lists of an index as books have: entries, and nothing but the titles of pages behind them."""
    lists = [each for each in soup.find_all("dl") if each.find_parent("dl") is None and _refers(each)]
    if sum(len(each.find_all("dt")) for each in lists) >= _FEWEST_ENTRIES:
        for each in lists:
            each.decompose()


def _refers(entries: Tag) -> bool:
    """Return whether what stands behind the entries of a list are links to pages of the same site, or "see ..."."""
    left: list[tuple[PageElement, str]] = [(entries, "")]
    linked = False
    while left:
        element, within = left.pop()
        if isinstance(element, Tag):
            is_link = element.name == "a" and not _ADDRESS.match(str(element.get("href", ":")))
            within = element.name if is_link or element.name == "dt" else within
            left += [(each, within) for each in element.contents]
        elif within != "dt" and _WORD.search(str(element)):
            if not within and not _SEE.match(str(element)):
                return False
            linked = True
    return linked


def remove_banner(body: Tag) -> None:
    """Take out what stands above the first heading of a page and is nothing but links: the site's name and shop."""
    above = [each for heading in body.find_all(_HEADINGS, limit=1) for each in heading.parents]
    if not above:
        return
    for element in body.find_all(True, recursive=False):
        if element.name in _HEADINGS or any(element is each for each in above):
            return
        words = (text for text in element.find_all(string=True) if text.strip())
        if element.find("a", href=True) and all(text.find_parent("a") for text in words):
            element.decompose()


def _remove_paths(soup: BeautifulSoup) -> None:
    """Take out the paths to a page: "Home > Docs > Sails"."""
    holding = {id(link.parent): link.parent for link in soup.find_all("a", href=True)}
    for element in holding.values():
        if element is not None and not element.decomposed and _is_path(element):
            element.decompose()


def _is_path(element: Tag) -> bool:
    """Return whether an element is links with signs between them, and at most the name of its own page behind them."""
    parts = [each for each in element.contents if isinstance(each, Tag) or str(each).strip()]
    are_links = [isinstance(each, Tag) and each.name == "a" for each in parts]
    links = sum(are_links)
    if links < _LEAST_PLACES or are_links[: 2 * links - 1] != [True, False] * (links - 1) + [True]:
        return False
    signs = (str(sign).strip() for sign in parts[1 : 2 * links - 1 : 2])
    behind = " ".join(part.get_text() if isinstance(part, Tag) else str(part) for part in parts[2 * links - 1 :])
    return all(map(_PATH_SIGN.fullmatch, signs)) and _OWN_PAGE.fullmatch(behind) is not None


def _leads_to_top(link: Tag) -> bool:
    """Return whether a link, or the image in it, says that it leads to the top of the page, and stands by itself."""
    images = (str(image.get("alt") or "") for image in link.find_all("img", limit=1))
    words = _WORD.findall(" ".join((_beginning(link), *images)).lower())
    beside = _WORD.findall(_beginning(link.parent).lower()) if link.parent is not None else []
    return "top" in words and _TO_TOP.issuperset(words) and _TO_TOP.issuperset(beside)


def _is_frame(bar: Tag, page: Tag) -> bool:
    """Return whether what held a menu holds little else: the name of the site, its motto; no address or hours."""
    text = _beginning(bar)
    if bar.name in _WHOLE_PAGES or bar.find(_SAYS) is not None or _FACT.search(text):
        return False
    words = len(_WORD.findall(text))
    return words <= _MOST_FRAMING and 2 * words <= len(_WORD.findall(_beginning(page.body or page)))


def _is_furniture(element: Tag) -> bool:
    attributes = element.attrs
    if element.name == "nav" or "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if attributes.get("role") in _FURNITURE_ROLES or attributes.get("aria-label") == "breadcrumb":
        return True
    names = {attributes.get("id"), *(attributes.get("class") or ())}
    return not _FURNITURE.isdisjoint(names) or (_SIDE in names and not _is_box(element))


def _is_box(element: Tag) -> bool:
    said = (each for each in element.find_all(True, recursive=False) if each.get_text(strip=True))
    return any(not _BOX_TITLES.isdisjoint(first.get("class") or ()) for first in islice(said, 1))


def _is_menu(element: Tag) -> bool:
    """Return whether an element is nothing but links, and is called a menu or leads to places of its own page."""
    if element.name in ("ul", "ol") and element.find_parent(["ul", "ol"]):
        return False
    links = element.find_all("a", href=True)
    is_of_page = all(str(link["href"]).startswith("#") for link in links)
    if len(links) < (_LEAST_PLACES if is_of_page else _LEAST_LINKS):
        return False
    linked = sum(len(link.get_text(strip=True)) for link in links)
    if linked < _ALL_LINKS * len(element.get_text(strip=True)):
        return False
    return is_of_page or any(
        _MENU.search(name) for one in (element, *islice(element.parents, 2)) for name in _names(one)
    )


def _names(element: Tag) -> list[str]:
    return " ".join(map(str, (element.get("id") or "", *element.get_attribute_list("class")))).lower().split()


def _leads_on(link: Tag) -> bool:
    """Return whether a link leads to the page before or behind, by what it or the item that holds it is called."""
    words = _WORD.findall(link.get_text().lower())
    above = link.parent
    item = above.get_attribute_list("class") if above is not None and above.name == "li" else []
    named = {*link.get_attribute_list("rel"), *link.get_attribute_list("class"), *item}
    return not _LEADING.isdisjoint(named) or (not _LEADING.isdisjoint(words) and _PAGES.issuperset(words))


def _beside(link: Tag) -> list[Tag]:
    """Return the widest element around a link that says nothing but where other pages are; none if there is none."""
    around = []
    for element in islice(link.parents, _FARTHEST):
        if not _is_beside(element):
            break
        if len(element.find_all("a", href=True)) > 1:
            around = [element]
    return around


def _is_beside(element: Tag) -> bool:
    """Return whether an element says nothing but where other pages are."""
    text = _beginning(element)
    if element.name in _WHOLE_PAGES or len(text) > _MOST_BESIDE:
        return False
    said = Counter(_WORD.findall(text.lower()))
    said.subtract(word for each in element.find_all("a", href=True) for word in _WORD.findall(each.get_text().lower()))
    return _PAGES.issuperset(+said)


def _beginning(element: Tag) -> str:
    """Return the words of an element, if they are no more than those beside a link to the next page; else a part."""
    text = ""
    for each in element.strings:
        text += f" {each}"
        if len(text) > _MOST_BESIDE:
            break
    return text
