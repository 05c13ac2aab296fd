"""Learns the weight of the dense leg in the fusion from judged questions.

Both legs are searched once for each question, and their lists are fused again with each weight. The worth of the
learned weight is measured on questions that it was not learned from: five folds, each with the weight that is best on
the other four.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.bootstrap import Interval, mean, paired_bootstrap
from pipelines.evaluation.datasets import Dataset, Query, distinct_questions
from pipelines.evaluation.engines import MOST_HITS, EvaluatedEngine, asking
from pipelines.evaluation.indexing import Report, index, report_nothing
from pipelines.evaluation.metrics import score_rankings
from pipelines.evaluation.report import failed_lines, failures
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.sections.retrieval import Retrieval
from pipelines.query.fusion import Leg, fuse
from pipelines.types import IngestResult

LEAST_QUESTIONS = 20
_FOLDS = 5
_GRID = tuple(step / 20 for step in range(21))
_MEASURE = "ndcg@10"

Legs = Mapping[str, Leg]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TunedFusion:
    """The weights of the dense leg, and what each is worth.

    Attributes:
        dataset: The name of the data set.
        questions: Number of different questions with relevant documents.
        scores: Mean nDCG@10 of all questions by weight.
        now: The profile's weight.
        best: The weight with the highest mean, the nearest to ``now`` among equals.
        gain: ``now`` against the learned weight, on questions that it was not learned from.
        failed: The documents that could not be indexed.
    """

    dataset: str
    questions: int
    scores: Mapping[float, float]
    now: float
    best: float
    gain: Interval
    failed: tuple[IngestResult, ...] = ()

    @property
    def is_better(self) -> bool:
        """Whether the learned weight finds more, and not by chance alone."""
        return self.best != self.now and self.gain.low > 0


def tuned_profile(loaded: LoadedProfile) -> LoadedProfile:
    """Return the profile to tune with: no stage behind the legs.

    Raises:
        InvalidRequest: The profile has no use for a weight.
    """
    retrieval = loaded.profile.retrieval
    if retrieval.mode != "hybrid":
        raise InvalidRequest(Problem("retrieval -> mode", f"is {retrieval.mode}: one leg alone has no weight to learn"))
    if retrieval.fusion != "convex":
        raise InvalidRequest(Problem("retrieval -> fusion", f"is {retrieval.fusion}: only convex fusion has a weight"))
    return LoadedProfile(loaded.profile.model_copy(update={"rerank": ()}), loaded.path)


def tune(
    open_fresh: Callable[[], AbstractContextManager[EvaluatedEngine]],
    dataset: Dataset,
    progress: Report | None = None,
) -> TunedFusion:
    """Learn the weight of the dense leg from a data set.

    Args:
        open_fresh: Opens an engine that holds nothing yet, with what ``tuned_profile`` makes of the profile.
        dataset: What to index and to ask.
        progress: Called with the stage, how much of it is done, and the total where it is known.

    Raises:
        InvalidRequest: There are too few different questions with relevant documents.
    """
    dataset = distinct_questions(dataset)
    asked = dataset.queries
    if len(asked) < LEAST_QUESTIONS:
        problem = f"a weight is learned from at least {LEAST_QUESTIONS} different questions with documents, and there"
        raise InvalidRequest(Problem(dataset.name, f"{problem} are {len(asked)}"))
    report = progress or report_nothing
    with open_fresh() as engine:
        _, failed = index(engine, dataset.name, dataset.corpus, report)
        settings = engine.profile.retrieval
        found = [_search(engine, query, done, len(asked), report) for done, query in enumerate(asked, 1)]
    weights = sorted({*_GRID, settings.dense_weight})
    table = np.array([_scores(dataset, asked, found, settings, weight) for weight in weights]).T
    learned = learn_weight(dataset.name, [query.id for query in asked], weights, settings.dense_weight, table)
    return replace(learned, failed=failed)


def _search(
    engine: EvaluatedEngine, query: Query, done: int, total: int, report: Report
) -> tuple[Legs, Mapping[str, str]]:
    """Return what each leg found for a question, and the document of each chunk."""
    most = min(2 * engine.profile.retrieval.candidates, MOST_HITS)
    with asking(query):
        found = engine.search(query.text, top_k=most, filters=query.filters, scope=query.scope, mode="hybrid")
    report("search", done, total)
    return found.trace.legs, {hit.chunk_id: hit.document_id for hit in found.hits}


def _scores(
    dataset: Dataset,
    asked: Sequence[Query],
    found: Sequence[tuple[Legs, Mapping[str, str]]],
    settings: Retrieval,
    weight: float,
) -> list[float]:
    """Return the measure of each question under a weight."""
    weighted = settings.model_copy(update={"dense_weight": weight})
    rankings = {
        query.id: list(dict.fromkeys(of[chunk] for chunk, _ in fuse(legs, weighted) if chunk in of))
        for query, (legs, of) in zip(asked, found, strict=True)
    }
    scores = score_rankings(dataset.qrels, rankings)
    return [scores[query.id][_MEASURE] for query in asked]


def learn_weight(name: str, queries: Sequence[str], weights: Sequence[float], now: float, table: Scores) -> TunedFusion:
    """Return the weight that a table of scores teaches.

    Args:
        name: The data set.
        queries: The ids of the questions, one a row; they say which fold a question is in.
        weights: The weights, one a column, with the profile's own among them.
        now: The profile's own.
        table: The measure of each question under each weight, (questions, weights).
    """
    present = weights.index(now)
    folds = np.array([hashlib.sha256(query.encode()).digest()[0] % _FOLDS for query in queries])
    learned = np.empty(len(queries))
    for fold in set(folds.tolist()):
        rest = table[folds != fold]
        chosen = _best(rest if len(rest) else table, weights, now)
        learned[folds == fold] = table[folds == fold, chosen]
    gain = paired_bootstrap(mean(table[:, present].tolist()), mean(learned.tolist()), [0] * len(queries))
    means = dict(zip(weights, table.mean(axis=0).tolist(), strict=True))
    return TunedFusion(name, len(queries), means, now, weights[_best(table, weights, now)], gain)


def _best(table: Scores, weights: Sequence[float], now: float) -> int:
    """Return the column of the best weight; of equals, the nearest to the profile's own."""
    means = np.round(table.mean(axis=0), 9)
    return min(range(len(weights)), key=lambda column: (-means[column], abs(weights[column] - now)))


def tuning_summary(tuned: TunedFusion) -> dict[str, Any]:
    """Return the result as JSON."""
    gain = tuned.gain
    return {
        "dataset": tuned.dataset,
        "questions": tuned.questions,
        "dense_weight": {"now": tuned.now, "best": tuned.best},
        _MEASURE: {_shown(weight): score for weight, score in tuned.scores.items()},
        "held_out": {
            "now": gain.first,
            "learned": gain.second,
            "difference": gain.difference,
            "low": gain.low,
            "high": gain.high,
        },
        "is_better": tuned.is_better,
        "failed": failures(tuned.failed),
    }


def tuning_table(tuned: TunedFusion) -> str:
    """Return the result for people."""
    gain, marks = tuned.gain, {tuned.best: "best", tuned.now: "now"}
    lines = [f"{tuned.dataset}: {tuned.questions} questions", f"dense_weight  {_MEASURE}"]
    lines += [
        f"{_shown(weight):>12}  {score:.4f}  {marks.get(weight, '')}".rstrip() for weight, score in tuned.scores.items()
    ]
    lines.append(
        f"on questions that it was not learned from: {gain.first:.4f} now, {gain.second:.4f} learned "
        f"(difference {gain.difference:+.4f}, 95 % from {gain.low:+.4f} to {gain.high:+.4f})"
    )
    if tuned.is_better:
        lines.append(f"for the profile: retrieval: {{dense_weight: {tuned.best:g}}}")
    else:
        lines.append(f"keep dense_weight {tuned.now:g}: no other weight is better by more than chance")
    return "\n".join([*lines, *failed_lines(tuned.failed)])


def _shown(weight: float) -> str:
    """Return a weight with two decimals; one that they would round, in full."""
    short = f"{weight:.2f}"
    return short if float(short) == weight else repr(weight)
