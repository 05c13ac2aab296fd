"""The run of an evaluation: index a data set afresh, search it, answer it, and measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, Protocol

from pipelines.errors import Conflict, InvalidRequest, Problem
from pipelines.evaluation.datasets import CorpusDocument, Dataset, Query
from pipelines.evaluation.metrics import (
    JudgedAnswer,
    answer_metrics,
    first_relevant,
    judge_answer,
    mean_scores,
    percentile,
    score_rankings,
)
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.schema import CatalogueSection, EdgeStore, Knowledge, Limits, Profile, ServerStore
from pipelines.profile.tools import ToolsSection
from pipelines.types import Answer, DocumentInput, IngestResult, Mode, Progress, SearchResult, Stats

DOCUMENTS_SEEN = 100
FIRST_DEPTH = 300
MOST_HITS = 10_000

Stage = Literal["ingest", "search", "answer"]
Report = Callable[[Stage, int, int | None], None]
Ranking = tuple[tuple[str, float], ...]


class EvaluatedEngine(Protocol):
    """What an evaluation asks of an engine."""

    @property
    def profile(self) -> Profile:
        """The profile it was opened with."""

    def ingest(
        self, documents: Iterable[DocumentInput], progress: Callable[[Progress], None] | None = None
    ) -> Sequence[IngestResult]:
        """Take documents in; one that cannot be taken has a result that says so."""

    def ingest_path(
        self, path: Path, metadata: Mapping[str, Any] = ..., progress: Callable[[Progress], None] | None = None
    ) -> Sequence[IngestResult]:
        """Take in a folder; a document's id is its path in it."""

    def optimize(self) -> None:
        """Make the index whole."""

    def stats(self) -> Stats:
        """How much it holds."""

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        mode: Mode | None = None,
    ) -> SearchResult:
        """The best chunks."""

    def answer(
        self, question: str, *, filters: Mapping[str, Any] | None = None, scope: Mapping[str, Any] | None = None
    ) -> Answer:
        """An answer with its citations."""

    def standalone(self, question: str, earlier: Sequence[tuple[str, str]]) -> str:
        """A follow-up with what it leaves out of earlier questions and answers."""

    def content(self, document_id: str, version: int | None = None) -> str:
        """The stored text of a version."""


@dataclass(frozen=True, slots=True)
class QueryRow:
    """What became of one question: its measures, milliseconds, and judged answer, each where it was measured.

    ``rank`` is that of the first relevant document among the hundred seen, from 1; None where there is none.
    """

    query_id: str
    text: str
    metrics: Mapping[str, float]
    query_ms: float | None = None
    answer: str | None = None
    judged: JudgedAnswer | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The measures of a profile on a data set.

    ``metrics`` is in the order in which they are printed, and leaves out what the data set cannot tell. ``run`` holds
    the first hundred documents of each query, the best first, with the score of their best chunk. ``mode`` is None
    where the profile's own was used. ``failed`` lists the documents that could not be taken in.
    """

    dataset: str
    tenant: str
    mode: Mode | None
    metrics: Mapping[str, float]
    per_query: tuple[QueryRow, ...]
    run: Mapping[str, Ranking]
    failed: tuple[IngestResult, ...]


def fresh_profile(loaded: LoadedProfile, dataset: Dataset) -> LoadedProfile:
    """The profile with which to open the engine for an evaluation: the same pipeline, apart from what is live.

    Nothing may reach a shared Qdrant server or catalogue, or the tenant's own documents; limits of requests do not
    bound the depth of the run; and the documents of a foreign data set need not have the tenant's required metadata.
    """
    profile = loaded.profile
    changes: dict[str, Any] = {
        "catalogue": CatalogueSection(),
        "conversations": profile.conversations.model_copy(update={"ttl_hours": 0.0}),
        "knowledge": Knowledge(path=profile.knowledge.path, sync="off"),
        "tools": ToolsSection(),
        "limits": Limits(question_chars=(1, 10**9), content_chars=(0, 10**9), file_bytes=10**10, top_k=MOST_HITS),
    }
    if isinstance(profile.store, ServerStore):
        kept = profile.store
        changes["store"] = EdgeStore(hnsw=kept.hnsw, quantization=kept.quantization, on_disk=kept.on_disk)
    if not isinstance(dataset.corpus, Path):
        fields = profile.metadata.fields.items()
        optional = {name: declared.model_copy(update={"required": False}) for name, declared in fields}
        changes["metadata"] = profile.metadata.model_copy(update={"fields": optional})
    elif dataset.metadata is not None:  # golden questions may be another tenant's, and their filters name its fields
        changes["metadata"] = dataset.metadata
    return LoadedProfile(profile.model_copy(update=changes), loaded.path)


def uncalibrated(loaded: LoadedProfile) -> LoadedProfile:
    """The profile with which to answer for a calibration: what was not answered cannot be judged.

    It does not read the calibration that it names, which may be still to be made.
    """
    answer = loaded.profile.answer.model_copy(update={"abstain_below": 0.0, "calibration": None})
    return LoadedProfile(loaded.profile.model_copy(update={"answer": answer}), loaded.path)


def evaluate(
    open_fresh: Callable[[], AbstractContextManager[EvaluatedEngine]],
    dataset: Dataset,
    *,
    mode: Mode | None = None,
    searches: bool = True,
    answers: bool = True,
    history: bool = False,
    progress: Report | None = None,
) -> Evaluation:
    """Measure an engine that holds nothing yet on a data set.

    Args:
        open_fresh: Opens the engine, in a data folder of its own, with what ``fresh_profile`` makes of the profile.
        dataset: What to index and to ask.
        mode: The legs to search; none for the profile's own. Answers always use the profile's own.
        searches: Whether to measure rankings and their latency.
        answers: Whether to answer the questions that have gold answers, and the unanswerable ones.
        history: Whether to ask follow-ups as the engine understands them behind the earlier turns of the data set; the
            rows have them so, and their times are without that.
        progress: Called with the stage, how much of it is done, and the total where it is known.

    Raises:
        Conflict: The engine holds documents already.
        InvalidRequest: No document could be taken in, the limits do not let the run look deep enough, or the profile
            does not know a filter of a query.
    """
    report = progress or _silent
    with open_fresh() as engine:
        size, failed = _index(engine, dataset, report)
        dataset = _understood(engine, dataset) if history else dataset
        times, run = _search_all(engine, dataset, mode, report) if searches else ({}, {})
        given = _answer_all(engine, dataset, report) if answers else {}
        tenant = engine.profile.tenant
    scores = score_rankings(
        dataset.qrels if searches else {}, {query: [name for name, _ in found] for query, found in run.items()}
    )
    metrics = {
        **mean_scores(scores),
        **size,
        **_latency(list(times.values())),
        **answer_metrics([judged for _, judged in given.values()]),
    }
    rows = []
    for asked in (*dataset.queries, *dataset.unanswerable):
        answer, judged = given.get(asked.id, (None, None))
        rank = first_relevant(dataset.qrels.get(asked.id, {}), [name for name, _ in run.get(asked.id, ())])
        measures = scores.get(asked.id, {})
        rows.append(QueryRow(asked.id, asked.text, measures, times.get(asked.id), answer, judged, rank))
    return Evaluation(dataset.name, tenant, mode, metrics, tuple(rows), run, failed)


def _latency(times: Sequence[float]) -> dict[str, float]:
    return {"query_p50_ms": percentile(times, 0.50), "query_p95_ms": percentile(times, 0.95)} if times else {}


def _understood(engine: EvaluatedEngine, dataset: Dataset) -> Dataset:
    """The data set with questions that stand alone."""
    queries, unanswerable = (
        tuple(replace(query, text=engine.standalone(query.text, query.earlier)) for query in asked)
        for asked in (dataset.queries, dataset.unanswerable)
    )
    return replace(dataset, queries=queries, unanswerable=unanswerable)


def _silent(stage: Stage, done: int, total: int | None) -> None:
    """Report nothing."""


def _index(
    engine: EvaluatedEngine, dataset: Dataset, report: Report
) -> tuple[dict[str, float], tuple[IngestResult, ...]]:
    def tell(progress: Progress) -> None:
        report("ingest", progress.documents_done, progress.documents_total)

    if held := engine.stats().documents:
        raise Conflict(f"an evaluation needs a data folder of its own, and this one holds {held} document(s)")
    started = perf_counter()
    if isinstance(dataset.corpus, Path):
        results = engine.ingest_path(dataset.corpus, progress=tell)
    else:
        results = engine.ingest(map(_offered, dataset.corpus), progress=tell)
    # An index that is still to be built is work not done yet, so it counts.
    engine.optimize()
    seconds = perf_counter() - started
    failed = tuple(result for result in results if result.state == "failed")
    if len(failed) == len(results):
        reason = f"; the first failed because: {failed[0].reason}" if failed else ", for it is empty"
        raise InvalidRequest(Problem(dataset.name, f"nothing of its corpus could be indexed{reason}"))
    chunks = engine.stats().chunks
    return {"chunks": chunks, "ingest_seconds": seconds, "chunks_per_second": chunks / seconds}, failed


def _offered(document: CorpusDocument) -> DocumentInput:
    """The document as it is ingested; some published sets have documents that are nothing but a title."""
    return DocumentInput(
        content=document.text if document.text.strip() else document.title,
        document_id=document.id,
        title=document.title,
        metadata=document.metadata,
    )


def _search_all(
    engine: EvaluatedEngine, dataset: Dataset, mode: Mode | None, report: Report
) -> tuple[dict[str, float], dict[str, Ranking]]:
    queries = [query for query in dataset.queries if dataset.has_relevant(query)]
    times: dict[str, float] = {}
    run: dict[str, Ranking] = {}
    texts: set[str] = set()
    if queries:
        engine.search("what the first search of an engine opens is not a query's own time", top_k=1, mode=mode)
    for done, query in enumerate(queries, 1):
        # Before the deep search, and once for each text: a second time the embedding comes out of a cache.
        if query.text not in texts:
            times[query.id] = _timed(engine, query, mode)
            texts.add(query.text)
        run[query.id] = _ranking(engine, query, mode)
        report("search", done, len(queries))
    return times, run


def _timed(engine: EvaluatedEngine, query: Query, mode: Mode | None) -> float:
    """Milliseconds of one plain search for the ten best chunks, the query's embedding included."""
    top_k = min(10, engine.profile.limits.top_k)
    started = perf_counter()
    engine.search(query.text, top_k=top_k, filters=query.filters, scope=query.scope, mode=mode)
    return (perf_counter() - started) * 1000


def _ranking(engine: EvaluatedEngine, query: Query, mode: Mode | None) -> Ranking:
    """The first hundred documents, by their best chunk; searches deeper until it has them or the hits end."""
    for top_k in _depths(engine.profile.limits.top_k):
        hits = engine.search(query.text, top_k=top_k, filters=query.filters, scope=query.scope, mode=mode).hits
        best: dict[str, float] = {}
        for hit in hits:
            best.setdefault(hit.document_id, hit.score)
        if len(best) >= DOCUMENTS_SEEN or len(hits) < top_k or top_k == MOST_HITS:
            return tuple(best.items())[:DOCUMENTS_SEEN]
    message = (
        f"{top_k} hits do not show {DOCUMENTS_SEEN} documents; open the engine with fresh_profile(profile, dataset)"
    )
    raise InvalidRequest(Problem("limits -> top_k", message))


def _depths(limit: int) -> Iterator[int]:
    depth = FIRST_DEPTH
    while depth < limit:
        yield depth
        depth *= 2
    yield limit


def _answer_all(engine: EvaluatedEngine, dataset: Dataset, report: Report) -> dict[str, tuple[str, JudgedAnswer]]:
    """The text of each answer and what it is worth, by query id; nothing where no question has a gold answer."""
    asked = [(query, query.answers) for query in dataset.queries if query.answers]
    if asked:
        # Some sets write out how an unanswerable question should be declined: no text could be right there.
        asked += [(query, ()) for query in dataset.unanswerable]
    content = lru_cache(maxsize=256)(engine.content)
    given: dict[str, tuple[str, JudgedAnswer]] = {}
    for done, (query, golds) in enumerate(asked, 1):
        answer = engine.answer(query.text, filters=query.filters, scope=query.scope)
        relevant = [name for name, grade in dataset.qrels.get(query.id, {}).items() if grade > 0]
        given[query.id] = (answer.text, judge_answer(answer, golds, content, relevant))
        report("answer", done, len(asked))
    return given
