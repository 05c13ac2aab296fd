"""Parts of a page that a click shows: panels of tabs, below the names of their tabs, and answers that fold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from bs4 import BeautifulSoup, Tag

FOLDING = ["h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary"]
"""The elements in which a button holds the words of a title."""
_TAB_LISTS = "[role=tablist], .tabbed-labels"
_TABS = "[role=tab], .tabbed-labels > label"
_PANELS = "[role=tabpanel], .tabbed-block"
_FOLDED = "[class*=accordion], [class*=collapse], [class*=collapsible], [hidden=until-found]"
_FOLDS = "button[aria-expanded][aria-controls], button[data-bs-target]"
_MENU_ROLES = "[role=menu], [role=dialog], [role=listbox], [role=navigation], [role=search], nav, form"
_MENU = re.compile(r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|search|toc)(?:$|[\s_-])")
_MOST_TAB_LISTS = 200
_FARTHEST = 3
"""How far above a list of tabs the element is that holds its panels too."""
_MOST_LINKED = 0.9


def unfold(soup: BeautifulSoup) -> None:
    """Show the panels of tabs, each below its tab's name, and what buttons unfold; the buttons become its title."""
    for tabs in soup.select(_TAB_LISTS)[:_MOST_TAB_LISTS]:
        pairs = list(_panels(tabs))
        for tab, panel in pairs:
            _show(panel)
            caption = soup.new_tag("figcaption")
            caption.string = tab.get_text(" ", strip=True)
            panel.insert(0, caption)
        if pairs:
            tabs.decompose()
    named = {str(element["id"]): element for element in reversed(soup.find_all(id=True))}
    for button in soup.select(_FOLDS):
        target = str(button.get("aria-controls") or button.get("data-bs-target")).removeprefix("#")
        folded = named.get(target)
        if folded is not None and not _is_menu(folded):
            _show(folded)
            if not button.find_parent(FOLDING):
                button.name = "p"
    for folded in soup.select(_FOLDED):
        if not _is_menu(folded):
            _show(folded)


def _panels(tabs: Tag) -> Iterator[tuple[Tag, Tag]]:
    """Yield the tabs of a list, each with its panel."""
    names = tabs.select(_TABS)
    for above in islice(tabs.parents, _FARTHEST):
        found = above.select(_PANELS)
        if found:
            inside = {id(each) for panel in found for each in panel.select(_PANELS)}
            outer = [panel for panel in found if id(panel) not in inside]
            if len(outer) == len(names):
                yield from zip(names, outer, strict=True)
            return


def _show(element: Tag) -> None:
    for attribute in ("hidden", "aria-hidden"):
        element.attrs.pop(attribute, None)


def _is_menu(element: Tag) -> bool:
    """Return whether what folds leads elsewhere, or asks for something, and says nothing itself."""
    names = " ".join(map(str, (element.name, element.get("id") or "", *(element.get("class") or ())))).lower()
    if _MENU.search(names) or element.select_one(_MENU_ROLES) or element.css.match(_MENU_ROLES):
        return True
    linked = sum(len(link.get_text(strip=True)) for link in element.find_all("a"))
    return linked >= _MOST_LINKED * len(element.get_text(strip=True))
