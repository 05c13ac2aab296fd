"""Parts of a page that a click shows: panels of tabs, below the names of their tabs, and answers that fold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement

from pipelines.reading.html.boldtitles import HEADINGS
from pipelines.reading.html.words import BLOCKS

FOLDING = [*HEADINGS, "dt", "summary"]
"""The elements in which a button holds the words of a title."""
_TAB_LISTS = "[role=tablist], .tabbed-labels"
_TABS = "[role=tab], .tabbed-labels > label"
_PANELS = "[role=tabpanel], .tabbed-block"
_FOLDED = re.compile(r"accordion|collapse|collapsible")
"""What the classes of elements say that hold parts that fold."""
_FOLDS = (
    ":is(button, a, h1, h2, h3, h4, h5, h6, [role=button], [role=tab])[aria-expanded], [role=tab][aria-controls],"
    " button:is([data-bs-target], [data-target], [class*=accordion], [class*=collapsible]), a[data-toggle=collapse]"
)
"""What is clicked to unfold a part."""
_TARGETS = ("aria-controls", "data-bs-target", "data-target", "href")
_QUESTIONS = re.compile(r"accordion|collaps|faq|panel|question|answer")
"""What the classes around a part say that folds without being marked as hidden."""
_ONLY_PARTS = frozenset({"body", "li", "dd", "td", "th", "ul", "ol", "table", "tr", "nav"})
"""What is no title, even where it holds nothing but one."""
_MENU_ROLES = "[role=menu], [role=dialog], [role=listbox], [role=navigation], [role=search], nav, form"
_MENU = re.compile(r"(?:^|[\s_-])(?:nav|navbar|navigation|search|toc)(?:$|[\s_-])")
_MOST_TAB_LISTS = 200
_FARTHEST = 3
"""How far above a list of tabs the element is that holds its panels too."""
_MOST_LINKED = 0.9


def unfold(soup: BeautifulSoup) -> None:
    """Show the panels of tabs, each below its tab's name, and what clicks unfold; what is clicked becomes its title."""
    for tabs in soup.select(_TAB_LISTS)[:_MOST_TAB_LISTS]:
        if tabs.select_one(_PANELS) is None:
            _show_panels(soup, tabs)
    named = {str(element["id"]): element for element in reversed(soup.find_all(id=True))}
    for control in soup.select(_FOLDS):
        if not control.decomposed:
            _unfold_part(soup, control, named)
    for folded in list(_folded(soup)):
        if not _is_menu(folded):
            _show(folded)


def _show_panels(soup: BeautifulSoup, tabs: Tag) -> None:
    """Show the panels beside a list of tabs, which goes."""
    pairs = list(_panels(tabs))
    name = _name_of_captions([panel for _, panel in pairs])
    for tab, panel in pairs:
        _show(panel)
        caption = soup.new_tag(name)
        caption.string = tab.get_text(" ", strip=True)
        panel.insert(0, caption)
    if pairs:
        tabs.decompose()


def _name_of_captions(panels: Sequence[Tag]) -> str:
    """Return the element for the names of tabs: a heading above those in their panels, which move a level down."""
    headings = [heading for panel in panels for heading in panel.find_all(HEADINGS)]
    if not headings:
        return "figcaption"
    name = min(heading.name for heading in headings)
    for heading in headings:
        heading.name = f"h{min(int(heading.name[1]) + 1, len(HEADINGS))}"
    return name


def _unfold_part(soup: BeautifulSoup, control: Tag, named: Mapping[str, Tag]) -> None:
    """Show what a click on an element unfolds, below its words."""
    holder = _holder(control)
    below = holder.find_next_sibling()
    part = next((named[name] for name in _names_of_targets(control) if name in named), None)
    if part is None and below is not None and _folds_below(holder, below):
        part = below
    if part is None or _is_menu(part):
        return
    _show(part)
    if holder.name in FOLDING or holder.find_parent(FOLDING) or any(each is part for each in holder.parents):
        return
    if part is not below:
        control.name = "p"
        return
    whole, name = soup.new_tag("details"), soup.new_tag("summary")
    holder.insert_before(whole)
    name.extend(list(control.contents))
    whole.extend([name, part.extract()])
    holder.decompose()


def _holder(control: Tag) -> Tag:
    """Return the widest element that says nothing but the words that are clicked."""
    holder = control
    for above in islice(control.parents, _FARTHEST):
        beside = (each for each in above.contents if each is not holder)
        if above.name in _ONLY_PARTS or holder.name in FOLDING or any(map(_says, beside)):
            break
        holder = above
    return holder


def _says(element: PageElement) -> bool:
    return next(element.stripped_strings, None) is not None if isinstance(element, Tag) else bool(str(element).strip())


def _names_of_targets(control: Tag) -> Iterator[str]:
    """Yield the names of what an element says that it unfolds."""
    for attribute in _TARGETS:
        yield from (name.removeprefix("#") for name in str(control.get(attribute) or "").split()[:1])


def _folds_below(holder: Tag, below: Tag) -> bool:
    """Return whether the element below a title is what a click on the title unfolds."""
    if below.name in FOLDING or below.name in ("button", "a"):
        return False
    around = [holder, below, *islice(holder.parents, 1)]
    return _is_hidden(below) or any(_QUESTIONS.search(_names(each)) for each in around)


def _folded(soup: BeautifulSoup) -> Iterator[Tag]:
    """Yield the elements that are called folded, and the hidden blocks inside of them."""
    inside: set[int] = set()
    for element in soup.find_all(True):
        is_named = element.get("hidden") == "until-found" or element.get("role") == "tabpanel"
        if is_named or _FOLDED.search(" ".join(map(str, element.get("class") or ()))):
            inside.add(id(element))
            yield element
        elif id(element.parent) in inside:
            inside.add(id(element))
            if element.name in BLOCKS and _is_hidden(element):
                yield element


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


def _is_hidden(element: Tag) -> bool:
    return "hidden" in element.attrs or element.get("aria-hidden") == "true"


def _names(element: Tag) -> str:
    names = (element.name, element.get("id") or "", *(element.get("class") or ()))
    return " ".join(map(str, names)).lower()


def _is_menu(element: Tag) -> bool:
    """Return whether what folds leads elsewhere, or asks for something, and says nothing itself."""
    if _MENU.search(_names(element)) or element.select_one(_MENU_ROLES) or element.css.match(_MENU_ROLES):
        return True
    linked = sum(len(link.get_text(strip=True)) for link in element.find_all(["a", "button"]))
    return linked >= _MOST_LINKED * len(element.get_text(strip=True))
