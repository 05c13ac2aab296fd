"""Parts of a page that a click unfolds: the names of ``<details>`` are headings of what they hold."""

from __future__ import annotations

from collections.abc import Iterator

from bs4 import Tag
from bs4.element import NavigableString

from pipelines.reading.html.boldtitles import HEADINGS

_DEEPEST = 6
_SECTIONS = ("article", "footer", "hr", "section")


def title_folds(soup: Tag) -> None:
    """Make the names of folded parts headings, a level below the heading above them.

    A name stays as it is where no heading is above, where the part holds a heading, or where more text of the section
    follows, which would stand below the wrong heading.
    """
    ending = {id(part) for part in _ending(soup)}
    levels: dict[int, int] = {}
    names: list[tuple[Tag, int]] = []
    above = 0
    for element in soup.find_all([*HEADINGS, "details"]):
        if element.name != "details":
            above = int(element.name[1])
            continue
        name = element.find("summary", recursive=False)
        if name is not None and above and id(element) in ending and not element.find(HEADINGS):
            outer = next((levels[id(parent)] for parent in element.parents if id(parent) in levels), above)
            levels[id(element)] = min(outer + 1, _DEEPEST)
            names.append((name, levels[id(element)]))
    for name, level in names:
        name.name = f"h{level}"


def _ending(soup: Tag) -> Iterator[Tag]:
    """Yield the folded parts behind which only such parts stand up to the next heading or the end of their element."""
    parents = {id(part.parent): part.parent for part in soup.find_all("details")}
    for parent in filter(None, parents.values()):
        ends = True
        for child in reversed(parent.contents):
            if isinstance(child, Tag) and child.name == "details":
                if ends:
                    yield child
            elif isinstance(child, Tag):
                ends = child.name in (*HEADINGS, *_SECTIONS)
            elif isinstance(child, NavigableString) and child.strip():
                ends = False
