"""Similar extracts from several years, sheets or editions: label each with its edition, and put the newest first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, zip_longest
from pathlib import PurePosixPath

from pipelines.query.citations import without_citations
from pipelines.query.extracts.chosen import Chosen
from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.language.definitions import bare_heading
from pipelines.query.extracts.passages.cards import named
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.question_types import question_kind
from pipelines.reading.names import stem_of

_WORD = re.compile(r"[^\W\d_]+")
_ITEM = re.compile(r"(?:[-*\u2022]|\d{1,3}[.)])\s")
_FIGURE = re.compile(r"\d+")
_ALIKE = 0.6
"""The share of common words from which two texts count as similar."""
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:[-_.]?(0[1-9]|1[0-2])(?:[-_.]?([0-2]\d|3[01]))?)?(?!\d)")
_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = _MONTH_NAMES.split()
_OUTDATED = re.compile(
    r"(?<![^\W_])(?:archived?|deprecated|drafts?|expired|former|obsolete|old|outdated|previous|superseded|withdrawn)(?![^\W_])",
    re.IGNORECASE,
)
_ASKS_EARLIER = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:earlier|first|former(?:ly)?|last|old|original(?:ly)?|previous(?:ly)?|used\s+to|was|were|did)\b",
    re.IGNORECASE,
)
"""A question that may mean an older edition."""


def newest_first(question: str, chosen: Sequence[Chosen]) -> list[Chosen]:
    """Return the chosen candidates, the newest of similar ones first, unless the question may mean an older one."""
    found = list(chosen)
    if may_mean_earlier(question):
        return found
    for first, second in combinations(range(len(found)), 2):
        one, other = found[first], found[second]
        labels = _labels((one[0].passage, one[2]), (other[0].passage, other[2]), question)
        if labels is not None and _age(labels[1]) > _age(labels[0]):
            found[first], found[second] = other, one
    return found


def may_mean_earlier(question: str) -> bool:
    """Return whether a question may mean an older edition than the newest."""
    return _ASKS_EARLIER.search(question) is not None


def told_apart(question: str, chosen: Sequence[Chosen], extracts: Sequence[Extract]) -> list[Extract]:
    """Return the extracts of the chosen candidates; similar ones begin with the label of their edition."""
    told: dict[int, str] = {}
    for (first, one), (second, other) in combinations(enumerate(chosen), 2):
        labels = _labels((one[0].passage, one[2]), (other[0].passage, other[2]), question)
        for at, label in zip((first, second), labels or (), strict=False):
            told.setdefault(at, label)
    return [behind(told.get(at, ""), extract) for at, extract in enumerate(extracts)]


def behind(label: str, extract: Extract) -> Extract:
    """Return an extract that begins with a label, unless it has that already."""
    if not label or label.lower() in extract.shown.lower():
        return extract
    return replace(extract, shown=named(label, extract.shown, "\n" if _is_listed(extract.shown) else " "))


def _is_listed(shown: str) -> bool:
    return "\n" in shown or _ITEM.match(shown) is not None


def _labels(one: tuple[Passage, str], other: tuple[Passage, str], question: str) -> tuple[str, str] | None:
    """Return the labels of two similar stretches with different figures; None if they are not similar."""
    passages, shown = (one[0], other[0]), (one[1], other[1])
    if any(passage.kind == "code" or passage.computed_for for passage in passages):
        return None
    if not _are_alike(*shown) and not (question_kind(question) is not None and _are_of_series(*passages)):
        return None
    labels = _of_documents(*passages) if not passages[0].is_of_text(passages[1]) else _of_sections(*passages)
    return labels if all(labels) and labels[0] != labels[1] else None


def _are_alike(one: str, other: str) -> bool:
    """Return whether two texts have nearly the same words, and other figures."""
    words = [frozenset(_WORD.findall(text.lower())) for text in (one, other)]
    both, all_words = words[0] & words[1], words[0] | words[1]
    return len(both) >= _ALIKE * len(all_words) > 0 and _FIGURE.findall(one) != _FIGURE.findall(other)


def _are_of_series(one: Passage, other: Passage) -> bool:
    """Return whether two passages are of sections of one name in documents of one title, such as minutes."""
    if one.hit.document_id == other.hit.document_id or not one.headings or not other.headings:
        return False
    sections = [bare_heading(passage.headings[-1]).lower() for passage in (one, other)]
    return sections[0] == sections[1] and one.hit.title == other.hit.title


def _of_documents(one: Passage, other: Passage) -> tuple[str, str]:
    if one.hit.title != other.hit.title:
        return without_citations(one.hit.title), without_citations(other.hit.title)
    return _file_name(one), _file_name(other)


def _of_sections(one: Passage, other: Passage) -> tuple[str, str]:
    """Return the outermost headings that differ; two empty ones where none do."""
    pairs = zip_longest(one.headings, other.headings, fillvalue="")
    first, second = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    return without_citations(first), without_citations(second)


def _file_name(passage: Passage) -> str:
    return stem_of(PurePosixPath(passage.hit.source).name)


def _age(label: str) -> tuple[bool, tuple[int, ...]]:
    """Return a sort key for labels: outdated ones first, then by date."""
    dates = [tuple(int(part or 0) for part in found) for found in _YEAR.findall(label)]
    months = [_MONTHS.index(word) + 1 for word in _WORD.findall(label.lower()) if word in _MONTHS]
    date = max(dates, default=(0, 0, 0))
    return _OUTDATED.search(label) is None, date if date[1] or not months else (date[0], months[-1], 0)
