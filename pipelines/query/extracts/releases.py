"""Headings that say when a version came out: "2.1.0 - 2024-05-17" for "When was 2.1.0 released?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipelines.components.extractors.headings import Outline
from pipelines.query.extracts.passages import Passage
from pipelines.query.question_types import names_new
from pipelines.query.verdicts.names import names, unknown
from pipelines.types import Hit, Span, StoredText

_ASKS = re.compile(
    r"\b(?:when|(?:what|which)\s+(?:date|day|month|year))\b.*\b(?:released?|published|shipped|launched|out|available"
    r"|release\s+date)\b"
    r"|\brelease\s+date\b",
    re.IGNORECASE,
)
_VERSION = re.compile(r"(?<![\d.])\d+(?:\.\d+)+(?:-?(?:alpha|beta|rc|[ab])\.?\d+)?(?!\.?\d)", re.IGNORECASE)


def release_headings(question: str, hits: Sequence[Hit], texts: Sequence[StoredText | None]) -> Sequence[Passage]:
    """Return the headings with a date and the version that a question asks the release of.

    All headings of the texts are looked at: the hits may be other versions' sections. If the question names a product,
    headings of texts that name it too are preferred.
    """
    versions = _VERSION.findall(question) if _ASKS.search(question) else []
    if len(versions) != 1:
        return ()
    found = list(_of_texts(question, versions[0].lower(), hits, texts))
    named = [one for one in found if not unknown(names(question), " ".join((one.hit.source, one.in_context)))]
    return named or found


def _of_texts(
    question: str, version: str, hits: Sequence[Hit], texts: Sequence[StoredText | None]
) -> Iterator[Passage]:
    seen: set[tuple[str, int]] = set()
    for hit, stored in zip(hits, texts, strict=True):
        if stored is not None and (hit.document_id, hit.version) not in seen:
            seen.add((hit.document_id, hit.version))
            yield from _of_text(question, version, hit, stored)


def _of_text(question: str, version: str, hit: Hit, stored: StoredText) -> Iterator[Passage]:
    for block in stored.blocks:
        if block.kind != "heading":
            continue
        shown = " ".join(stored.text[block.span.start : block.span.end].split())
        if version in map(str.lower, _VERSION.findall(shown)) and names_new("date", shown, question):
            path = Outline(stored.headings).path(block.span.start)[:-1]
            span = Span(block.span.start, block.span.end)
            yield Passage(hit, "sentences", span, shown, path, stored, span.start, computed_for=question)
