"""Short footnotes of pages and Word documents, put where they are referred to: an exception belongs to its rule."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from bs4 import BeautifulSoup, Tag

from pipelines.reading.html.words import inline_text, tidy_line

_MOST_WORDS = 30
_LONGEST = 300  # characters
_MOST_REFERENCES = 20
"""A note that a page refers to more often stays where it is, so that it does not grow without end."""
_MARKS = 5
"""The characters of a reference: a number or a sign, perhaps in brackets."""
_NOTES = ["li", "p", "div", "aside"]
_PARAGRAPHS = "p, li, div, ul, ol, table, pre, dl"
_OF_SOURCES = ("cite", "ref", "bib")
"""What the names of notes begin with that are the sources of an article."""


def place_short_notes(soup: BeautifulSoup) -> None:
    """Put short notes in parentheses at their references; others stay, also those that only titles refer to.

    A note is an element of a few words with a link back to its reference.
    """
    references: dict[str, list[Tag]] = {}
    for link in soup.find_all("a", href=_is_within_page):
        if _is_mark(link):
            references.setdefault(str(link["href"])[1:], []).append(link)
    if not references:
        return
    notes = {str(note["id"]): note for note in reversed(soup.find_all(_NOTES, id=True))}
    for name, links in references.items():
        if name in notes and len(links) <= _MOST_REFERENCES and not notes[name].find_parent("table"):
            _place(notes[name], links)


def _is_within_page(address: str | None) -> bool:
    return address is not None and address[:1] == "#" and not address[1:].lower().startswith(_OF_SOURCES)


def _is_mark(link: Tag) -> bool:
    """Return whether a link is the raised sign of a note, in a line that is no title."""
    is_raised = link.find_parent("sup") is not None or link.find("sup") is not None
    is_short = 0 < len(link.get_text(strip=True)) <= _MARKS
    return is_raised and is_short and link.find_parent(["h1", "h2", "h3", "h4", "h5", "h6"]) is None


def _place(note: Tag, links: list[Tag]) -> None:
    back = list(_links_back(note, links))
    if not back or any(note in link.parents for link in links):
        return
    text = _text(note, back)
    if not text:
        return
    for link in links:
        raised = link.find_parent("sup") or link
        raised.replace_with(f" ({text})")
    holder = note.parent
    note.decompose()
    if holder is not None and holder.name in ("ol", "ul") and next(holder.stripped_strings, None) is None:
        holder.decompose()


def _links_back(note: Tag, links: list[Tag]) -> Iterator[Tag]:
    """Yield the links of a note to its references, or to the elements around them."""
    around = (each for link in links for each in (link, link.parent, link.find("sup")))
    names = {f"#{each['id']}" for each in around if isinstance(each, Tag) and each.get("id")}
    yield from (link for link in note.find_all("a", href=True) if link["href"] in names)


def _text(note: Tag, back: list[Tag]) -> str:
    """Return the words of a short note; empty where it is long, or is not one paragraph."""
    if len(note.select(_PARAGRAPHS)) > 1:
        return ""
    text = tidy_line(inline_text(_without(note, back))).replace("\n", " ")
    is_short = len(text) <= _LONGEST and len(text.split()) <= _MOST_WORDS
    return text.removesuffix(".") if is_short else ""


def _without(note: Tag, back: list[Tag]) -> Tag:
    """Return a copy of a note without its links back and the number that is one of them."""
    copied = copy(note)
    addresses = {str(link["href"]) for link in back}
    for link in copied.find_all("a", href=addresses.__contains__):
        (link.find_parent("sup") or link).decompose()
    return copied
