"""Finds the sections that a question names: under "What is a PEP?", or under the setting that is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipelines.query.extracts.coverage import Terms
from pipelines.query.extracts.passages import Passage
from pipelines.query.question_types import identifiers
from pipelines.types import Hit, Span, StoredText

_WORD = re.compile(r"[^\W_]{3,}")
_STEM = 4
_READ = 1_500
"""Characters of a section that are read: what a thing is stands at its beginning."""


class NamedSections:
    """The headings that say what a question asks about, and no more.

    Args:
        question: The question.
        terms: The terms of a text.
    """

    def __init__(self, question: str, terms: Terms) -> None:
        self._terms = terms
        self._asked = terms(question)
        self._identifiers = frozenset(one.lower() for one in identifiers(question))
        self._stems = tuple(word[:_STEM].lower() for word in _WORD.findall(question))

    def names(self, heading: str) -> bool:
        """Return whether a heading has exactly the terms of the question, or is an identifier that stands in it."""
        if heading.lower().strip(" `()") in self._identifiers:
            return True
        lowered = heading.lower()
        return any(stem in lowered for stem in self._stems) and self._terms(heading) == self._asked

    def holds(self, passage: Passage) -> bool:
        """Return whether a passage stands right below such a heading."""
        return bool(passage.headings) and self.names(passage.headings[-1])

    def spans(self, stored: StoredText) -> Iterator[Span]:
        """Return the beginnings of such sections of a text."""
        starts = [heading.start for heading in stored.headings]
        for heading, end in zip(stored.headings, [*starts[1:], len(stored.text)], strict=False):
            if self.names(heading.title):
                yield Span(heading.start, min(end, heading.start + _READ))


def with_sections(
    sections: NamedSections, hits: Sequence[Hit], texts: Sequence[StoredText | None]
) -> tuple[list[Hit], list[StoredText | None]]:
    """Return hits and their texts, and behind them the named sections of the documents that were found."""
    documents = {(hit.document_id, hit.version): (hit, stored) for hit, stored in zip(hits, texts, strict=True)}
    further = [
        (replace(hit, span=span), stored)
        for hit, stored in documents.values()
        if stored is not None
        for span in sections.spans(stored)
    ]
    return [*hits, *(hit for hit, _ in further)], [*texts, *(stored for _, stored in further)]
