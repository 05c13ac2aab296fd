"""Reports of an evaluation: a table, JSON, an HTML page, and a run file for trec_eval."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pipelines.evaluation.evaluate import Evaluation, QueryRow
from pipelines.evaluation.figures import figure
from pipelines.evaluation.html import answered, degraded, evaluation_page, scored, without_model
from pipelines.evaluation.metrics import falling_scores
from pipelines.evaluation.report_files import write_files
from pipelines.types import IngestResult
from pipelines.types.markup import count

_SHOWN_FAILURES = 5


def summary(evaluation: Evaluation) -> dict[str, Any]:
    """Return the evaluation as plain data, without its queries; ``mode`` is null for the profile's own."""
    return {
        "dataset": evaluation.dataset,
        "tenant": evaluation.tenant,
        "mode": evaluation.mode,
        "queries": scored(evaluation),
        "answers": answered(evaluation),
        "degraded": degraded(evaluation),
        "metrics": dict(evaluation.metrics),
        "failed": failures(evaluation.failed),
    }


def format_table(evaluation: Evaluation) -> str:
    """Return the measures, one in a line, for a terminal; documents that could not be indexed are named below."""
    mode = f", {evaluation.mode}" if evaluation.mode else ""
    width = max(map(len, evaluation.metrics))
    lines = [
        f"{evaluation.dataset} under {evaluation.tenant}{mode}: "
        f"{scored(evaluation)} queries, {answered(evaluation)} answers",
        *(f"  {name:<{width}}  {figure(name, value):>12}" for name, value in evaluation.metrics.items()),
    ]
    if warning := without_model(evaluation):
        lines.append(f"  {warning}")
    if not answered(evaluation):
        lines.append("  no answer was judged, for no question says what a right one holds (answers)")
    return "\n".join([*lines, *failed_lines(evaluation.failed)])


def failures(failed: Sequence[IngestResult]) -> list[dict[str, Any]]:
    """Return the documents that could not be indexed as plain data."""
    return [{"document_id": one.document_id, "reason": one.reason} for one in failed]


def failed_lines(failed: Sequence[IngestResult]) -> Iterator[str]:
    """The first documents that could not be indexed, for a terminal."""
    if failed:
        yield f"  {count(len(failed), 'document')} could not be indexed:"
    for one in failed[:_SHOWN_FAILURES]:
        yield f"    {one.document_id}: {one.reason}"
    if (more := len(failed) - _SHOWN_FAILURES) > 0:
        yield f"    and {more} more"


def write_report(evaluation: Evaluation, folder: Path) -> None:
    """Write ``report.html``, ``report.json``, ``run.trec`` and ``per_query.jsonl`` into the folder, made if need be.

    Raises:
        OSError: The folder cannot be written.
    """
    rows = (json.dumps(_row(row, evaluation), ensure_ascii=False) + "\n" for row in evaluation.per_query)
    files = {
        "report.html": evaluation_page(evaluation),
        "report.json": json.dumps(summary(evaluation), ensure_ascii=False, indent=2) + "\n",
        "run.trec": "".join(_run_lines(evaluation)),
        "per_query.jsonl": "".join(rows),
    }
    write_files(folder, files)


def _run_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield lines of ``query Q0 document rank score tag``, with scores that no reader can put in another order."""
    for query, ranking in evaluation.run.items():
        scores = falling_scores([document for document, _ in ranking])
        for rank, (document, score) in enumerate(scores.items(), 1):
            yield f"{_word(query)} Q0 {_word(document)} {rank} {score:.0f} {evaluation.tenant}\n"


def _word(name: str) -> str:
    """Return a name without white space, which would end a column of a run: percent-encoded, and ``%`` too, to be
    undone.
    """
    return re.sub(r"[\s%]", lambda match: quote(match[0], safe=""), name)


def _row(row: QueryRow, evaluation: Evaluation) -> dict[str, Any]:
    """Return a line of ``per_query.jsonl``: flat, and without what was not measured."""
    found = evaluation.run.get(row.query_id)
    flat = {
        "query_id": row.query_id,
        "text": row.text,
        **row.metrics,
        "rank": row.rank,
        "query_ms": row.query_ms,
        "answer_ms": row.answer_ms,
        "documents": None if found is None else [document for document, _ in found[:10]],
        "answer": row.answer,
        **(asdict(row.judged) if row.judged else {}),
    }
    return {key: value for key, value in flat.items() if value is not None}
