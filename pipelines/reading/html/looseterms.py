"""Terms and definitions that are written as lists of one item, each followed by a paragraph that describes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bs4 import Tag
from bs4.element import NavigableString, PageElement, PreformattedString

from pipelines.reading.html.words import BLOCKS, tidy_line

_LONGEST_TERM = 80
_MOST_WORDS = 8
_LEAST_PAIRS = 2
_NO_NAME = BLOCKS | {"br", "img"}
"""What a name of one line does not hold."""
_OPTION = re.compile(r"--?\w")
_SENTENCE_END = re.compile(r"[.:;,!?]$")

_Pair = tuple[Tag, Tag]


def gather_terms(root: Tag) -> None:
    """Make definition lists of names that alternate with their descriptions.

    A name is the item of a bulleted list of one item, or an option such as "-q, --quiet" as a paragraph: programs
    write manual pages so. A single pair stays as it is, since it may be a list and the text behind it.
    """
    names = [element for element in root.find_all(["ul", "p"]) if _is_name(element)]
    parents = {id(name.parent): name.parent for name in names}
    for parent in filter(None, parents.values()):
        for pairs in list(_runs(list(filter(_is_shown, parent.children)))):
            _gather(pairs)


def _runs(shown: Sequence[PageElement]) -> Iterator[list[_Pair]]:
    """Yield the pairs of a name and its description that follow one another."""
    run: list[_Pair] = []
    at = 0
    while at < len(shown):
        pair = _pair(shown[at : at + 2])
        if pair is None:
            yield run
            run = []
        else:
            run.append(pair)
        at += 1 if pair is None else 2
    yield run


def _pair(shown: Sequence[PageElement]) -> _Pair | None:
    name, description = shown[0], shown[-1]
    if not isinstance(name, Tag) or not isinstance(description, Tag):
        return None
    return (name, description) if _is_name(name) and _is_description(description) else None


def _is_shown(child: PageElement) -> bool:
    return not isinstance(child, PreformattedString) and not (isinstance(child, NavigableString) and not child.strip())


def _is_name(element: Tag) -> bool:
    """Return whether an element is a bulleted list of one short item, or a paragraph of one option."""
    items = element.find_all(recursive=False) if element.name == "ul" else []
    holder = _paragraph(items[0]) if len(items) == 1 and items[0].name == "li" else element
    if holder.name not in ("li", "p") or any(
        isinstance(each, Tag) and each.name in _NO_NAME for each in holder.descendants
    ):
        return False
    text = tidy_line(holder.get_text())
    is_short = 0 < len(text) <= _LONGEST_TERM and len(text.split()) <= _MOST_WORDS and not _SENTENCE_END.search(text)
    return is_short and (element.name == "ul" or _OPTION.match(text) is not None)


def _paragraph(item: Tag) -> Tag:
    """Return the one paragraph that an item holds, else the item."""
    shown = list(filter(_is_shown, item.children))
    return shown[0] if len(shown) == 1 and isinstance(shown[0], Tag) and shown[0].name == "p" else item


def _is_description(element: Tag) -> bool:
    """Return whether an element describes the name above it: words that lead into a list do not."""
    return (
        element.name in ("p", "blockquote")
        and not _is_name(element)
        and element.get_text().rstrip()[-1:] not in ("", ":")
    )


def _gather(pairs: Sequence[_Pair]) -> None:
    if len(pairs) < _LEAST_PAIRS:
        return
    terms = Tag(name="dl")
    pairs[0][0].insert_before(terms)
    for name, description in pairs:
        for item in name.find_all(["li", "p"]):
            item.unwrap()
        name.name, description.name = "dt", "dd"
        terms.extend([name, description])
