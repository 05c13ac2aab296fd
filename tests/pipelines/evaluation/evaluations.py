"""Two evaluations of the same questions that can be foreseen, for the tests of comparisons."""

from __future__ import annotations

from random import Random

from pipelines.evaluation.evaluate import Evaluation, QueryRow
from pipelines.evaluation.metrics import JudgedAnswer, answer_metrics, mean_scores, percentile

MEASURES = ("ndcg@10", "recall@10", "recall@100", "mrr@10", "hit@1", "hit@5")


def evaluation(values: list[float], *, seed: int = 0, answers: bool = False, unanswerable: int = 0) -> Evaluation:
    """A question for each value, which is its nDCG@10; the metrics are what ``evaluate`` makes of such rows."""
    random = Random(seed)
    rows = [_row(number, value, random, answers) for number, value in enumerate(values)]
    rows += [
        QueryRow(f"u{number}", f"Why {number}?", {}, None, "So.", _judged(random, False))
        for number in range(unanswerable)
    ]
    times = [row.query_ms for row in rows if row.query_ms is not None]
    metrics = {
        **mean_scores({row.query_id: row.metrics for row in rows if row.metrics}),
        "chunks": 40,
        **({"query_p50_ms": percentile(times, 0.5), "query_p95_ms": percentile(times, 0.95)} if times else {}),
        **answer_metrics([row.judged for row in rows if row.judged]),
    }
    run = {row.query_id: ((f"d{row.query_id}", 0.9), ("other", 0.5)) for row in rows if row.metrics}
    return Evaluation("pets", "zoo", None, metrics, tuple(rows), run, ())


def _row(number: int, value: float, random: Random, answers: bool) -> QueryRow:
    measures = {name: value if name == "ndcg@10" else round(random.random(), 3) for name in MEASURES}
    rank = round(1 / value) if value else None
    judged = _judged(random, True) if answers else None
    return QueryRow(
        f"q{number}", f"What {number}?", measures, 1 + random.random(), "It." if answers else None, judged, rank
    )


def _judged(random: Random, answerable: bool) -> JudgedAnswer:
    abstained = random.random() < 0.2
    right = answerable and not abstained and random.random() < 0.6
    words = 0 if abstained else random.randrange(5, 60)
    citations = 0 if abstained else random.randrange(1, 4)
    f1 = random.random() if right else 0.0
    return JudgedAnswer(answerable, abstained, random.random(), right, f1, words, citations, min(citations, 2), right)
