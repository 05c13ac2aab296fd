"""Stretches of text that answer nothing, however close they are to a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, dropwhile, pairwise

from pipelines.query.extracts.passages.showing import ITEM_MARK

_BLANK = re.compile(r"_{4,}|(?:\.\s?){8,}")
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?…]['\")\]]*\s+")
_ENDED = re.compile(r"(?:\b\w{1,30}[,;:]?\s){3}[\w'\u2019%)]{1,30}[.!]\s")
"""A sentence before something else: a paragraph may end with the farewell of a letter."""
_HEADING_WORDS = 25
_KEPT_TITLES = 1_000
_FAREWELL = re.compile(
    r"(?:(?:with\s+)?(?:best|kind|warm)\s+(?:regards|wishes)|regards|yours\s+\w+|sincerely|cheers|thanks|thank you)"
    r"[,!.]?(?:\s+[^\W\d]\S*){0,4}",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:figure|fig\.?|table|equation|illustration|listing)\s+\d+(?:[.-]\d+)*\b[^\n]*[^.!?]", re.IGNORECASE
)
_POINTER_VERB = r"(?:see|refer\s+to|consult|read|visit|check(?:\s+out)?)"
_ASKS_PAGES = re.compile(
    r"\b(?:where|which|what)\b.*\b(?:articles?|chapters?|details?|docs|document(?:ation|ed|s)?|examples?|guides?|information"
    r"|instructions|links?|manuals?|more|pages?|read|sections?|topics?)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    rf"(?:please\s+|also\s+)?{_POINTER_VERB}\b.*\bfor\s+(?:(?:more|further|additional|the|all|full)\s+)*"
    r"(?:details?|information|examples?|instructions|documentation|how\s+to)\b.*"
    rf"|(?:please\s+|also\s+)?{_POINTER_VERB}\b.*\bto\s+(?:learn|find\s+out|read)\s+(?:more|about|how)\b.*"
    r"|(?:for\s+(?:\w+\s+){0,2}?(?:more|further|additional)\s+(?:\w+\s+){0,3}?"
    r"(?:details?|information|examples?|explanations?|help|hints?|reading)"
    r"|for\s+(?:details|examples?|information|instructions)|to\s+(?:learn|read|find\s+out)\s+more)\b.*"
    rf"[,\s]\s*(?:please\s+|also\s+)?{_POINTER_VERB}\b.*",
    re.IGNORECASE,
)
_LABEL = r"(?:see\s+also|tutorials?|(?:how-to\s+)?guides?|reference|documentation|docs):"
# No word of a link may be a label, and nothing is read twice: else the time would grow exponentially.
_LABELLED = re.compile(rf"(?:{_LABEL}(?:\s+(?!see\s+also|{_LABEL})[^\s.!?]++){{1,8}}+\s*+)++", re.IGNORECASE)
"""Links to other pages behind what they are: "See also: how to sail", "Tutorial: sails"."""
_ALSO = re.compile(r"see\s+also:?\s(?:(?!\bfor\b).)*+\bfor\b.*", re.IGNORECASE)
"""A pointer that a label stands before: "See also: the chart room for all charts"."""
_SEE = re.compile(
    rf"(?:please\s+|also\s+)?{_POINTER_VERB}\s+(?:our|the)\s+(?:[^\s.!?]+\s+){{0,8}}?"
    r"(?:chapters?|docs|documentation|guides?|manual|pages?|reference|sections?|tutorials?)\b[^.!?]{0,160}[.!]?",
    re.IGNORECASE,
)
"""A pointer that names the kind of what it points to: "See the design docs for guidance"."""
_TOLD_ELSEWHERE = re.compile(
    r"[^!?]{1,120}\b(?:is|are)\s+(?:addressed|covered|described|detailed|discussed|documented|explained)\s+"
    r"(?:\w+\s+){0,2}?in\s+(?:(?:an?|the)\s+)?(?:[^\s.!?]+\s+)?(?:appendix|chapters?|documentation|guide|man(?:ual)?(?:\s+pages?)?|sections?)\b[^!?]{0,120}",
    re.IGNORECASE,
)
"""A pointer that is a statement: "The sails are described in Section 2"."""
_TELLS_LATER = re.compile(
    r"the\s+(?:following|next|remaining|subsequent)\s+(?:\w+\s+)?(?:chapters?|examples?|pages?|paragraphs?|sections?)\s+"
    r"(?:also\s+|will\s+){0,2}(?:cover|describe|discuss|explain|give|introduce|list|outline|present|provide|refer|show)s?\b"
    r"[^.!?]{0,200}[.!]?"
    r"|(?:we|you)\s[^.!?]{1,80}\bin\s+the\s+(?:following|next|previous)\s+(?:chapter|page|section)s?[.!]?",
    re.IGNORECASE,
)
"""What the pages behind it tell: "The following sections explain the differences"."""
_TRANSLATIONS = re.compile(
    r"(?:(?:available|other)\s+)?(?:languages?|translations?):\s*[\w-]{2,12}"
    r"(?:\s*[|/,\u00b7]\s*[\w-]{2,12}|\s+[\w-]{2,12})+",
    re.IGNORECASE,
)
"""Links to translations: "Available languages: en | fr"."""
_FEWEST_CHAPTERS = 3
_FEWEST_FIGURES = 20
_FIGURES = 0.7
"""The share of figures among the words of what was a table, or a calendar."""
_INDEX = re.compile(
    r"(?:(?:part|appendix|chapter)\s+\w+\W*)?(?:[\d.]+\s+)?(?:(?:general|subject|keyword|name)\s+)?index|(?:sach)?register"
    r"|stichwortverzeichnis",
    re.IGNORECASE,
)
_PAGE = re.compile(r",\s\d{1,4}\b")
_MANUALS = re.compile(r"(?:[\w.+-]+\(\d\w?\)(?:,\s*|\s+and\s+|\s+)?){2,}[.;]?")
"""Nothing but the names of manual pages: "rope(1), rope-stow(1)"."""

_ELSEWHERE = re.compile(
    r"(?:what['\u2019]?s\s+next|what\s+is\s+next|next\s+steps?|see\s+also|(?:further|additional|more|recommended)\s+reading"
    r"|(?:further|additional|more|external|useful)\s+links"
    r"|related\s+(?:reading|information|links?|resources|topics?|pages?|articles?|documentation|guides?)"
    r"|(?:read|learn)\s+more|where\s+to\s+go(?:\s+(?:next|from\s+here))?)\W*",
    re.IGNORECASE,
)
_NEXT = re.compile(r"(?:what['\u2019]?s\s+next|what\s+is\s+next|next\s+steps?)\W*", re.IGNORECASE)
"""A heading of links to further pages, or of what was agreed to do."""
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:to)?morrow|end\s+of\s+(?:the\s+)?(?:week|month|year)"
    rf"|\d{{1,2}}\.?\s+{_MONTH}|{_MONTH}\s+\d{{1,2}}|(?:by|until|end\s+of)\s+{_MONTH}"
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
    r"|(?:calendar\s+)?(?:week|cw)\s+\d{1,2}"
)
_NAME = r"(?!You\b|We\b|This\b|These\b|It\b)[A-Z][\w'\u2019-]{1,20}(?:\s[A-Z][\w'\u2019-]{1,20}){0,2}"
_TASK = re.compile(
    rf"(?i:\b(?:{_DAY})\b)"
    rf"|^{_NAME}\s(?:(?:will|must|should|has\s+to|is\s+to)\b|[a-z]+s\s+(?:an?|all|her|his|our|some|the|their|two)\b)"
    rf"|(?:[(\[](?!Optional)|\s[\u2013\u2014-]\s){_NAME}(?:[)\],]|$|\s[\u2013\u2014-]\s)"
    r"|\b(?:owner|responsible|due|deadline)\s*:"
)
"""A task of somebody, or one with a day: "Ada orders the chairs", "order chairs by Friday", "order chairs (Ada)"."""
_SENDS = re.compile(
    r"\b(?:see|refer\s+to|read)(?:\s+(?:also|the|these|one|of|any|following|pages?|guides?|links?)){0,5}\s*:$",
    re.IGNORECASE,
)
"""The end of what leads into a list of pages: "For sails see:"."""
PAGES = (
    r"(?:[\w-]+\s+){0,2}?(?:article|chapter|document|example|guide|how-?to|notebook|page|paper|post|recipe|section"
    r"|tutorial)s?"
)
_PAGES_DO = (
    "contain|cover|demonstrate|describe|discusse?|explain|illustrate|list|outline|present|provide|replicate|show|use|walk"
    "|will"
)
_OF_PAGE = re.compile(
    rf"\s*(?:(?:in|for)\s+(?:this|these|the\s+following)\s+{PAGES}\b"
    rf"|(?:this|these)\s+{PAGES}\s+(?:also\s+)?(?:{_PAGES_DO})s?\b"
    r"|let(?:['\u2019]s\s+(?-i:[a-z])|\s+us\b)|(?:finally|first|here|next|now|then),?\s+let\b"
    r"|(?:finally|first,|here|next|now|then),?\s+we\b|we\s+(?:begin|first|generate|import|load|now|start|then)\b)",
    re.IGNORECASE,
)
"""What a page, an example or its author does: "This page shows how to reef", "In this example we reef"."""
_POINTS_ELSEWHERE = re.compile(
    r"\W*(?:learn|read|see|refer\s+to|consult|visit|check\s+out|explore|browse|find\s+out|for\s+(?:more|further)"
    r"|follow\s+the)\b",
    re.IGNORECASE,
)


def is_reading_list(items: Sequence[str], place: Sequence[str], lead_in: str = "") -> bool:
    """Return whether a list names other pages to read: its heading or lead-in says so, or each of its items does.

    Args:
        items: The items, each with its mark.
        place: The title and the headings that they stand under.
        lead_in: What leads into the list.
    """
    heading = place[-1].strip() if place else ""
    if _SENDS.search(lead_in):
        return True
    if _ELSEWHERE.fullmatch(heading):
        return _NEXT.fullmatch(heading) is None or not _are_tasks(items)
    return len(items) > 1 and all(_POINTS_ELSEWHERE.match(item) for item in items)


def _are_tasks(items: Sequence[str]) -> bool:
    """Return whether at least half of the items say who does something, or by when."""
    said = [ITEM_MARK.sub("", item) for item in items]
    return sum(_TASK.search(item) is not None and not _POINTS_ELSEWHERE.match(item) for item in said) * 2 >= len(said)


def is_contents(rows: Sequence[Sequence[str]], headings: Iterable[str]) -> bool:
    """Return whether a table is one of contents: its rows end with a page, and most of them name headings of the text.

    Args:
        rows: The cells of each row.
        headings: The headings of the whole text.
    """
    paged = [_title(" ".join(cells[:-1])) for cells in rows if cells[-1].isdecimal()]
    if len(paged) < _FEWEST_CHAPTERS or len(paged) * 2 <= len(rows):
        return False
    titles = set(map(_title, headings))
    return sum(title in titles for title in paged) * 2 > len(paged)


def is_index(heading: str, text: str) -> bool:
    """Return whether a text is of the index of a book: under such a heading, with the pages of its words."""
    return _INDEX.fullmatch(heading.strip()) is not None and _PAGE.search(text) is not None


def is_filler(shown: str, place: Sequence[str]) -> bool:
    """Return whether prose says nothing of its own: a repeated title, a caption, a greeting or farewell, blanks of a
    form, rows of figures, or nothing but questions and pointers to other pages.

    Args:
        shown: The prose, on one line.
        place: The title and the headings that it stands under.
    """
    words = _words(shown)
    return (
        any(words == _title_words(above) for above in place)
        or (shown.endswith(",") and _ENDED.search(shown) is None)
        or (len(words) <= _HEADING_WORDS and _CAPTION.fullmatch(shown) is not None)
        or _FAREWELL.fullmatch(shown) is not None
        or (shown.isupper() and len(words) <= _HEADING_WORDS and shown[-1] not in ".!?")
        or _BLANK.search(shown) is not None
        or _MANUALS.fullmatch(shown) is not None
        or _LABELLED.fullmatch(shown) is not None
        or _TRANSLATIONS.fullmatch(shown) is not None
        or (len(words) >= _FEWEST_FIGURES and sum(map(str.isdigit, words)) >= _FIGURES * len(words))
        or all(one.rstrip("\"')]").endswith("?") or _points(one) for one in _sentences(shown))
    )


def speaks_of_page(paragraph: str) -> bool:
    """Return whether prose begins with what a page, an example or its author does, and not with a thing."""
    return _OF_PAGE.match(paragraph) is not None


def asks_for_pages(question: str) -> bool:
    """Return whether it may be asked where more is written."""
    return _ASKS_PAGES.search(question) is not None


def points_elsewhere(shown: str) -> bool:
    """Return whether prose, or an item with its mark, is nothing but pointers to other pages."""
    return all(map(_points, _sentences(ITEM_MARK.sub("", shown))))


def _points(sentence: str) -> bool:
    return any(pointer.fullmatch(sentence) for pointer in (_POINTER, _ALSO, _SEE, _TOLD_ELSEWHERE, _TELLS_LATER))


def _sentences(shown: str) -> Iterator[str]:
    ends = chain((0,), (end.end() for end in _SENTENCE_END.finditer(shown)), (len(shown),))
    return (sentence for start, end in pairwise(ends) if (sentence := shown[start:end].strip()))


def _title(text: str) -> str:
    """Return the words of a heading without its number."""
    return " ".join(dropwhile(str.isdecimal, _words(text)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


@lru_cache(_KEPT_TITLES)
def _title_words(title: str) -> list[str]:
    """Return the words of a title or heading, which many passages stand under; not to be changed."""
    return _words(title)
