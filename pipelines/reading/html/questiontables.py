"""Questions with their answers in the rows of a table, as DocBook lays them out: each question becomes a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import Tag
from bs4.element import PageElement

from pipelines.reading.html.words import inline_text, tidy_line

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LONGEST = 300
"""Characters of a question that is a heading."""
_NUMBER = re.compile(r"[\dA-Z][\dA-Z.]{0,12}\.")
"""A label that stays before its question; "Q:" does not."""


def unfold_questions(root: Tag) -> None:
    """Put the questions and answers of tables below each other; questions are headings a level below their section."""
    tables = {id(table): table for row in root.select("tr.question") if (table := row.find_parent("table")) is not None}
    above = 0
    for element in root.find_all([*_HEADINGS, "table"]) if tables else ():
        if element.name in _HEADINGS:
            above = int(element.name[1])
        elif id(element) in tables:
            _unfold(element, min(above + 1, 6))


def _unfold(table: Tag, level: int) -> None:
    below = Tag(name="div")
    for row in list(_rows(table)):
        cells = row.find_all(["td", "th"], recursive=False)
        kinds = row.get_attribute_list("class")
        if cells and "question" in kinds:
            below.extend(_question(cells, level))
        else:
            for cell in cells[-1:] if "answer" in kinds else cells:
                below.extend(list(cell.children))
    table.replace_with(below)


def _rows(table: Tag) -> Iterator[Tag]:
    """Yield the rows of a table, and none of a table in it."""
    for part in table.find_all(["tr", "thead", "tbody", "tfoot"], recursive=False):
        yield from (part,) if part.name == "tr" else part.find_all("tr", recursive=False)


def _question(cells: list[Tag], level: int) -> list[PageElement]:
    """Return a question as a heading, behind its number; one that is too long for a heading as it is."""
    label, asked = tidy_line(inline_text(cells[0])), " ".join(tidy_line(inline_text(cells[-1])).split())
    if not asked or len(asked) > _LONGEST:
        return list(cells[-1].children)
    heading = Tag(name=f"h{level}")
    heading.append(f"{label} {asked}" if len(cells) > 1 and _NUMBER.fullmatch(label) else asked)
    return [heading]
