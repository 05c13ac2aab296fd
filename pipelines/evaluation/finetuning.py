"""Learns an adapter of the embedding model from judged questions, and measures what it is worth.

Vectors of texts stay as they are, so nothing is embedded again. The worth is measured on questions that the adapter was
not learned from: five folds, each searched with an adapter that the other four taught.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from pipelines.components.embedding.adapter import QueryAdapter
from pipelines.components.embedding.base import Vectors, normalised
from pipelines.errors import InvalidRequest, NotFound, Problem
from pipelines.evaluation.adapting import Fitting, Lesson
from pipelines.evaluation.bootstrap import Interval, mean, paired_bootstrap
from pipelines.evaluation.datasets import Dataset, Query, distinct_questions
from pipelines.evaluation.engines import MOST_HITS, EvaluatedEngine, asking
from pipelines.evaluation.indexing import Report, index, report_nothing
from pipelines.evaluation.metrics import score_rankings
from pipelines.evaluation.report import failed_lines, failures
from pipelines.profile.adapter import AdapterAbout
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.sections.retrieval import Retrieval
from pipelines.query.fusion import Leg, fuse
from pipelines.query.lexicon import read_lexicon
from pipelines.types import Hit, IngestResult, Mode, SearchResult
from pipelines.types.markup import bold, join, paragraph, table

LEAST_QUESTIONS = 40
_FOLDS = 5
_MEASURE = "ndcg@10"
_NEGATIVES = 30  # of each leg: chunks that look right and are not
_POSITIVES = 8  # chunks of a question's documents

Scores = list[float]


class FinetunedEngine(EvaluatedEngine, Protocol):
    """The engine as finetuning uses it."""

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        mode: Mode | None = None,
        vector: Sequence[float] | None = None,
    ) -> SearchResult:
        """Return the best chunks; with a ``vector``, the nearest to it."""

    def embed(self, texts: Sequence[str], *, as_questions: bool = False) -> list[list[float]]:
        """Return unit vectors."""

    def chunks(self, document_id: str) -> tuple[Hit, ...]:
        """Return the chunks of a document."""

    def chunk_vectors(self, chunk_ids: Sequence[str]) -> dict[str, list[float]]:
        """Return the stored vectors of chunks."""


@dataclass(frozen=True, slots=True)
class FinetunedEmbedding:
    """An adapter learned from all questions, and what adapters are worth on questions held out from their learning.

    Attributes:
        adapter: The adapter; `QueryAdapter.write` writes it to a file.
        gain: nDCG@10 of the profile's search without an adapter, and with one.
        dense: The same of the dense leg alone.
        failed: The documents that could not be indexed.
    """

    adapter: QueryAdapter
    gain: Interval
    dense: Interval
    failed: tuple[IngestResult, ...] = ()

    @property
    def is_better(self) -> bool:
        """Whether the profile's search finds more with an adapter, and not by chance alone."""
        return self.gain.low > 0

    def __repr__(self) -> str:
        about = self.adapter.about
        return f"FinetunedEmbedding({about.dataset}: {about.questions} questions, {_MEASURE} {_change(self.gain)})"

    def _repr_html_(self) -> str:
        """Both measures, for Jupyter."""
        rows = (("search", _change(self.gain)), ("dense leg alone", _change(self.dense)))
        return join([paragraph(bold(repr(self))), table(("of", _MEASURE), rows), paragraph(_verdict(self))])


def finetuned_profile(loaded: LoadedProfile) -> LoadedProfile:
    """Return the profile to learn with: its legs without an adapter and without a stage behind them."""
    embedding = loaded.profile.embedding.model_copy(update={"adapter": None})
    return LoadedProfile(loaded.profile.model_copy(update={"embedding": embedding, "rerank": ()}), loaded.path)


def finetune(
    open_fresh: Callable[[], AbstractContextManager[FinetunedEngine]],
    dataset: Dataset,
    progress: Report | None = None,
) -> FinetunedEmbedding:
    """Learn an adapter from a data set.

    Args:
        open_fresh: Opens an engine that holds nothing yet, with what ``finetuned_profile`` makes of the profile.
        dataset: What to index and to ask.
        progress: Called with the stage, how much of it is done, and the total where it is known.

    Raises:
        InvalidRequest: There are too few questions with relevant documents, or the profile searches for words only.
    """
    asked = distinct_questions(dataset)
    if len(asked.queries) < LEAST_QUESTIONS:
        problem = f"an adapter is learned from at least {LEAST_QUESTIONS} different questions with documents, and"
        raise InvalidRequest(Problem(dataset.name, f"{problem} there are {len(asked.queries)}"))
    report = progress or report_nothing
    with open_fresh() as engine:
        if engine.profile.retrieval.mode == "sparse":
            raise InvalidRequest(Problem("retrieval -> mode", "is sparse: such a search has no use for an adapter"))
        _, failed = index(engine, dataset.name, dataset.corpus, report)
        return replace(_learn(engine, asked, report), failed=failed)


class _Asked:
    """A question as it is searched for, with what its legs found without an adapter.

    ``documents`` names the document of each chunk.
    """

    def __init__(self, engine: FinetunedEngine, query: Query, vector: Vectors) -> None:
        self.query, self.vector = query, vector
        self._engine = engine
        self._most = min(2 * engine.profile.retrieval.candidates, MOST_HITS)
        self.documents: dict[str, str] = {}
        self.legs = dict(self._search(query.text, engine.profile.retrieval.mode))
        self.legs["dense"] = self.near(vector)

    def near(self, vector: Vectors) -> Leg:
        """Return the dense leg of a vector."""
        return self._search("", "dense", vector.tolist())["dense"]

    def _search(self, text: str, mode: Mode, vector: Sequence[float] | None = None) -> Mapping[str, Leg]:
        query = self.query
        found = self._engine.search(
            text, top_k=self._most, filters=query.filters, scope=query.scope, mode=mode, vector=vector
        )
        self.documents |= {hit.chunk_id: hit.document_id for hit in found.hits}
        return found.trace.legs

    def ranking(self, dense: Leg, settings: Retrieval) -> list[str]:
        """Return documents in the order in which the fused legs find them, with another dense leg."""
        found = (self.documents.get(chunk) for chunk, _ in fuse({**self.legs, "dense": dense}, settings))
        return list(dict.fromkeys(document for document in found if document is not None))


def _learn(engine: FinetunedEngine, asked: Dataset, report: Report) -> FinetunedEmbedding:
    settings = engine.profile.retrieval
    explained = read_lexicon(settings.expansion).explained
    vectors = np.array(engine.embed([explained(query.text) for query in asked.queries], as_questions=True), np.float32)
    found = []
    for done, (query, vector) in enumerate(zip(asked.queries, vectors, strict=True), 1):
        with asking(query):
            found.append(_Asked(engine, query, vector))
        report("search", done, len(vectors))
    lessons = _lessons(engine, asked, found)
    if not lessons:
        raise InvalidRequest(Problem(asked.name, "none of the documents that its questions name could be indexed"))
    chunk_ids = sorted(set().union(*(lesson.chunks for lesson in lessons.values())))
    known = engine.chunk_vectors(chunk_ids)
    fitting = Fitting(chunk_ids, np.array([known[chunk] for chunk in chunk_ids], np.float32))
    held_out = _held_out(found, lessons, fitting)
    adapted = [one.near(vector) for one, vector in zip(found, held_out, strict=True)]
    gain, dense = (
        _gain(asked, found, adapted, measured)
        for measured in (settings, settings.model_copy(update={"dense_weight": 1.0, "fusion": "convex"}))
    )
    about = AdapterAbout(
        model=engine.stats().embedding,
        dimensions=vectors.shape[1],
        dataset=asked.name,
        questions=len(vectors),
        before=gain.first,
        after=gain.second,
    )
    return FinetunedEmbedding(QueryAdapter(about, fitting.fit([*lessons.values()])), gain, dense)


def _lessons(engine: FinetunedEngine, asked: Dataset, found: Sequence[_Asked]) -> dict[str, Lesson]:
    """Return what to learn from each question whose documents could be read, by its id."""
    relevant = {one.query.id: _relevant(asked, one.query) for one in found}
    parts = {document: _parts(engine, document) for document in sorted(set().union(*relevant.values()))}
    lessons = {}
    for one in found:
        own = [part for document in relevant[one.query.id] for part in parts[document]]
        nearest = sorted(own, key=lambda part: -float(one.vector @ part[1]))[:_POSITIVES]
        right = frozenset(chunk for chunk, _ in nearest)
        if right:
            lessons[one.query.id] = Lesson(one.vector, right | _negatives(one, relevant[one.query.id]), right)
    return lessons


def _relevant(asked: Dataset, query: Query) -> frozenset[str]:
    return frozenset(document for document, grade in asked.qrels[query.id].items() if grade > 0)


def _parts(engine: FinetunedEngine, document: str) -> list[tuple[str, Vectors]]:
    """Return the chunks of a document with their vectors; none where it could not be read."""
    try:
        chunks = engine.chunks(document)
    except NotFound:
        return []
    vectors = engine.chunk_vectors([chunk.chunk_id for chunk in chunks])
    return [(chunk, np.array(vector, np.float32)) for chunk, vector in vectors.items()]


def _negatives(one: _Asked, relevant: Collection[str]) -> frozenset[str]:
    """Return the chunks that each leg ranks highest and that are not of a relevant document."""
    wrong = ([chunk for chunk, _ in leg if one.documents.get(chunk) not in relevant] for leg in one.legs.values())
    return frozenset(chunk for leg in wrong for chunk in leg[:_NEGATIVES] if chunk in one.documents)


def _held_out(found: Sequence[_Asked], lessons: Mapping[str, Lesson], fitting: Fitting) -> Vectors:
    """Return the vector of each question, adapted by what the other folds teach."""
    folds = np.array([hashlib.sha256(one.query.text.encode()).digest()[0] % _FOLDS for one in found])
    adapted = np.stack([one.vector for one in found])
    for fold in sorted(set(folds.tolist())):
        rest = [one.query.id for one, its in zip(found, folds, strict=True) if its != fold]
        taught = [lessons[query] for query in rest if query in lessons]
        if taught:
            vectors = adapted[folds == fold]
            adapted[folds == fold] = normalised(vectors + vectors @ fitting.fit(taught))
    return adapted


def _gain(asked: Dataset, found: Sequence[_Asked], adapted: Sequence[Leg], settings: Retrieval) -> Interval:
    """Return the measure of a search without an adapter, and with one."""
    before = _scores(asked, {one.query.id: one.ranking(one.legs["dense"], settings) for one in found})
    after = _scores(asked, {one.query.id: one.ranking(leg, settings) for one, leg in zip(found, adapted, strict=True)})
    return paired_bootstrap(mean(before), mean(after), [0] * len(found))


def _scores(asked: Dataset, rankings: Mapping[str, Sequence[str]]) -> list[float]:
    scores = score_rankings(asked.qrels, rankings)
    return [scores[query.id][_MEASURE] for query in asked.queries]


def finetuning_summary(finetuned: FinetunedEmbedding) -> dict[str, Any]:
    """Return the result as JSON."""
    about = finetuned.adapter.about
    return {
        "dataset": about.dataset,
        "questions": about.questions,
        "model": about.model,
        _MEASURE: {"search": _interval(finetuned.gain), "dense": _interval(finetuned.dense)},
        "is_better": finetuned.is_better,
        "failed": failures(finetuned.failed),
    }


def finetuning_table(finetuned: FinetunedEmbedding) -> str:
    """Return the result for people."""
    about = finetuned.adapter.about
    return "\n".join(
        [
            f"{about.dataset}: {about.questions} questions",
            f"{_MEASURE} of questions that the adapter was not learned from:",
            f"  the profile's search  {_change(finetuned.gain)}",
            f"  the dense leg alone   {_change(finetuned.dense)}",
            _verdict(finetuned),
            *failed_lines(finetuned.failed),
        ]
    )


def _interval(gain: Interval) -> dict[str, float]:
    return {
        "before": gain.first,
        "after": gain.second,
        "difference": gain.difference,
        "low": gain.low,
        "high": gain.high,
    }


def _change(gain: Interval) -> str:
    return (
        f"{gain.first:.4f} before, {gain.second:.4f} after "
        f"(difference {gain.difference:+.4f}, 95 % from {gain.low:+.4f} to {gain.high:+.4f})"
    )


def _verdict(finetuned: FinetunedEmbedding) -> str:
    if finetuned.is_better:
        return "the adapter finds more, and not by chance alone"
    return "no adapter: what it finds more may be chance"
