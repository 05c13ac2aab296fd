"""Headings that only look like some: short paragraphs and questions in bold, as Word and mail programs write them."""

from __future__ import annotations

from bs4 import Tag
from bs4.element import NavigableString

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LONGEST_HEADING = 100
_FEWEST_QUESTIONS = 2


def promote_bold(soup: Tag) -> None:
    """Make headings of short paragraphs that are bold throughout, below the headings that say so themselves.

    The last of several is one: those before it are the lines of a title.
    """
    levels = [int(heading.name[1]) for heading in soup.find_all(HEADINGS)]
    name = f"h{min(max(levels, default=1) + 1, 6)}"
    for paragraph in [each for each in soup.find_all("p") if _is_bold(each) and _leads_text(each)]:
        paragraph.name = name


def promote_questions(soup: Tag) -> None:
    """Make headings of paragraphs that are a question in bold, if there are several, a level below their section."""
    asks = [each for each in soup.find_all("p") if _is_question(each) and _leads_text(each)]
    if len(asks) < _FEWEST_QUESTIONS:
        return
    found, above = {id(each) for each in asks}, 0
    for element in soup.find_all([*HEADINGS, "p"]):
        if id(element) in found:
            element.name = f"h{min(above + 1, 6)}"
        elif element.name != "p":
            above = int(element.name[1])


def _is_question(paragraph: Tag) -> bool:
    return _is_bold(paragraph) and words_of(paragraph).endswith("?")


def _is_bold(paragraph: Tag) -> bool:
    text = words_of(paragraph)
    if (
        not text
        or len(text) > _LONGEST_HEADING
        or text[-1] in ".;,"
        or paragraph.find_parent(["table", "li", "blockquote"])
    ):
        return False
    return all(
        isinstance(child, Tag) and child.name in ("strong", "b")
        for child in paragraph.children
        if not (isinstance(child, NavigableString) and not child.strip())
        and not (isinstance(child, Tag) and child.name == "a" and not words_of(child))
    )


def _leads_text(paragraph: Tag) -> bool:
    """Return whether what follows is text, a list or a table, and no other bold line or heading."""
    behind = paragraph.find_next_sibling()
    return isinstance(behind, Tag) and behind.name not in HEADINGS and not _is_bold(behind)


def words_of(element: Tag) -> str:
    """Return the text of an element on one line."""
    return " ".join(element.get_text().split())
