"""Finds the sections that a question names side by side: "What is the difference between a lug and a gaff?".

Where each of two things has a section of its own, the beginnings of both say what each is; one alone compares nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from pipelines.components.extractors.headings import Outline
from pipelines.components.sentences import word_count
from pipelines.query.extracts.language.definitions import bare_heading
from pipelines.query.extracts.passages.outlines import families
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.releases import texts_once
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.passages.windows import sentences_in
from pipelines.query.extracts.tables.compared import COMPARING, name_in_words, side_by_side
from pipelines.query.extracts.tables.row_cells import ASKING
from pipelines.query.question_types import question_form
from pipelines.query.terms import Terms
from pipelines.types import Heading, Hit, Span, StoredText

_MOST = 3
_MOST_WORDS = 45
"""Of the beginning of a section; its first sentence is shown whole."""
_LEAST_WORDS = 4
_LEADS = re.compile(r"\bfollow(?:ing|s)\b|:$", re.IGNORECASE)
"""What only leads into what stands below it: "It has the following parts."."""


def sections_compared(
    question: str, hits: Sequence[Hit], texts: Sequence[StoredText | None], terms: Terms
) -> Iterator[Passage]:
    """Yield, for sections side by side in a document, their beginnings as one passage; none if nothing is compared.

    Where the question is about more than these headings say, the passage is scored like any other.
    """
    if question_form(question) != "comparison":
        return
    for hit, stored in texts_once(hits, texts):
        for path, siblings in families(stored.headings, Outline(stored.headings)):
            called = {name_in_words(bare_heading(one.title)): one for one in siblings}
            names = side_by_side(question, called, terms)
            if 1 < len(names) <= _MOST and len(called) == len(siblings):
                above = " ".join((hit.title, *path, *names, ASKING, COMPARING))
                is_told = terms(question) <= terms(above)
                yield from _passage(question if is_told else "", hit, stored, path, [called[name] for name in names])


def _passage(
    computed_for: str, hit: Hit, stored: StoredText, path: tuple[str, ...], named: Sequence[Heading]
) -> Iterator[Passage]:
    ordered = sorted(named, key=lambda heading: heading.start)
    begun = [(heading, *_beginning(heading, stored)) for heading in ordered]
    if all(said for _, said, _ in begun):
        shown = "\n".join(f"{bare_heading(heading.title)}: {said}" for heading, said, _ in begun)
        span = Span(ordered[0].start, begun[-1][2])
        yield Passage(hit, "list", span, shown, path, stored, span.start, computed_for=computed_for)


def _beginning(heading: Heading, stored: StoredText) -> tuple[str, int]:
    """Return what the prose right below a heading begins with and where that ends; maybe nothing."""
    at = bisect_right(stored.blocks, heading.start, key=lambda block: block.span.start)
    first = stored.blocks[at] if at < len(stored.blocks) else None
    if first is None or first.kind != "paragraph":
        return "", heading.start
    renderer, said, end = ExtractRenderer(stored.text), "", first.span.end
    for sentence in sentences_in(stored.text, first.span):
        longer = f"{said} {renderer.line(sentence)}".strip()
        if said and (word_count(longer) > _MOST_WORDS or _LEADS.search(renderer.line(sentence))):
            break
        said, end = longer, sentence.end
    return (said, end) if word_count(said) >= _LEAST_WORDS and not _LEADS.search(said) else ("", end)
