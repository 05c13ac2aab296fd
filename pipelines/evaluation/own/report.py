"""Reports of an evaluation on own documents: a table, JSON and an HTML page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipelines.evaluation import plots
from pipelines.evaluation.figures import MEANINGS, degraded_line, figure
from pipelines.evaluation.html import Plot, plot, reliability, render_page
from pipelines.evaluation.metrics import risk_coverage
from pipelines.evaluation.own.measures import Tally, own_metrics, tallies
from pipelines.evaluation.own.run import OwnEvaluation, OwnRow
from pipelines.evaluation.report import failed_lines, failures
from pipelines.evaluation.report_files import write_files

_COLUMNS = ("asked", "right", "wrong", "missed", "declined", "markup", "cut_off", "words")
_WORST_FIRST = ("wrong", "missed", "right", "declined")


def own_summary(evaluation: OwnEvaluation) -> dict[str, Any]:
    """Return the evaluation as plain data, without its questions."""
    return {
        "dataset": evaluation.dataset,
        "tenant": evaluation.tenant,
        "abstain_below": evaluation.abstain_below,
        "questions": len(evaluation.rows),
        "kinds": [asdict(tally) for tally in tallies(evaluation.rows)],
        "degraded": _degraded(evaluation),
        "metrics": own_metrics(evaluation),
        "failed": failures(evaluation.failed),
    }


def own_table(evaluation: OwnEvaluation) -> str:
    """Counts of each kind of question and the measures, for a terminal."""
    counted = tallies(evaluation.rows)
    metrics = own_metrics(evaluation)
    width = max(map(len, (*metrics, *(tally.kind for tally in counted))))
    lines = [
        f"{evaluation.dataset} under {evaluation.tenant}: {len(evaluation.rows)} questions, "
        f"abstain_below {evaluation.abstain_below:g}",
        f"  {'':<{width}}" + "".join(f"{name.replace('_', ' '):>10}" for name in _COLUMNS),
        *(f"  {tally.kind:<{width}}" + "".join(f"{cell:>10}" for cell in _cells(tally)) for tally in counted),
        *(f"  {name:<{width}}  {figure(name, value):>8}" for name, value in metrics.items()),
    ]
    if warning := _without_model(evaluation):
        lines.append(f"  {warning}")
    return "\n".join([*lines, *failed_lines(evaluation.failed)])


def write_own_report(evaluation: OwnEvaluation, folder: Path) -> None:
    """Write ``report.html``, ``report.json`` and ``per_query.jsonl`` into the folder, made if need be.

    Raises:
        OSError: The folder cannot be written.
    """
    rows = (json.dumps(_row(row), ensure_ascii=False) + "\n" for row in evaluation.rows)
    files = {
        "report.html": _page(evaluation),
        "report.json": json.dumps(own_summary(evaluation), ensure_ascii=False, indent=2) + "\n",
        "per_query.jsonl": "".join(rows),
    }
    write_files(folder, files)


def _degraded(evaluation: OwnEvaluation) -> int:
    return sum(row.degraded for row in evaluation.rows)


def _without_model(evaluation: OwnEvaluation) -> str:
    return degraded_line(_degraded(evaluation), len(evaluation.rows))


def _cells(tally: Tally) -> list[str]:
    values = asdict(tally)
    words = "" if tally.words is None else figure("answer_words", tally.words)
    return [*(str(values[name]) for name in _COLUMNS[:-1]), words]


def _row(row: OwnRow) -> dict[str, Any]:
    return {
        "id": row.question.id,
        "question": row.question.question,
        "kind": row.question.kind,
        "outcome": row.outcome,
        "confidence": row.confidence,
        "answer": row.answer,
        "markup": row.markup,
        "cut_off": row.cut_off,
        "words": len(row.answer.split()),
        "cited": row.cited,
        "expected": row.question.doc,
        "undeterred": row.undeterred,
        "right_undeterred": row.right_undeterred,
        "signals": dict(row.signals),
        "ms": row.ms,
    }


def _page(evaluation: OwnEvaluation) -> str:
    rows = sorted(evaluation.rows, key=lambda row: (_WORST_FIRST.index(row.outcome), -row.confidence))
    return render_page(
        "own_documents.html",
        heading=f"{evaluation.dataset} under {evaluation.tenant}",
        counted=f"{len(rows)} questions; answers below {evaluation.abstain_below:g} are declined",
        warning=_without_model(evaluation),
        columns=[name.replace("_", " ") for name in _COLUMNS],
        kinds=[{"kind": tally.kind, "cells": _cells(tally)} for tally in tallies(evaluation.rows)],
        measures=[
            {"name": name, "value": figure(name, value), "meaning": MEANINGS.get(name, "")}
            for name, value in own_metrics(evaluation).items()
        ],
        plots=list(_plots(evaluation.rows)),
        failed=evaluation.failed,
        questions=[_shown(row) for row in rows],
    )


def _plots(rows: Sequence[OwnRow]) -> Iterator[Plot]:
    if rows:
        confidences, right = [row.confidence for row in rows], [row.right_undeterred for row in rows]
        yield plot("Answers that are right, by their confidence", plots.calibration, reliability(confidences, right))
        yield plot("Answers that are wrong, of the most confident ones", plots.risk, risk_coverage(confidences, right))


def _shown(row: OwnRow) -> dict[str, str]:
    faults = [f"shows a {name}" for name in row.markup] + ["ends in a lead-in"] * row.cut_off
    return {
        "id": row.question.id,
        "text": row.question.question,
        "kind": row.question.kind,
        "outcome": ", ".join([row.outcome, *faults]),
        "confidence": f"{row.confidence:.2f}",
        "answer": row.answer,
        "cited": ", ".join(row.cited),
        "expected": row.question.doc or "",
    }
