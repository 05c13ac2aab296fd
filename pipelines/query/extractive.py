"""Answers without a language model: the sentences that answer, verbatim, each with its footnote."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipelines.components.sentences import sentence_spans, word_count
from pipelines.types import Hit, Span

Vectors = npt.NDArray[np.float32]
_LEAST_WORDS = 3
_MOST_SENTENCES = 48
_WORTH = 0.7
_SAME = 0.9
_ASIDE = 0.8
# Weights of a sentence's shares; docs/benchmarks.md tells what they were chosen by.
_COSINE, _TERMS, _TERMS_WITH_LEAD_IN, _HIT = 0.375, 0.25, 0.125, 0.25
_NOT_PROSE = re.compile(r"^\s*(?:#{1,6}\s|\|?[\s:|-]+\|?$|```|[-=~*_]{3,}\s*$|\.\. )")
_TABLE_RULE = re.compile(r"\|[\s:|-]+\|$")


@dataclass(frozen=True, slots=True)
class Extract:
    """A sentence of a hit that answers.

    Attributes:
        hit: The hit.
        text: The sentence.
        span: Its span in the version's text.
        score: How well it answers, in 0..1.
        cosine: Its cosine to the question.
        before: The sentence before it in the hit; empty where there is none.
    """

    hit: Hit
    text: str
    span: Span
    score: float
    cosine: float = 0.0
    before: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """The sentences that answer, the best first, and what they were chosen among.

    Attributes:
        extracts: The chosen.
        closest: The largest cosine to the question among all sentences.
        spread: The standard deviation of these cosines: small where no sentence stands out.
    """

    extracts: tuple[Extract, ...] = ()
    closest: float = 0.0
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a hit, its span in the version's text, and the sentence before it in the hit."""

    hit: Hit
    text: str
    span: Span
    before: str


class Extractor:
    """Picks the sentences of hits that answer a question.

    A sentence's score is a weighted mean of four shares: its cosine to the question; the share of the question's terms
    that it holds, where a term counts the more the fewer sentences hold it; the same share of it together with the
    sentence before it, for a sentence that says "he" or "it" was introduced there; and the score of its hit.

    A question that names a title as a whole is about it: sentences around which it is not named count less. What the
    question and the title of the best sentence's document both name is the subject: a further sentence speaks of it
    too. Beside how long beagles are walked, nobody wants to know it of Dobermans.

    Args:
        vectors: Unit vectors of texts, one a row.
        terms: The terms (stemmed, without stop words) of a text, as ids.
    """

    def __init__(
        self,
        vectors: Callable[[Sequence[str]], Vectors],
        terms: Callable[[str], frozenset[int]],
    ) -> None:
        self._vectors = vectors
        self._terms = terms

    def extract(self, question: str, hits: Sequence[Hit], most: int) -> Extraction:
        """At most ``most`` sentences, none saying what another said."""
        sentences = self._promising(question, [piece for hit in hits for piece in _sentences_of(hit)])
        if not sentences:
            return Extraction()
        asked, *said = self._vectors([question, *(sentence.text for sentence in sentences)])
        vectors = np.stack(said)
        cosines = vectors @ asked
        scores = self._scores(question, sentences, cosines)
        chosen = tuple(
            _extract(sentences[index], scores[index], float(cosines[index]))
            for index in _distinct(self._on_subject(question, sentences, scores), vectors, most)
        )
        return Extraction(chosen, float(cosines.max()), float(cosines.std()))

    def _scores(self, question: str, sentences: Sequence[_Sentence], cosines: Vectors) -> list[float]:
        overlaps = self._overlaps(question, [sentence.text for sentence in sentences])
        led_in = self._overlaps(question, [f"{sentence.before} {sentence.text}" for sentence in sentences])
        weights = np.array([_COSINE, _TERMS, _TERMS_WITH_LEAD_IN, _HIT])
        shares = np.array(
            [
                (max(float(cosine), 0.0), overlap, together, sentence.hit.score)
                for sentence, cosine, overlap, together in zip(sentences, cosines, overlaps, led_in, strict=True)
            ]
        )
        return [min(float(score), 1.0) for score in shares @ weights]

    def _on_subject(self, question: str, sentences: Sequence[_Sentence], scores: Sequence[float]) -> list[float]:
        """The scores, less for sentences aside the titles that the question names; below zero aside the best one's."""
        asked = self._terms(question)
        titles = {title: self._terms(title) for title in {sentence.hit.title for sentence in sentences}}
        named = frozenset[int]().union(*(title for title in titles.values() if title <= asked))
        told = [self._terms(_with_its_place(sentence)) for sentence in sentences]
        weighed = [score if named <= about else _ASIDE * score for score, about in zip(scores, told, strict=True)]
        best = sentences[max(range(len(weighed)), key=weighed.__getitem__)]
        subject = asked & titles[best.hit.title]
        return [score if subject <= about else -1.0 for score, about in zip(weighed, told, strict=True)]

    def _promising(self, question: str, sentences: list[_Sentence]) -> list[_Sentence]:
        """At most `_MOST_SENTENCES`, those that share most terms with the question: embedding takes time."""
        if len(sentences) <= _MOST_SENTENCES:
            return sentences
        overlaps = self._overlaps(question, [sentence.text for sentence in sentences])
        order = sorted(range(len(sentences)), key=lambda index: -overlaps[index])[:_MOST_SENTENCES]
        return [sentences[index] for index in sorted(order)]

    def _overlaps(self, question: str, texts: Sequence[str]) -> list[float]:
        wanted = self._terms(question)
        held = [self._terms(text) & wanted for text in texts]
        weights = {term: float(np.log1p(len(texts) / (1 + sum(term in some for some in held)))) for term in wanted}
        total = sum(weights.values()) or 1.0
        return [sum(weights[term] for term in some) / total for some in held]


def _extract(sentence: _Sentence, score: float, cosine: float) -> Extract:
    return Extract(sentence.hit, sentence.text, sentence.span, score, cosine, sentence.before)


def _with_its_place(sentence: _Sentence) -> str:
    return " ".join([sentence.hit.title, *sentence.hit.headings, sentence.before, sentence.text])


def _sentences_of(hit: Hit) -> list[_Sentence]:
    pieces, before = [], ""
    spans = sentence_spans(hit.content)
    for (start, end), following in zip(spans, [*spans[1:], (0, 0)], strict=True):
        text = hit.content[start:end]
        heads_table = text.startswith("|") and _TABLE_RULE.match(hit.content[slice(*following)])
        if word_count(text) >= _LEAST_WORDS and not _NOT_PROSE.match(text) and not heads_table:
            pieces.append(_Sentence(hit, text, Span(hit.span.start + start, hit.span.start + end), before))
        before = text
    return pieces


def _distinct(scores: Sequence[float], vectors: Vectors, most: int) -> list[int]:
    """The best by score that do not repeat each other; a follower must be nearly as good as the first."""
    chosen: list[int] = []
    for index in sorted(range(len(scores)), key=lambda index: -scores[index]):
        if len(chosen) == most or (chosen and scores[index] < _WORTH * scores[chosen[0]]):
            break
        if all(float(vectors[index] @ vectors[other]) < _SAME for other in chosen):
            chosen.append(index)
    return chosen
