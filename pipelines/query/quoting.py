"""How an extract is quoted: whole sentences, and what a list item or a table row needs to be understood.

The quote is always one stretch of the stored text, verbatim; what is shown of it is a line of prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pipelines.components.sentences import sentence_spans
from pipelines.query.citations import citing_nothing
from pipelines.query.extractive import Extract
from pipelines.types import Span, StoredText

_REACH = 600
"""Characters that are looked through for the rest of a sentence, and that a quote may grow by."""
_LIST_MARK = re.compile(r"^(?:[-*+•‣]|\d{1,3}[.)])\s+")
_MARKUP = re.compile(r"\*\*|__|`")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_WHOLE = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019)\]*_]*$")


@dataclass(frozen=True, slots=True)
class Quoted:
    """An extract as it is quoted: the quote, its span in the version's text, and what of it the answer shows.

    ``stored`` is that text; None where it was deleted since.
    """

    extract: Extract
    stored: StoredText | None
    quote: str
    span: Span
    shown: str


def quoted(extract: Extract, stored: StoredText | None) -> Quoted:
    """How ``extract`` is quoted; of a text that was deleted since, as it stands in its hit."""
    if stored is None:
        return Quoted(extract, None, extract.text, extract.span, readable(extract.text))
    text = stored.text
    span = _completed(extract, text)
    said = text[span.start : span.end]
    if _ROW.match(said):
        return Quoted(extract, stored, said, span, _row(said, _columns(text, span.start)))
    lead_in = _lead_in(text, span) if _LIST_MARK.match(said) and not _WHOLE.search(said) else None
    if lead_in is None:
        return Quoted(extract, stored, said, span, readable(said))
    whole = Span(lead_in.start, span.end)
    shown = f"{readable(text[lead_in.start : lead_in.end])} {readable(said)}"
    return Quoted(extract, stored, text[whole.start : whole.end], whole, shown)


def without_repetition(quotes: Iterable[Quoted]) -> list[Quoted]:
    """The quotes without those that share text with, or are shown as, one before them."""
    kept: list[Quoted] = []
    for one in quotes:
        if not any(_overlap(one, other) or one.shown in other.shown for other in kept):
            kept.append(one)
    return kept


def readable(quote: str) -> str:
    """A quote as it stands in an answer: one line, without Markdown's marks and what seems to be a footnote."""
    return citing_nothing(_MARKUP.sub("", _LINK.sub(r"\1", _LIST_MARK.sub("", " ".join(quote.split())))))


def _overlap(one: Quoted, other: Quoted) -> bool:
    mine, theirs = one.extract.hit, other.extract.hit
    if (mine.document_id, mine.version) != (theirs.document_id, theirs.version):
        return False
    return one.span.start < other.span.end and other.span.start < one.span.end


def _completed(extract: Extract, text: str) -> Span:
    """The extract's span; where it stands at an edge of its chunk, that of the sentence it may be a part of."""
    span, edge = extract.span, extract.hit.span
    if span.start > edge.start and span.end < edge.end:
        return span
    start, end = max(span.start - _REACH, 0), min(span.end + _REACH, len(text))
    around = [(low, high) for low, high in sentence_spans(text, start, end) if low < span.end and high > span.start]
    if not around:
        return span
    low, high = around[0][0], around[-1][1]
    # A sentence that reaches out of what was looked through has no known end there.
    first = low if low > start or start == 0 else span.start
    last = high if high < end or end == len(text) else span.end
    return Span(min(first, span.start), max(last, span.end))


def _lead_in(text: str, item: Span) -> Span | None:
    """The sentence with a colon that a list begins with, if it stands near above the item."""
    start = max(item.start - _REACH, 0)
    above = [(low, high) for low, high in sentence_spans(text, start, item.start) if low > start or start == 0]
    for low, high in reversed(above):
        said = text[low:high]
        if said.endswith(":") and not said.startswith("#"):
            return Span(low, high)
        if not _LIST_MARK.match(said) and not text[max(low - 2, 0) : low].isspace():
            return None
    return None


def _columns(text: str, start: int) -> list[str]:
    """The names of the columns of the table that a row stands in; none where it has no head."""
    lines = text[:start].splitlines()
    while lines and _ROW.match(lines[-1]):
        line = lines.pop()
        if _RULE.match(line):
            return _cells(lines[-1]) if lines and _ROW.match(lines[-1]) else []
    return []


def _row(row: str, columns: list[str]) -> str:
    """A table row as prose: each cell with the name of its column."""
    cells = _cells(row)
    names = columns if len(columns) == len(cells) else [""] * len(cells)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=True) if cell)


def _cells(row: str) -> list[str]:
    return [readable(cell.replace("\\|", "|")) for cell in _CELL_EDGE.split(row.strip())[1:-1]]
