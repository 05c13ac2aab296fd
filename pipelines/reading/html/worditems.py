"""Items of lists as Word and Outlook write them in HTML: paragraphs that hold their own marks."""

from __future__ import annotations

import re
from typing import NamedTuple

from bs4 import Tag

from pipelines.reading.html.words import inline_text, tidy_line

_LEVEL = re.compile(r"mso-list:\s{0,9}\w{1,40}\s{1,9}level([1-9])")
_IGNORED = re.compile(r"mso-list:\s{0,9}Ignore", re.IGNORECASE)
_NUMBER = re.compile(r"\(?\w{1,8}(?:\.\w{1,8}){0,8}[.)]")


class WordItem(NamedTuple):
    """An item: its depth from 1, its sign, and its words."""

    depth: int
    sign: str
    text: str


def word_item(element: Tag) -> WordItem | None:
    """Return the item that a paragraph is; None if it is none."""
    found = _LEVEL.search(str(element.get("style") or ""))
    mark = element.find("span", style=_IGNORED) if found else None
    if found is None or not isinstance(mark, Tag):
        return None
    sign = tidy_line(inline_text(mark.extract()))
    return WordItem(int(found[1]), sign if _NUMBER.fullmatch(sign) else "-", tidy_line(inline_text(element)))
