"""Chooses the passages that answer a question.

The passages around the best hits are narrowed down by their words, and the promising ones are read beside the question:
by a cross-encoder where the profile names one, else by the cosine of their vectors. Within long prose the sentence that
answers best is found the same way. docs/benchmarks.md tells what the constants were chosen by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pipelines.components.sentences import word_count
from pipelines.query.extracts.absence import names_absent
from pipelines.query.extracts.boilerplate import as_line, repeated_lines
from pipelines.query.extracts.coverage import Coverage, Terms
from pipelines.query.extracts.definitions import definition_of
from pipelines.query.extracts.enumerations import enumeration_of
from pipelines.query.extracts.excerpts import excerpt, understood_window
from pipelines.query.extracts.extract import Extract, Extraction
from pipelines.query.extracts.mismatch import of_one_subject
from pipelines.query.extracts.passages import (
    Passage,
    PassageKind,
    Sentence,
    passages_of,
    sentences_of,
    with_code_before,
    with_code_behind,
)
from pipelines.query.extracts.promising import (
    defines,
    is_definition,
    off_pins,
    promising_passages,
    with_rows,
    with_their_lists,
)
from pipelines.query.extracts.reader import Reader
from pipelines.query.extracts.rows import rows_named, table_of
from pipelines.query.extracts.sections import NamedSections, with_sections
from pipelines.query.extracts.showing import CUT, without_note_number
from pipelines.query.extracts.unasked import unasked
from pipelines.query.lexicon import NO_LEXICON, Lexicon
from pipelines.query.makers import with_making
from pipelines.query.question_types import Form, names_new, question_form, question_kind, question_thing
from pipelines.types import Hit, Span, StoredText

Scores = npt.NDArray[np.float64]

_PROSE_WORDS = 60
_ANSWER_WORDS = 110
_CODE_WORDS = 40
"""Of code behind or before prose that says how to do something."""
_NAMES_NONE = 1.0
"""What a passage loses that names no number, time or name where one is asked for."""
_DEFINES = 1.5
"""What a passage or sentence gains that says what the thing is, where that is asked."""
_ENUMERATES = 1.0
"""What prose gains that lists the things that are asked for: as much as a list."""
_NAMED = 1.0
"""What a passage gains that stands in the section that the question names."""
_REPLIES = 1.0
"""What the beginning of a section gains besides, whose heading is the question, and code or a list that says how."""
_INTRODUCES = 3.0
"""What the beginning of such a section gains where it is asked what the thing is or does; the rest gains nothing."""
_OFF_PINS = 2.5
"""What a passage loses that lacks a day or a version of the question which others have."""
_REPEATED = 0.9
"""The share of an extract's words that makes it a repetition of the one before it."""
_WORD = re.compile(r"\w+")
_FORM: dict[Form, dict[PassageKind, float]] = {
    "list": {"list": 1.0, "definition": 1.0, "table": 1.0, "code": -1.0},
    "howto": {"code": 1.0, "list": 0.7},
    "definition": {"definition": 0.7, "list": -0.5, "code": -1.5},
}
_ANY_FORM: dict[PassageKind, float] = {"code": -1.0}
_WHOLE = 0.5
"""What a list gains over its best item where a list or steps are asked for, and loses where not."""
_OVERVIEW = 1.0
"""What a list loses whose items are cut short, where no list is asked for."""


@dataclass(slots=True)
class _Candidate:
    """A passage, its score, and what its sentences score; there are none where it is shown whole."""

    passage: Passage
    score: float
    sentences: Sequence[Sentence] = ()
    scores: Scores | None = None


_Chosen = tuple[_Candidate, Span, str]
"""A candidate, and the stretch of it that is shown."""


class Chooser:
    """Chooses extracts.

    Args:
        reader: Reads passages beside the question.
        terms: The terms of a text.
        lexicon: What the words of questions stand for.
    """

    def __init__(self, reader: Reader, terms: Terms, lexicon: Lexicon = NO_LEXICON) -> None:
        self._reader = reader
        self._terms = terms
        self._lexicon = lexicon

    def choose(self, question: str, hits: Sequence[Hit], texts: Sequence[StoredText | None], most: int) -> Extraction:
        """At most ``most`` extracts from the ``texts`` of ``hits``; none overlap."""
        sections = NamedSections(question, self._terms)
        found = passages_of(*with_sections(sections, hits, texts))
        repeated = repeated_lines(hits, texts)
        passages = [
            passage
            for passage in found
            if as_line(passage.shown) not in repeated and not self._is_about_another(question, passage)
        ]
        if not passages or not self._lexicon.is_mentioned(question, map(_with_place, passages)):
            return Extraction(about_another=bool(found))
        chosen = self._chosen(question, passages, sections, most)
        absent = float(names_absent(question, hits, self._lexicon))
        return replace(chosen, signals={**chosen.signals, "absent": absent})

    def _is_about_another(self, question: str, passage: Passage) -> bool:
        place = (passage.hit.title, *passage.headings)
        return self._lexicon.is_about_another(question, passage.shown, place)

    def _chosen(self, question: str, passages: Sequence[Passage], sections: NamedSections, most: int) -> Extraction:
        coverage = Coverage(question, self._named(question, [one.in_context for one in passages]), self._terms)
        named = rows_named(question, passages, self._terms)
        best = promising_passages(question, passages, coverage, sections)
        promising = with_rows(with_their_lists(best, passages), named)
        in_context = [passage.in_context for passage in promising]
        read = self._excerpts(promising, coverage)
        raw = np.asarray(self._reader.read(self._lexicon.explained(question), read), np.float64)
        covered = coverage.of(self._named(question, in_context))
        candidates = [
            _Candidate(passage, float(score))
            for passage, score in zip(promising, self._reader.scale * raw + self._reader.terms * covered, strict=True)
        ]
        self._read_sentences(question, candidates, coverage)
        self._weigh_forms(question, candidates)
        _favour_named(candidates, sections)
        _favour_pinned(question, candidates)
        candidates = _without_other_rows(candidates, named)
        chosen = _joined(self._distinct(question, candidates, most))
        extracts = [_extract(candidate.passage, span, shown) for candidate, span, shown in chosen]
        kept = of_one_subject(question, extracts, self._lexicon)
        first = promising.index(chosen[extracts.index(kept[0])][0].passage)
        signals = {
            "similarity": float(raw[first]),
            "closest": float(raw.max()),
            "spread": float(raw.std()),
            "covered": float(covered[first]),
        }
        return Extraction(kept, signals)

    def _excerpts(self, passages: Sequence[Passage], coverage: Coverage) -> list[str]:
        """Return what is read of passages, each under its title and headings."""
        if not self._reader.excerpts:
            return [passage.in_context for passage in passages]
        return [passage.under_headings(excerpt(passage, coverage.of)) for passage in passages]

    def _named(self, question: str, texts: Sequence[str]) -> list[str]:
        """Return the texts with the words of the question behind them whose meanings they speak of."""
        return [with_making(question, self._lexicon.with_names_of(question, text)) for text in texts]

    def _weigh_forms(self, question: str, candidates: Sequence[_Candidate]) -> None:
        """Favour passages of the form that is asked for; a list is as good as its best item, or better."""
        form, kind, definition = question_form(question), question_kind(question), definition_of(question)
        favoured, enumeration = _FORM.get(form, _ANY_FORM) if form else _ANY_FORM, enumeration_of(question)
        for candidate in candidates:
            gained = favoured.get(candidate.passage.kind, 0.0)
            if gained < 0 or self._has_form(form, question, candidate.passage):
                candidate.score += gained
            if kind is not None and not names_new(kind, candidate.passage.shown, question):
                candidate.score -= _NAMES_NONE
            if is_definition(candidate.passage, definition):
                candidate.score += _DEFINES
            if candidate.passage.kind == "sentences" and enumeration and enumeration.stands_in(candidate.passage.shown):
                candidate.score += _ENUMERATES
            candidate.score -= unasked(question, candidate.passage)
            candidate.score -= _OVERVIEW * _is_overview(candidate.passage, form)
        for candidate in candidates:
            within = [other.score for other in candidates if candidate.passage.holds(other.passage)]
            if within:
                whole = form in ("list", "howto") and self._has_form(form, question, candidate.passage)
                candidate.score = max(candidate.score, max(within) + (_WHOLE if whole else -_WHOLE))

    def _has_form(self, form: Form | None, question: str, passage: Passage) -> bool:
        """Return whether a passage is of use in the form that is asked for.

        A list is if it or its heading speaks of the thing that is asked for, and steps if none is cut short.
        """
        if form == "howto":
            return CUT not in passage.shown
        thing = self._terms(question_thing(question))
        return not thing or bool(thing & self._terms(passage.under_own_heading))

    def _read_sentences(self, question: str, candidates: Sequence[_Candidate], coverage: Coverage) -> None:
        """Scores the sentences of the best prose, and mixes the best of them into the score of its passage."""
        prose = [candidate for candidate in candidates if candidate.passage.kind == "sentences"]
        best = sorted(prose, key=lambda candidate: -candidate.score)[: self._reader.prose]
        read = [(candidate, sentences) for candidate in best if len(sentences := sentences_of(candidate.passage)) > 1]
        texts = [candidate.passage.under_headings(one.shown) for candidate, some in read for one in some]
        if not texts:
            return
        explained = self._lexicon.explained(question)
        scores = self._reader.scale * np.asarray(self._reader.read(explained, texts), np.float64)
        scores += self._reader.terms * coverage.of(self._named(question, texts))
        for candidate, sentences in read:
            candidate.sentences, candidate.scores = sentences, scores[: len(sentences)]
            scores = scores[len(sentences) :]
            share = self._reader.sentences
            candidate.score = (1 - share) * candidate.score + share * float(candidate.scores.max())

    def _distinct(self, question: str, candidates: Sequence[_Candidate], most: int) -> list[_Chosen]:
        """Return the best candidates that share no text, each cut to what answers, within the words of one answer."""
        order = sorted(candidates, key=lambda candidate: -candidate.score)
        chosen: list[_Chosen] = []
        left, form = _ANSWER_WORDS, question_form(question)
        for candidate in order:
            if len(chosen) == most or (chosen and candidate.score < order[0].score - self._reader.gap):
                break
            if any(candidate.passage.overlaps(other.passage) for other, _, _ in chosen):
                continue
            span, shown = _cut(question, candidate)
            if form == "howto":
                for with_code in (with_code_behind, with_code_before):
                    longer = with_code(candidate.passage, span, shown, _CODE_WORDS)
                    span, shown = (span, shown) if _is_shown(candidate.passage, longer[0], chosen) else longer
            words = word_count(shown)
            if any(_repeats(shown, other) for _, _, other in chosen):
                continue
            if chosen and _same_list(candidate, chosen[0][0]):
                chosen[0] = _in_whole(chosen[0], candidates, form)
                left = _ANSWER_WORDS - word_count(chosen[0][2])
            elif not chosen or words <= left:
                chosen.append((candidate, span, shown))
                left -= words
        return chosen


def _favour_named(candidates: Sequence[_Candidate], sections: NamedSections) -> None:
    """Favour passages of the sections that the question names: their beginnings where it asks for a definition."""
    for candidate in candidates:
        if sections.introduces(candidate.passage):
            candidate.score += _INTRODUCES
        elif sections.holds(candidate.passage) and not sections.defines(candidate.passage):
            replies = sections.replies(candidate.passage) or sections.shows_how(candidate.passage)
            candidate.score += _NAMED + _REPLIES * replies


def _favour_pinned(question: str, candidates: Sequence[_Candidate]) -> None:
    """Favour passages on the day or the version that the question names, if there are any."""
    others = off_pins(question, [candidate.passage for candidate in candidates])
    for candidate, is_other in zip(candidates, others, strict=True):
        candidate.score -= _OFF_PINS * is_other


def _is_shown(passage: Passage, span: Span, chosen: Sequence[_Chosen]) -> bool:
    """Return whether a part of a stretch of a passage's text was chosen already."""
    of_text = (other for candidate, other, _ in chosen if candidate.passage.is_of_text(passage))
    return any(span.start < other.end and other.start < span.end for other in of_text)


def _joined(chosen: Sequence[_Chosen]) -> list[_Chosen]:
    """Return what was chosen, neighbours in one text as one: they are read in the order in which they stand."""
    joined: list[_Chosen] = []
    for one in chosen:
        index = next((index for index, other in enumerate(joined) if _are_neighbours(one, other)), None)
        if index is None:
            joined.append(one)
            continue
        other = joined[index]
        before, behind = sorted((one, other), key=lambda each: each[1].start)
        joined[index] = (other[0], Span(before[1].start, behind[1].end), f"{before[2]}\n{behind[2]}")
    return joined


def _are_neighbours(one: _Chosen, other: _Chosen) -> bool:
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


def _repeats(shown: str, other: str) -> bool:
    """Return whether nearly all words of a text stand in the other one too, as where two pages say the same."""
    words, known = _WORD.findall(shown.lower()), set(_WORD.findall(other.lower()))
    return sum(word in known for word in words) >= _REPEATED * len(words)


def _with_place(passage: Passage) -> str:
    """Return a passage with its title and headings."""
    return "\n".join((passage.hit.title, *passage.headings, passage.shown))


def _without_other_rows(candidates: Sequence[_Candidate], named: Sequence[Passage]) -> list[_Candidate]:
    """Return candidates in which a row that the question names stands for its table and all rows of it."""
    rows = {table_of(row): row for row in named}
    best: dict[tuple[str, int], float] = {}
    for one in candidates:
        if one.passage.kind in ("row", "table"):
            table = table_of(one.passage)
            best[table] = max(best.get(table, one.score), one.score)
    kept = []
    for one in candidates:
        row = rows.get(table_of(one.passage)) if one.passage.kind in ("row", "table") else None
        if row is one.passage:
            one.score = best[table_of(row)]
        if row is None or row is one.passage:
            kept.append(one)
    return kept


def _is_overview(passage: Passage, form: Form | None) -> bool:
    """Return whether a list is shown with its items cut short though the question asks for none."""
    return form != "list" and passage.kind == "list" and CUT in passage.shown


def _same_list(one: _Candidate, other: _Candidate) -> bool:
    """Return whether the two are items or rows of one list or table."""
    return one.passage.kind == other.passage.kind and one.passage.group == other.passage.group and one.passage.is_part


def _in_whole(chosen: _Chosen, candidates: Sequence[_Candidate], form: Form | None) -> _Chosen:
    """Return the list that an item is of, where that can be shown: two items of it answer."""
    for candidate in candidates:
        if candidate.passage.holds(chosen[0].passage) and not _is_overview(candidate.passage, form):
            return candidate, candidate.passage.span, candidate.passage.shown
    return chosen


def _cut(question: str, candidate: _Candidate) -> tuple[Span, str]:
    """Return what is shown of a candidate: of long prose the best sentence with those around it that answer too."""
    passage, scores = candidate.passage, candidate.scores
    if scores is None or passage.words <= _PROSE_WORDS:
        return passage.span, passage.shown
    kind, definition = question_kind(question), definition_of(question)
    enumeration = enumeration_of(question)
    worth = [
        float(score)
        - (_NAMES_NONE if kind is not None and not names_new(kind, one.shown, question) else 0.0)
        + (_DEFINES if defines(one.shown, passage, definition) else 0.0)
        + (_ENUMERATES if enumeration is not None and enumeration.stands_in(one.shown) else 0.0)
        for one, score in zip(candidate.sentences, scores, strict=True)
    ]
    first, last = understood_window(worth, candidate.sentences, _PROSE_WORDS)
    shown = " ".join(one.shown for one in candidate.sentences[first : last + 1])
    return Span(candidate.sentences[first].span.start, candidate.sentences[last].span.end), shown


def _extract(passage: Passage, span: Span, shown: str) -> Extract:
    quote = passage.stored.text[span.start : span.end]
    shown = without_note_number(passage.stored, span, shown)
    place = Span(span.start + passage.offset, span.end + passage.offset)
    return Extract(passage.hit, quote, place, shown, passage.headings, None if passage.deleted else passage.stored)
