"""Chooses the passages that answer a question.

The passages around the best hits are narrowed down by their words, and the promising ones are read beside the question:
by a cross-encoder where the profile names one, else by the cosine of their vectors. Within long prose the sentence that
answers best is found the same way. docs/benchmarks.md tells what the constants were chosen by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pipelines.components.sentences import word_count
from pipelines.query.extracts.candidates import Candidate
from pipelines.query.extracts.changes import with_changes
from pipelines.query.extracts.chosen import (
    Chosen,
    extracts_of,
    in_order,
    is_shown,
    joined,
    says_same,
    shares_sentence,
    understood,
)
from pipelines.query.extracts.compared_entries import entries_compared
from pipelines.query.extracts.compared_sections import sections_compared
from pipelines.query.extracts.editions import newest_first, told_apart
from pipelines.query.extracts.entry_names import behind_names
from pipelines.query.extracts.exclusions import with_exclusion
from pipelines.query.extracts.extract import Extract, Extraction
from pipelines.query.extracts.favours import disfavour_echoes, weigh_beside_each_other, without_other_rows
from pipelines.query.extracts.language.absence import is_of_tool, names_absent
from pipelines.query.extracts.language.coverage import Coverage
from pipelines.query.extracts.language.definitions import definition_of_any
from pipelines.query.extracts.language.denials import with_denied
from pipelines.query.extracts.language.other_names import is_of_other_name
from pipelines.query.extracts.language.permissions import asks_who_may
from pipelines.query.extracts.mismatch import is_of_sibling, of_one_subject
from pipelines.query.extracts.newer_mail import newer_message
from pipelines.query.extracts.passages.boilerplate import as_line, repeated_lines
from pipelines.query.extracts.passages.cases import is_case
from pipelines.query.extracts.passages.code_beside import (
    with_code_before,
    with_code_behind,
    with_end_of_sentence,
    with_only_code,
)
from pipelines.query.extracts.passages.excerpts import excerpt, from_beginning, understood_window
from pipelines.query.extracts.passages.fillers import asks_for_pages, points_elsewhere
from pipelines.query.extracts.passages.outlines import outlines_of
from pipelines.query.extracts.passages.passages import LISTS, Passage, passages_of, sentences_of
from pipelines.query.extracts.passages.releases import lacks_release, release_headings, with_releases
from pipelines.query.extracts.passages.showing import OTHERS
from pipelines.query.extracts.passages.steps_behind import with_steps_behind
from pipelines.query.extracts.promising import promising_passages, with_rows, with_their_lists
from pipelines.query.extracts.reader import Reader
from pipelines.query.extracts.sections import NamedSections, with_sections
from pipelines.query.extracts.tables.row_cells import cells_of
from pipelines.query.extracts.tables.rows import is_any_row, rows_named
from pipelines.query.extracts.unasked import repeats
from pipelines.query.extracts.weights import Weights
from pipelines.query.lexicon import NO_LEXICON, Lexicon
from pipelines.query.makers import with_making
from pipelines.query.paraphrases import with_paraphrases
from pipelines.query.properties import with_properties
from pipelines.query.question_types import question_form, question_kind
from pipelines.query.short_names import spelled_out, with_short_name
from pipelines.query.terms import Terms
from pipelines.types import Hit, Span, StoredText

Scores = npt.NDArray[np.float64]

_PROSE_WORDS = 60
_ANSWER_WORDS = 110
_CODE_WORDS = 40
"""Of code behind or before prose that says how to do something."""
_BESIDE_CODE = (with_code_behind, with_code_before, with_only_code, with_end_of_sentence, with_steps_behind)
_AS_GOOD = 1.0
"""How much worse an item may be than the best of its list, to be shown beside it."""


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
        spelled = spelled_out(question, (text.text for text in texts if text is not None))
        chooser = Chooser(self._reader, self._terms, self._lexicon.also(spelled)) if spelled else self
        return replace(chooser._choose(question, hits, texts, most), spelled=spelled)

    def _choose(self, question: str, hits: Sequence[Hit], texts: Sequence[StoredText | None], most: int) -> Extraction:
        sections = NamedSections(question, self._terms, hits, texts)
        found = passages_of(*with_sections(sections, hits, texts))
        found += outlines_of(question, hits, texts, self._terms)
        found += release_headings(question, hits, texts)
        found += entries_compared(question, found, self._terms)
        found += sections_compared(question, hits, texts, self._terms)
        found = with_changes(question, found, hits, texts, self._terms)
        repeated = repeated_lines(hits, texts)
        passages = [
            passage
            for passage in with_releases(question, found)
            if as_line(passage.shown) not in repeated
            and not repeats(question, passage.shown)
            and not self._is_about_another(question, passage)
        ]
        if not passages or lacks_release(question, passages) or not self._is_mentioned(question, passages):
            return Extraction(about_another=bool(found))
        chosen = with_exclusion(question, self._chosen(question, passages, sections, most))
        told = [replace(one.hit, content=one.shown, headings=one.headings) for one in chosen.extracts]
        absent = chosen.signals.get("absent") or float(names_absent(question, [*hits, *told], self._lexicon))
        return replace(chosen, signals={**chosen.signals, "absent": absent})

    def _is_mentioned(self, question: str, passages: Sequence[Passage]) -> bool:
        """Return whether what the question names is spoken of; a tool need not name it again."""
        of_tool = is_of_tool(passage.hit for passage in passages)
        return of_tool or self._lexicon.is_mentioned(question, map(_with_place, passages))

    def _is_about_another(self, question: str, passage: Passage) -> bool:
        place = (passage.hit.title, *passage.headings)
        return self._lexicon.is_about_another(question, passage.shown, place)

    def _chosen(self, question: str, passages: Sequence[Passage], sections: NamedSections, most: int) -> Extraction:
        texts = self._named(question, [one.in_context for one in passages])
        coverage = Coverage(question, texts, self._terms)
        named = rows_named(question, passages, self._terms)
        best = promising_passages(question, passages, texts, coverage, sections)
        promising = with_rows(question, with_their_lists(best, passages), named)
        in_context = [passage.in_context for passage in promising]
        read = self._excerpts(promising, coverage)
        raw = np.asarray(self._reader.read(self._lexicon.explained(question), read), np.float64)
        covered = coverage.of(self._named(question, in_context))
        candidates = [
            Candidate(passage, float(score))
            for passage, score in zip(promising, self._reader.scale * raw + self._reader.terms * covered, strict=True)
        ]
        self._read_sentences(question, candidates, coverage)
        weights = Weights(question, self._terms)
        weights.weigh(candidates)
        weigh_beside_each_other(question, candidates, sections, self._terms, self._lexicon)
        candidates = without_other_rows(candidates, named)
        disfavour_echoes(candidates, self._terms(question), self._terms)
        chosen = understood(joined(self._distinct(question, candidates, weights, most)))
        chosen = self._with_newer(question, newest_first(question, chosen), candidates, weights)[:most]
        extracts = behind_names(question, told_apart(question, chosen, extracts_of(chosen)))
        kept = of_one_subject(question, extracts, self._lexicon)
        of_sibling = is_of_sibling(question, kept[0])
        if of_sibling and question_kind(question) is not None:
            return Extraction(about_another=True)  # its time, number or name would look like that of the thing
        if is_of_other_name(question, kept[0].shown, (kept[0].hit.title, *kept[0].headings)):
            return Extraction(about_another=True)
        best_one = chosen[extracts.index(kept[0])][0]
        first = promising.index(best_one.passage)
        parts = [first, *_within(promising[first], promising)]
        cells = self._read_cells(question, best_one)
        signals = {
            "similarity": max(
                best_one.closest, *(float(raw[at]) for at in parts), *self._read_together(question, kept)
            ),
            "closest": float(raw.max()),
            "spread": float(raw.std()),
            "covered": float(covered[first]),
            "absent": float(is_any_row(question, promising[first], named) or of_sibling),
        }
        nearest = self._nearest(question, best_one, [*(promising[at].in_context for at in parts), *cells])
        return Extraction(kept, signals, nearest=nearest)

    def _read_cells(self, question: str, chosen: Candidate) -> list[str]:
        """Count the best cell of a row that answers like the best sentence of prose; return what was read."""
        cells = cells_of(chosen.passage) if self._reader.cosines is not None else []
        read = [chosen.passage.under_headings(cell) for cell in cells]
        if read:
            raw = np.asarray(self._reader.read(self._lexicon.explained(question), read), np.float64)
            chosen.closest = max(chosen.closest, float(raw.max()))
        return read

    def _read_together(self, question: str, extracts: Sequence[Extract]) -> list[float]:
        """Return the score of all extracts as one text, where each may speak of one side of a comparison."""
        if len(extracts) == 1 or question_form(question) != "comparison" or self._reader.cosines is None:
            return []
        together = " ".join(f"{(one.hit.title, *one.headings)[-1]}: {one.shown}" for one in extracts)
        return [float(self._reader.read(self._lexicon.explained(question), [together])[0])]

    def _nearest(self, question: str, chosen: Candidate, parts: Sequence[str]) -> float:
        """Return the highest cosine of a passage, its parts and its sentences; none if it repeats the question."""
        if self._reader.cosines is None or chosen.passage.computed_for:
            return 0.0
        sentences = [chosen.passage.under_headings(one.shown) for one in chosen.sentences]
        return float(np.max(self._reader.cosines(self._lexicon.explained(question), [*parts, *sentences])))

    def _excerpts(self, passages: Sequence[Passage], coverage: Coverage) -> list[str]:
        """Return what is read of passages, each under its title and headings."""
        if not self._reader.excerpts:
            return [passage.in_context for passage in passages]
        return [passage.under_headings(excerpt(passage, coverage.of)) for passage in passages]

    def _named(self, question: str, texts: Sequence[str]) -> list[str]:
        """Return the texts with the words of the question behind them that they say in other words."""
        named = (with_making(question, self._lexicon.with_names_of(question, text)) for text in texts)
        told = (with_short_name(question, with_denied(question, text)) for text in named)
        return [with_paraphrases(question, with_properties(question, text)) for text in told]

    def _read_sentences(self, question: str, candidates: Sequence[Candidate], coverage: Coverage) -> None:
        """Scores the sentences of the best prose, and mixes the best of them into the score of its passage."""
        prose = [candidate for candidate in candidates if candidate.passage.kind == "sentences"]
        best = sorted(prose, key=lambda candidate: -candidate.score)[: self._reader.prose]
        read = [(candidate, sentences) for candidate in best if len(sentences := sentences_of(candidate.passage)) > 1]
        texts = [candidate.passage.under_headings(one.shown) for candidate, some in read for one in some]
        if not texts:
            return
        explained = self._lexicon.explained(question)
        raw = np.asarray(self._reader.read(explained, texts), np.float64)
        scores = self._reader.scale * raw + self._reader.terms * coverage.of(self._named(question, texts))
        for candidate, sentences in read:
            count = len(sentences)
            candidate.sentences, candidate.scores = sentences, scores[:count]
            candidate.closest = float(raw[:count].max()) if self._reader.cosines is not None else candidate.closest
            scores, raw = scores[count:], raw[count:]
            share = self._reader.sentences
            candidate.score = (1 - share) * candidate.score + share * float(candidate.scores.max())

    def _distinct(self, question: str, candidates: Sequence[Candidate], weights: Weights, most: int) -> list[Chosen]:
        """Return the best candidates that share no text, each cut to what answers, within the words of one answer."""
        chosen: list[Chosen] = []
        left_out: list[Passage] = []
        left = _ANSWER_WORDS
        for candidate in in_order(question, candidates, self._reader.gap):
            listed = next((index for index, other in enumerate(chosen) if _same_list(candidate, other[0])), None)
            if len(chosen) == most and listed is None:
                break
            is_beside = chosen and weights.is_overview(candidate.passage)  # it says less than what was chosen
            is_beside = is_beside or _stands_for(question, candidate.passage, left_out)
            if is_beside or any(_overlaps(candidate.passage, other) for other in chosen):
                continue
            span, shown = _stretch(question, candidate, weights, chosen)
            repeated = any(says_same(shown, other) for _, _, other in chosen)
            # Where a number, a date or a name is asked for, an item that only repeats one is of something else.
            answers_too = not repeated or question_kind(question) is None
            if listed is not None and answers_too and _is_as_good(question, candidate, chosen[listed][0]):
                whole = _in_whole(chosen[listed], candidates, weights)
                grown = left + word_count(chosen[listed][2]) - word_count(whole[2])
                apart = not any(
                    whole[0].passage.overlaps(one[0].passage) for one in chosen if one is not chosen[listed]
                )
                if apart and (not listed or grown >= 0):
                    chosen[listed], left = whole, grown
            if listed is not None or repeated:
                continue
            found = self._as_list(question, (candidate, span, shown), candidates, weights, chosen)
            shown, words = found[2], word_count(found[2])
            left_out += [found[0].passage] if chosen and words > left else []
            if not any(shares_sentence(shown, other) for _, _, other in chosen) and (not chosen or words <= left):
                chosen = [one for one in chosen if not (one[0].passage.is_outline and says_same(one[2], shown))]
                chosen.append(found)
                left -= words
                if _defines(question, chosen[-1]):
                    break
        return chosen

    def _with_newer(
        self, question: str, chosen: list[Chosen], candidates: Sequence[Candidate], weights: Weights
    ) -> list[Chosen]:
        """Return what was chosen behind what a newer message of the same thread answers."""
        newer = newer_message(question, chosen, candidates, self._terms)
        if newer is None:
            return chosen
        known = next((one for one in chosen if _overlaps(newer.passage, one)), None)
        first = known or (newer, *_cut(question, newer, weights))
        return [first, *(one for one in chosen if one is not known)]

    def _as_list(
        self,
        question: str,
        one: Chosen,
        candidates: Sequence[Candidate],
        weights: Weights,
        others: Sequence[Chosen],
    ) -> Chosen:
        """Return the list of an item if only what leads into it says what is asked: then each item answers as well.

        Where a number, a date or a name is asked for, or a yes or no, one item may be the one that answers.
        """
        lead_in, _, item = one[2].partition("\n")
        asked = self._terms(question)
        is_led = one[0].passage.shown.endswith(f"\n{OTHERS}") and bool(asked & self._terms(lead_in))
        if not is_led or asked & self._terms(item):
            return one
        if question_kind(question) is not None or question_form(question) == "yesno":
            return one
        whole = _in_whole(one, candidates, weights)
        left = _ANSWER_WORDS - sum(word_count(other[2]) for other in others)
        fits = not others or word_count(whole[2]) <= left
        return whole if fits and not any(whole[0].passage.overlaps(other[0].passage) for other in others) else one


def _overlaps(passage: Passage, chosen: Chosen) -> bool:
    """Return whether a passage shares text with a chosen one, or stands between that and the code shown with it."""
    other, span = chosen[0].passage, chosen[1]
    within = span.start <= passage.span.start and passage.span.end <= span.end
    return passage.overlaps(other) or (within and passage.is_of_text(other))


def _stretch(question: str, candidate: Candidate, weights: Weights, chosen: Sequence[Chosen]) -> tuple[Span, str]:
    """Return what is shown of a candidate.

    Answers on how to do something, or who may, include the code beside them, unless another chosen extract shows it.
    """
    span, shown = _cut(question, candidate, weights)
    if question_form(question) == "howto" or asks_who_may(question):
        for with_more in _BESIDE_CODE:
            longer = with_more(candidate.passage, span, shown, _CODE_WORDS)
            span, shown = (span, shown) if is_shown(candidate.passage, longer[0], chosen) else longer
    return span, shown


def _defines(question: str, chosen: Chosen) -> bool:
    """Return whether an extract says what the thing is that a question asks about: then nothing more is shown."""
    definition, (candidate, _, shown) = definition_of_any(question), chosen
    headings = candidate.passage.headings
    return definition is not None and definition.stands_in(shown, headings[-1] if headings else "")


def _within(whole: Passage, passages: Sequence[Passage]) -> Iterator[int]:
    """Yield the indices of passages that a list, a table or an outline holds: any of its items may answer."""
    is_of_parts = whole.is_outline or whole.kind in LISTS
    return (at for at, one in enumerate(passages) if is_of_parts and whole.holds(one))


def _with_place(passage: Passage) -> str:
    """Return a passage with its title and headings."""
    return "\n".join((passage.hit.title, *passage.headings, passage.shown))


def _same_list(one: Candidate, other: Candidate) -> bool:
    """Return whether the two are items or rows of one list or table."""
    passage, group = one.passage, (other.passage.kind, other.passage.group)
    return passage.is_part and (passage.kind, passage.group) == group and passage.is_of_text(other.passage)


def _stands_for(question: str, part: Passage, left_out: Sequence[Passage]) -> bool:
    """Return whether a list is asked for, and an item is of one that was left out for its length: it is no list."""
    return question_form(question) == "list" and part.is_part and any(one.holds(part) for one in left_out)


def _is_as_good(question: str, candidate: Candidate, chosen: Candidate) -> bool:
    """Return whether an item answers as well as another one of its list; one step alone does not say how."""
    return question_form(question) == "howto" or candidate.score >= chosen.score - _AS_GOOD


def _in_whole(chosen: Chosen, candidates: Sequence[Candidate], weights: Weights) -> Chosen:
    """Return the list that an item is of, where that can be shown: two items of it answer.

    An item may stand in a list inside of a longer one, or of an entry. Only its own list says the other items.
    """
    item = chosen[0].passage
    for candidate in candidates:
        passage = candidate.passage
        is_own = passage.group == item.group and passage.holds(item) and not passage.is_outline
        if is_own and not weights.is_overview(passage):
            return candidate, passage.span, passage.shown
    return chosen


def _cut(question: str, candidate: Candidate, weights: Weights) -> tuple[Span, str]:
    """Return what is shown of a candidate: of long prose the best sentence with those around it that answer too.

    Sentences at its end that only name another page are left out, unless pages may be asked for. Where it is asked how
    to do something, a problem is shown with all of what helps.
    """
    passage, scores, sentences = candidate.passage, candidate.scores, candidate.sentences
    if scores is None or (question_form(question) == "howto" and is_case(passage.shown)):
        return passage.span, passage.shown
    first, last = 0, len(sentences) - 1
    if passage.words > _PROSE_WORDS:
        worth = [float(score) + weights.of_sentence(one, passage) for one, score in zip(sentences, scores, strict=True)]
        first, last = understood_window(worth, sentences, _PROSE_WORDS)
        if candidate.is_reply:
            first, last = from_beginning(sentences, last, _PROSE_WORDS, _ANSWER_WORDS)
    while last > first and points_elsewhere(sentences[last].shown) and not asks_for_pages(question):
        last -= 1
    if (first, last) == (0, len(sentences) - 1):
        return passage.span, passage.shown
    shown = " ".join(one.shown for one in sentences[first : last + 1])
    return Span(sentences[first].span.start, sentences[last].span.end), shown
