"""Facets: which values the documents have, field by field and down the hierarchy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipelines.filters.facts import DescribedMetadata
from pipelines.profile.levels import Levels, levels_of
from pipelines.profile.sections.documents import MetadataField, MetadataSection
from pipelines.types import FacetField, FacetPlace, Facets, FacetValue, Metadata

_BUILT_IN = ("folder", "extension", "language")
"""The built-in fields that many documents share values of; the others tell every document from the next."""


class _Node:
    """A place while it is counted."""

    def __init__(self) -> None:
        self.documents = self.own = 0
        self.below: dict[tuple[str, str], _Node] = {}


class _Tally:
    """Counts the documents by a field's values; ``fold``: whatever the letter case, as filters take them."""

    def __init__(self, *, fold: bool = False) -> None:
        self._fold = fold
        self._documents = Counter[str]()
        self._spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def __len__(self) -> int:
        return len(self._documents)

    def add(self, value: Any) -> None:
        """Count one document."""
        texts = _values(value)
        if not self._fold:
            self._documents.update(texts)
            return
        self._documents.update({text.casefold() for text in texts})
        for text in texts:
            self._spellings[text.casefold()][text] += 1

    def ranked(self) -> list[tuple[str, int]]:
        """Return the values, each in its most frequent spelling, and how many documents have them; these first."""
        named = ((self._spelled(value), documents) for value, documents in self._documents.items())
        return sorted(named, key=_by_count)

    def _spelled(self, value: str) -> str:
        return min(self._spellings[value].items(), key=_by_count)[0] if self._fold else value


def _by_count(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def count_facets(documents: Iterable[DescribedMetadata], section: MetadataSection, most: int, snapshot: int) -> Facets:
    """Return the facets of ``documents``, with at most ``most`` values of a field and places under a place.

    Built-in fields are counted too, where the documents have values of them; a declared field takes their place.
    """
    levels = levels_of(section)
    counts = {name: _Tally(fold=field.ignore_case) for name, field in section.fields.items() if _is_counted(field)}
    built_in = {name: _Tally() for name in _BUILT_IN if name not in section.fields}
    total, top = 0, _Node()
    for metadata in documents:
        total += 1
        _count(counts, metadata)
        _count(built_in, {name: value for name, value in metadata.facts.items() if value != ""})
        if levels is not None:
            _place(top, metadata, levels)
    counts |= {name: tally for name, tally in built_in.items() if len(tally)}
    fields = {name: _field(tally, most) for name, tally in counts.items()}
    return Facets(total, fields, _facet(None, None, top, most) if levels is not None else None, snapshot)


def _count(counts: Mapping[str, _Tally], values: Metadata) -> None:
    for name, tally in counts.items():
        tally.add(values.get(name))


def values_of(documents: Iterable[Metadata], field: str) -> set[str]:
    """Return every value that ``documents`` have in a keyword field."""
    return {value for metadata in documents for value in _values(metadata.get(field))}


def _is_counted(field: MetadataField) -> bool:
    return field.type in ("keyword", "keywords") and field.source == "document"


def _values(value: Any) -> set[str]:
    """Return the texts that a document has in a field; those of an earlier profile may be something else."""
    return {text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)}


def _field(tally: _Tally, most: int) -> FacetField:
    ranked = tally.ranked()
    return FacetField(tuple(FacetValue(*item) for item in ranked[:most]), max(len(ranked) - most, 0))


def _place(top: _Node, metadata: Metadata, levels: Levels) -> None:
    """Count a document at every place on the way to its own; one without a level has no place."""
    if levels.of(metadata) is None:
        return
    node = top
    node.documents += 1
    for step in _steps(metadata, levels):
        node = node.below.setdefault(step, _Node())
        node.documents += 1
    node.own += 1


def _steps(metadata: Metadata, levels: Levels) -> Iterator[tuple[str, str]]:
    """The fields and values that lead to a document; fields below its level do not place it."""
    level = levels.of(metadata)
    for name in (*level.above, level.field) if level is not None else ():
        if name is not None and isinstance(value := metadata.get(name), str):
            yield name, value


def _facet(field: str | None, value: str | None, node: _Node, most: int) -> FacetPlace:
    ranked = sorted(node.below.items(), key=lambda item: (-item[1].documents, item[0]))
    below = tuple(_facet(*step, under, most) for step, under in ranked[:most])
    return FacetPlace(field, value, node.documents, node.own, below, max(len(ranked) - most, 0))
