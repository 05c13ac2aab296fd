"""Headings that only look like some: short paragraphs and questions in bold, as Word and mail programs write them, and
titles in capitals, as old documents have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bs4 import Tag
from bs4.element import NavigableString, PageElement

from pipelines.reading.marks import mark_of

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LONGEST_HEADING = 100
_LONGEST_QUESTION = 240
_BOLD = ["b", "strong"]
_PARAGRAPHS = ("p", "div")
_BOXES = ["table", "li", "blockquote"]
_FEWEST_QUESTIONS = 2
_FEWEST_CAPITALS = 3
"""Titles in capitals of a document: one or two such lines may be a warning, a name or an address."""
_FEWEST_LETTERS = 4
_PROSE = 40
"""Characters, at least, of the paragraph below a title in capitals."""
_NOTICE = re.compile(
    "ATTENTION|CAUTION|CONFIDENTIAL|DANGER|DRAFT|IMPORTANT|NOTE|TIP|WARNING|ACHTUNG|ENTWURF|GEFAHR|HINWEIS|VORSICHT|WARNUNG"
)
"""Lines above a notice, or on the whole document, that are no titles of sections."""
_SALUTATION = re.compile(r"(?:Dear|Hello|Hi)\b.{0,80}[,:!]?$")
_NUMBERED = re.compile(r"[\W_]*(?:\d|[IVX]{1,4}[.)]|[A-Za-z][.)]\s)")


def promote_bold(soup: Tag, *, with_title: bool = False, with_capitals: bool = False) -> None:
    """Make headings of short paragraphs that are bold throughout, below the headings that say so themselves.

    The last of several is one: those before it are the lines of a title. ``with_title``: where no heading says so
    itself, the first one that names all of the document is above the others. ``with_capitals``: several paragraphs in
    capitals are headings too.
    """
    levels = [int(heading.name[1]) for heading in soup.find_all(HEADINGS)]
    name = f"h{min(max(levels, default=1) + 1, 6)}"
    shouted = {id(each) for each in _shouted_titles(soup)} if with_capitals else frozenset()
    bold = [each for each in soup.find_all("p") if id(each) in shouted or (is_bold(each) and _leads_text(each))]
    for paragraph in bold:
        paragraph.name = name
    if with_title and not levels and len(bold) > 1 and is_bold(bold[0]) and _names_all(bold[0]):
        bold[0].name = "h1"


def _names_all(heading: Tag) -> bool:
    """Return whether the first heading begins the document, or is the subject of a letter, and has no number."""
    before = [text for each in heading.find_previous_siblings() if (text := words_of(each))]
    is_subject = bool(before) and _SALUTATION.match(before[0]) is not None
    return (not before or is_subject) and _NUMBERED.match(words_of(heading)) is None


def _shouted_titles(soup: Tag) -> list[Tag]:
    """Return the short paragraphs in capitals with a number, or right above prose, a list or a table; none if few."""
    found = [each for each in soup.find_all("p") if _is_shouted(each) and _leads_text(each) and _leads_prose(each)]
    return found if len(found) >= _FEWEST_CAPITALS else []


def _is_shouted(paragraph: Tag) -> bool:
    text = words_of(paragraph)
    if len(text) > _LONGEST_HEADING or not text.isupper() or text[-1] in ".;:,!" or paragraph.find_parent(_BOXES):
        return False
    return _NOTICE.fullmatch(text) is None and sum(map(str.isalpha, text)) >= _FEWEST_LETTERS


def _leads_prose(paragraph: Tag) -> bool:
    behind = paragraph.find_next_sibling()
    if not isinstance(behind, Tag) or behind.name != "p":
        return isinstance(behind, Tag)
    said, mark = words_of(behind), mark_of(words_of(paragraph))
    is_numbered = mark is not None and mark.style != "bullet"
    return (is_numbered or len(said) >= _PROSE) and not said.isupper()


def promote_questions(soup: Tag) -> None:
    """Make headings of paragraphs that are a question in bold, if there are several, a level below their section."""
    _split_questions(soup)
    asks = [each for each in soup.find_all("p") if _is_question(each) and _leads_text(each)]
    if len(asks) < _FEWEST_QUESTIONS:
        return
    found, above = {id(each) for each in asks}, 0
    for element in soup.find_all([*HEADINGS, "p"]):
        if id(element) in found:
            element.name = f"h{min(above + 1, 6)}"
        elif element.name != "p":
            above = int(element.name[1])


def _split_questions(soup: Tag) -> None:
    """Make paragraphs of the lines that are a question in bold above their answer, if there are several questions."""
    lines = [bold for bold in soup.find_all(_BOLD) if _is_question_line(bold)]
    if lines and len(lines) + sum(map(_is_question, soup.find_all("p"))) < _FEWEST_QUESTIONS:
        return
    for bold in lines:
        holder = bold.parent
        if holder is None:
            continue
        before, title = Tag(name=holder.name), Tag(name="p")
        holder.insert_before(before)
        before.extend(list(bold.previous_siblings)[::-1])
        holder.insert_before(title)
        title.append(bold.extract())


def _is_question_line(bold: Tag) -> bool:
    """Return whether bold words are a question on a line of its own, with its answer on the next."""
    if bold.parent is None or bold.parent.name not in _PARAGRAPHS or bold.find_parent(_BOXES):
        return False
    before, behind = next(_shown(bold.previous_siblings), None), next(_shown(bold.next_siblings), None)
    answer = next((each for each in _shown(bold.next_siblings) if each.name != "br"), None)
    is_line = (before is None or before.name == "br") and behind is not None and behind.name == "br"
    if not is_line or answer is None or answer.name in _BOLD:
        return False
    asked = words_of(bold)
    return asked.endswith("?") and len(asked) <= _LONGEST_QUESTION


def _shown(elements: Iterable[PageElement]) -> Iterator[Tag | NavigableString]:
    for each in elements:
        if isinstance(each, Tag) or (isinstance(each, NavigableString) and each.strip()):
            yield each


def _is_question(paragraph: Tag) -> bool:
    return is_bold(paragraph) and words_of(paragraph).endswith("?")


def is_bold(paragraph: Tag) -> bool:
    """Return whether a paragraph is short and bold throughout, and no sentence."""
    text = words_of(paragraph)
    longest = _LONGEST_QUESTION if text.endswith("?") else _LONGEST_HEADING
    if not text or len(text) > longest or text[-1] in ".;," or paragraph.find_parent(_BOXES):
        return False
    return all(
        isinstance(child, Tag) and child.name in _BOLD
        for child in paragraph.children
        if not (isinstance(child, NavigableString) and not child.strip())
        and not (isinstance(child, Tag) and child.name == "a" and not words_of(child))
    )


def _leads_text(paragraph: Tag) -> bool:
    """Return whether what follows is text, a list or a table, and no other bold line or heading."""
    behind = paragraph.find_next_sibling()
    return isinstance(behind, Tag) and behind.name not in HEADINGS and not is_bold(behind)


def words_of(element: Tag) -> str:
    """Return the text of an element on one line."""
    return " ".join(element.get_text().split())
