"""Notes, tips and warnings that programs draw as a table: an icon, a title, and what they say."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag

_BOXES = ":is(.note, .tip, .warning, .caution, .important, .admonitionblock) > table"
_ICONS = "td.icon, td:has(> img:only-child)"
_TITLES = ["th"]


def unbox_notes(soup: BeautifulSoup) -> None:
    """Leave of each such table its title and what it says."""
    for table in soup.select(_BOXES):
        icons = set(map(id, table.select(_ICONS)))
        cells = [cell for cell in table.find_all("td") if id(cell) not in icons]
        if len(cells) == 1:
            _unbox(table, cells[0])


def _unbox(table: Tag, said: Tag) -> None:
    title = table.find(_TITLES)
    if isinstance(title, Tag):
        title.name, title["class"] = "div", "admonition-title"
        table.insert_before(title.extract())
    said.name, said.attrs = "div", {}
    table.replace_with(said.extract())
