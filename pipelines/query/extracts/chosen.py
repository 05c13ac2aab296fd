"""What was chosen to answer: in which order, neighbours as one, and how each is quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.components.sentences import sentence_spans, word_count
from pipelines.query.extracts.candidates import Candidate
from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.passages.old_versions import with_present
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.referents import with_referent
from pipelines.query.extracts.passages.showing import OTHERS, without_note_number
from pipelines.query.question_types import question_form
from pipelines.types import Span

Chosen = tuple[Candidate, Span, str]
"""A candidate, and the stretch of it that is shown."""
_MORE_PROSE = 2.0
"""What prose behind prose loses where a list or steps are asked for."""
_MOST_QUOTED = 1_000
"""Characters from the lead-in of a list to an item; farther down, only the item is quoted."""

_REPEATED = 0.9
"""The share of an extract's words that makes it a repetition of the one before it."""
_SENTENCE_WORDS = 8
"""How long a sentence is that two texts do not both say by chance."""
_WORD = re.compile(r"\w+")


def in_order(question: str, candidates: Sequence[Candidate], gap: float) -> list[Candidate]:
    """Return the candidates that are up to ``gap`` worse than the best, in the order in which they are chosen.

    Where a list or steps are asked for and the best is prose, what is none comes next: one often says what the other
    lacks.
    """
    best = max(candidates, key=lambda candidate: candidate.score)
    near = [candidate for candidate in candidates if candidate.score >= best.score - gap]
    asks_form = question_form(question) in ("list", "howto") and best.passage.kind == "sentences"

    def worth(candidate: Candidate) -> float:
        is_more_prose = asks_form and candidate.passage.kind == "sentences" and candidate is not best
        return candidate.score - _MORE_PROSE * is_more_prose

    return sorted(near, key=worth, reverse=True)


def extracts_of(chosen: Sequence[Chosen]) -> list[Extract]:
    """Return what was chosen as it is quoted and shown."""
    return [_extract(one[0].passage, _quoted(one, chosen), one[2]) for one in chosen]


def is_shown(passage: Passage, span: Span, chosen: Sequence[Chosen]) -> bool:
    """Return whether a part of a stretch of a passage's text was chosen already."""
    of_text = (other for candidate, other, _ in chosen if candidate.passage.is_of_text(passage))
    return any(span.start < other.end and other.start < span.end for other in of_text)


def says_same(shown: str, other: str) -> bool:
    """Return whether nearly all words of a text stand in the other one too, as where two pages say the same."""
    words, known = _WORD.findall(shown.lower()), set(_WORD.findall(other.lower()))
    return sum(word in known for word in words) >= _REPEATED * len(words)


def shares_sentence(shown: str, other: str) -> bool:
    """Return whether a long sentence of a text stands in the other one too; what leads into a list does not count."""
    sentences = (shown[start:end] for start, end in sentence_spans(shown))
    return any(
        sentence in other and sentence[-1] != ":" for sentence in sentences if word_count(sentence) >= _SENTENCE_WORDS
    )


def joined(chosen: Sequence[Chosen]) -> list[Chosen]:
    """Return what was chosen, neighbours in one text as one: they are read in the order in which they stand."""
    whole: list[Chosen] = []
    for one in chosen:
        index = next((index for index, other in enumerate(whole) if _are_neighbours(one, other)), None)
        if index is None:
            whole.append(one)
            continue
        other = whole[index]
        before, behind = sorted((one, other), key=lambda each: each[1].start)
        gap = "\n\n" if before[0].passage.kind == behind[0].passage.kind == "code" else "\n"
        whole[index] = (other[0], Span(before[1].start, behind[1].end), f"{before[2]}{gap}{behind[2]}")
    return whole


def understood(chosen: Sequence[Chosen]) -> list[Chosen]:
    """Return what was chosen, each with what it refers back to right above it, and what was so in old versions with
    what is so now, unless another one shows that.
    """
    return [_with_context(one, [other for other in chosen if other is not one]) for one in chosen]


def _with_context(one: Chosen, others: Sequence[Chosen]) -> Chosen:
    for with_more in (with_referent, with_present):
        candidate, span, shown = one
        longer, told = with_more(candidate.passage, span, shown)
        one = one if is_shown(candidate.passage, longer, others) else (candidate, longer, told)
    return one


def _are_neighbours(one: Chosen, other: Chosen) -> bool:
    """Return whether nothing stands between two extracts; items and rows need what leads into them."""
    passages = one[0].passage, other[0].passage
    first, second = sorted((one[1], other[1]), key=lambda span: span.start)
    return (
        first.end <= second.start
        and passages[0].is_of_text(passages[1])
        and passages[0].headings == passages[1].headings
        and not any(passage.is_part for passage in passages)
        and not passages[0].stored.text[first.end : second.start].strip()
    )


def _extract(passage: Passage, span: Span, shown: str) -> Extract:
    shown = without_note_number(passage.stored, span, shown)
    quote = passage.stored.text[span.start : span.end]
    place = Span(span.start + passage.offset, span.end + passage.offset)
    stored = None if passage.deleted else passage.stored
    return Extract(passage.hit, quote, place, shown, passage.headings, stored, bool(passage.computed_for))


def _quoted(one: Chosen, chosen: Sequence[Chosen]) -> Span:
    """Return the span to quote.

    For an item that is shown with its lead-in, the span starts at the lead-in, if that is near and not part of another
    extract.
    """
    passage, span = one[0].passage, one[1]
    led = Span(passage.group, span.end)
    is_led = passage.kind == "item" and one[2].endswith(OTHERS) and led.end - led.start <= _MOST_QUOTED
    others = [other for other in chosen if other is not one]
    return led if is_led and not is_shown(passage, led, others) else span
