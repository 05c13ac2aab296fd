"""Runs an evaluation: index a data set from scratch, search, answer, and measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.datasets import Dataset, Query
from pipelines.evaluation.engines import MOST_HITS, EvaluatedEngine, asking
from pipelines.evaluation.figures import MEANINGS, figure
from pipelines.evaluation.indexing import Report, index, report_nothing
from pipelines.evaluation.metrics import (
    JudgedAnswer,
    answer_metrics,
    first_relevant,
    judge_answer,
    mean_scores,
    percentile,
    score_rankings,
)
from pipelines.types import IngestResult, Mode
from pipelines.types.frames import to_frame
from pipelines.types.markup import bold, count, faint, paragraph, table

if TYPE_CHECKING:
    from pandas import DataFrame

DOCUMENTS_SEEN = 100
FIRST_DEPTH = 300

Ranking = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class QueryRow:
    """The outcome of one question: measures, milliseconds and judged answer, each if it was measured.

    ``rank`` is that of the first relevant document among the hundred seen, from 1; None where there is none.
    """

    query_id: str
    text: str
    metrics: Mapping[str, float]
    query_ms: float | None = None
    answer: str | None = None
    judged: JudgedAnswer | None = None
    rank: int | None = None
    answer_ms: float | None = None

    def flat(self) -> dict[str, Any]:
        """Return the question as a row of a table."""
        own = {name: getattr(self, name) for name in ("query_id", "text", "rank", "query_ms", "answer", "answer_ms")}
        judged = {name: getattr(self.judged, name, None) for name in ("confidence", "right", "abstained")}
        return {**own, **judged, **self.metrics}


_COLUMNS = ("query_id", "text", "rank", "query_ms", "answer", "answer_ms", "confidence", "right", "abstained")
_SHOWN = ("ndcg@10", "recall@10", "answer_hit_rate", "calibration_error")


@dataclass(frozen=True, slots=True, repr=False)
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

    def __repr__(self) -> str:
        shown = [f"{name} {figure(name, self.metrics[name])}" for name in _SHOWN if name in self.metrics]
        return f"Evaluation({', '.join([f'{self.dataset} under {self.tenant}', *shown])})"

    def _repr_html_(self) -> str:
        """Return the measures as Jupyter shows them."""
        rows = ((name, figure(name, value), MEANINGS.get(name)) for name, value in self.metrics.items())
        counted = count(len(self.per_query), "question")
        failed = f", {count(len(self.failed), 'document')} failed" if self.failed else ""
        head = paragraph(bold(f"{self.dataset} under {self.tenant}"), faint(f" {counted}{failed}"))
        return head + table(("measure", "value", "what it says"), rows)

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for each question: its measures, and its answer where it was judged.

        Raises:
            MissingPackage: pandas is not installed.
        """
        return to_frame((row.flat() for row in self.per_query), _COLUMNS)


@dataclass(frozen=True, slots=True)
class _TimedAnswer:
    """An answer, its judgement, and its time in milliseconds."""

    text: str
    judged: JudgedAnswer
    ms: float


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
    report = progress or report_nothing
    with open_fresh() as engine:
        _check_filters(engine, dataset, mode)
        size, failed = index(engine, dataset.name, dataset.corpus, report)
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
        **latency("query", list(times.values())),
        **answer_metrics([one.judged for one in given.values()]),
        **latency("answer", [one.ms for one in given.values()]),
    }
    rows = []
    for asked in (*dataset.queries, *dataset.unanswerable):
        rank = first_relevant(dataset.qrels.get(asked.id, {}), [name for name, _ in run.get(asked.id, ())])
        row = QueryRow(asked.id, asked.text, scores.get(asked.id, {}), times.get(asked.id), rank=rank)
        answer = given.get(asked.id)
        if answer is not None:
            row = replace(row, answer=answer.text, judged=answer.judged, answer_ms=answer.ms)
        rows.append(row)
    return Evaluation(dataset.name, tenant, mode, metrics, tuple(rows), run, failed)


def _check_filters(engine: EvaluatedEngine, dataset: Dataset, mode: Mode | None) -> None:
    """Refuse filters that the profile does not know before a corpus is indexed, which may take hours."""
    for query in (*dataset.queries, *dataset.unanswerable):
        if query.filters or query.scope:
            with asking(query):  # with a text of no query, whose embedding would come out of a cache when it is timed
                engine.search("filters", top_k=1, filters=query.filters, scope=query.scope, mode=mode)


def latency(what: str, times: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile of ``times``, in milliseconds; empty for no times."""
    return {f"{what}_p50_ms": percentile(times, 0.50), f"{what}_p95_ms": percentile(times, 0.95)} if times else {}


def _understood(engine: EvaluatedEngine, dataset: Dataset) -> Dataset:
    """Return the data set with questions that stand alone."""
    queries, unanswerable = (
        tuple(replace(query, text=engine.standalone(query.text, query.earlier)) for query in asked)
        for asked in (dataset.queries, dataset.unanswerable)
    )
    return replace(dataset, queries=queries, unanswerable=unanswerable)


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
        with asking(query):
            # Before the deep search, and once for each text: a second time the embedding comes out of a cache.
            if query.text not in texts:
                times[query.id] = _timed(engine, query, mode)
                texts.add(query.text)
            run[query.id] = _ranking(engine, query, mode)
        report("search", done, len(queries))
    return times, run


def _timed(engine: EvaluatedEngine, query: Query, mode: Mode | None) -> float:
    """Return milliseconds of one plain search for the ten best chunks, the query's embedding included."""
    top_k = min(10, engine.profile.limits.top_k)
    started = perf_counter()
    engine.search(query.text, top_k=top_k, filters=query.filters, scope=query.scope, mode=mode)
    return (perf_counter() - started) * 1000


def _ranking(engine: EvaluatedEngine, query: Query, mode: Mode | None) -> Ranking:
    """Return the first hundred documents, by their best chunk; searches deeper until it has them or the hits end."""
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


def _answer_all(engine: EvaluatedEngine, dataset: Dataset, report: Report) -> dict[str, _TimedAnswer]:
    """Return the judged answers by query id: of questions with a gold answer, and of unanswerable ones."""
    asked = [(query, query.answers) for query in dataset.queries if query.answers]
    # Some sets write out how an unanswerable question should be declined: no text could be right there.
    asked += [(query, ()) for query in dataset.unanswerable]
    content = lru_cache(maxsize=256)(engine.content)
    given: dict[str, _TimedAnswer] = {}
    for done, (query, golds) in enumerate(asked, 1):
        started = perf_counter()
        with asking(query):
            answer = engine.answer(query.text, filters=query.filters, scope=query.scope)
        ms = (perf_counter() - started) * 1000
        relevant = [name for name, grade in dataset.qrels.get(query.id, {}).items() if grade > 0]
        given[query.id] = _TimedAnswer(answer.text, judge_answer(answer, golds, content, relevant), ms)
        report("answer", done, len(asked))
    return given
