"""The title that people see on the first page of a PDF that states none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from pipelines.reading.pdf.lines import Line
from pipelines.reading.pdf.words import Vocabulary

_LARGER = 1.2  # than most of the text
_SAME_SIZE = 0.06
_RIVAL = 0.86  # of the size of the largest: a slogan or a name may be the larger one
_MOST_LINES = 3
_SHORTEST, _LONGEST = 6, 150  # characters
_FEWEST_WORDS, _MOST_WORDS = 2, 22
_MOST_ABOVE = 200  # characters: an address, a date, the name of a series
_WIDEST_STEP = 1.9  # of the size, between the lines of a title
_NEAR = 3  # lines below a name that may be an address
_SIGNS = re.compile(r"[*∗†‡§¹²³]+(?=\s|$)")
_ENDS = re.compile(r"[.,;:?!]$|\b(?:a|an|and|at|by|for|from|in|of|on|or|the|to|with)$", re.IGNORECASE)
_QUESTION = re.compile(r"^(?:are|can|do|how|is|should|what|when|where|which|who|why)\b.*\?$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[IVX]{1,5}[.)]?|[A-Z][.)]|§)\s|(?:annex|appendix|article|chapter|part|section|slide"
    r"|step|module|lesson|unit|table|figure)\s+(?:\d|[IVX]+\b|one\b|two\b|three\b)",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:table of contents|list of (?:figures|tables)|executive summary|dear|to whom|hello|page)\b", re.IGNORECASE
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"(?:\w{{3,9}}day,? )?(?:\d{{1,2}}\.? )?{_MONTH}(?: \d{{1,2}})?,? \d{{4}}|[\d\s./:-]+", re.IGNORECASE
)
_FIRM = re.compile(
    r"\b(?:AG|B\.?V\.?|Co\.|Corp\.?|Corporation|GmbH|Inc\.?|Incorporated|KG|LLC|LLP|Limited|Ltd\.?|N\.?V\.?|Oy"
    r"|P\.?L\.?C\.?|plc|Pty|S\.?A\.?|S\.?r\.?l\.?|S\.?p\.?A\.?)$"
)
_CONTACT = re.compile(
    r"\b(?:tel|phone|telephone|fax|e-?mail)\b|www\.|https?://|\S@\S|^P\.?\s?O\.? Box|\d\s?(?:\u00b7|\u2022|\|)| \d{5}\b"
    r"|^\d{1,5}[A-Za-z]? (?:[A-Z][\w.'’-]+ ){1,4}"
    r"(?:Ave|Avenue|Blvd|Boulevard|Court|Drive|Lane|Place|Quay|Rd|Road|Square|St|Street|Way)\b"
    r"|\b(?:Street|Road|Avenue|straße|strasse|str\.) \d",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?:dear|to whom it may concern|sehr geehrte|yours (?:sincerely|faithfully))\b", re.IGNORECASE)
_PERIODICAL = re.compile(r"\b(?:vol(?:ume|\.)?|issue)\s?\d|(?:^|[^\w\s]\s?)(?:no|nr)\.\s?\d|\bISSN\b", re.IGNORECASE)


def shown_title(first: Sequence[Line], later: Iterable[Line], size: float, vocabulary: Vocabulary) -> str | None:
    """Return the largest line at the top of the first page; None where that may be something else.

    It is not the name of a firm or of a periodical, a date, the title of a section, or a word alone. The pages of
    letters have none.

    Args:
        first: The lines of the first page, in the order of reading.
        later: The lines of the other pages.
        size: That of most letters of the document.
        vocabulary: The words of the document.
    """
    worded = [line for line in first if any(map(str.isalpha, line.text))]
    if not worded or any(_LETTER.match(line.text) for line in worded):
        return None
    largest = max(line.size for line in worded)
    at = next(place for place, line in enumerate(worded) if _is_of_size(line, largest))
    chosen = _lines_from(worded[at:], largest)
    rest = [*worded[:at], *worded[at + len(chosen) :]]
    if largest < _LARGER * size or sum(len(line.text) for line in worded[:at]) > _MOST_ABOVE:
        return None
    if any(_rivals(line, largest, size) for line in rest) or _stands_among_equals(rest, later, largest, size):
        return None
    text = _joined(chosen, vocabulary)
    below = worded[at + len(chosen) :][:_NEAR]
    return text if text and _is_title(text) and not _is_name(text, [*worded[:at], *below]) else None


def _is_of_size(line: Line, size: float) -> bool:
    return line.size >= (1 - _SAME_SIZE) * size


def _rivals(line: Line, largest: float, size: float) -> bool:
    """Return whether a line is nearly as large as the largest, and larger than the text."""
    return line.size >= _RIVAL * largest and line.size >= _LARGER * size


def _lines_from(lines: Sequence[Line], size: float) -> list[Line]:
    """Return the lines of the title that begins with the first."""
    chosen = list(lines[:1])
    for line in takewhile(lambda line: _is_of_size(line, size), lines[1:]):
        if not 0 < line.y - chosen[-1].y <= _WIDEST_STEP * size:
            break
        chosen.append(line)
    return chosen


def _stands_among_equals(rest: Sequence[Line], later: Iterable[Line], largest: float, size: float) -> bool:
    """Return whether other pages have lines as large, below a first page with text: those are titles of sections."""
    has_text = sum(len(line.text) for line in rest if line.size < _LARGER * size) > _MOST_ABOVE
    return has_text and any(_is_of_size(line, largest) for line in later)


def _joined(lines: Sequence[Line], vocabulary: Vocabulary) -> str:
    """Return the text of lines without the mark of a note; none if its letters are of several sizes or far apart."""
    if len(lines) > _MOST_LINES or any(len(line.pieces) > 1 for line in lines):
        return ""
    words = [word for line in lines for word in line.words if not _SIGNS.fullmatch(word.text)]
    if not words or max(word.size for word in words) * (1 - _SAME_SIZE) > min(word.size for word in words):
        return ""
    text = lines[0].text
    for line in lines[1:]:
        text = vocabulary.join(text, line.text)
    return _SIGNS.sub("", text).strip()


def _is_title(text: str) -> bool:
    """Return whether a text may be the title of a document, by its words."""
    words = [word for word in text.split() if sum(map(str.isalpha, word)) > 1]
    if not (_SHORTEST <= len(text) <= _LONGEST and _FEWEST_WORDS <= len(words) <= _MOST_WORDS):
        return False
    if not text.isprintable() or len(words) * 2 < len(text.split()) or text[0].islower():
        return False
    if _ENDS.search(text) and not _QUESTION.match(text):
        return False
    return not (_NUMBERED.match(text) or _PART.match(text) or _DATE.fullmatch(text))


def _is_name(text: str, near: Sequence[Line]) -> bool:
    """Return whether a text names who wrote, or a periodical: an address, or its number, stands beside it."""
    return _FIRM.search(text) is not None or any(
        _CONTACT.search(line.text) or _PERIODICAL.search(line.text) for line in near
    )
