"""Reports of a comparison: a table, JSON, an HTML page, and the two evaluations."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipelines.evaluation.compare import Change, Comparison, Difference, spoken_p
from pipelines.evaluation.comparison_html import comparison_page, degraded_sides
from pipelines.evaluation.figures import figure
from pipelines.evaluation.report import failed_lines, summary, write_report
from pipelines.evaluation.report_files import write_files

_SHOWN_CHANGES = 3
_SHOWN_CHARACTERS = 90
_LISTED_CHANGES = 10


def comparison_summary(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as plain data, with the biggest wins and losses of the second profile."""
    wins, losses = comparison.wins, comparison.losses
    return {
        "dataset": comparison.evaluations[0].dataset,
        "verdict": comparison.verdict,
        "profiles": [
            {"name": name, **summary(evaluation)}
            for name, evaluation in zip(comparison.names, comparison.evaluations, strict=True)
        ],
        "differences": [_difference(difference) for difference in comparison.differences],
        "settings": [asdict(setting) for setting in comparison.settings],
        "questions": {
            "won": len(wins),
            "lost": len(losses),
            "alike": len(comparison.changes) - len(wins) - len(losses),
            "biggest_wins": [_change(change) for change in wins[:_LISTED_CHANGES]],
            "biggest_losses": [_change(change) for change in losses[:_LISTED_CHANGES]],
        },
    }


def comparison_table(comparison: Comparison) -> str:
    """Return the measures of both, wins and losses, and the verdict, for a terminal; A is the first profile, B the
    second.
    """
    names = comparison.names
    alike = len(comparison.changes) - len(comparison.wins) - len(comparison.losses)
    main = comparison.differences[0].measure
    lines = [
        f"A: {names[0]}",
        f"B: {names[1]}",
        f"on {comparison.evaluations[0].dataset}",
        *_rows(comparison.differences),
        f"{main}: B won {len(comparison.wins)} questions, lost {len(comparison.losses)}, {alike} alike",
        *_named("won", comparison.wins),
        *_named("lost", comparison.losses),
        *degraded_sides(comparison),
        *_failures(comparison),
        comparison.verdict,
    ]
    return "\n".join(lines)


def write_comparison(comparison: Comparison, folder: Path) -> None:
    """Write ``report.html``, ``report.json`` and ``per_query.jsonl``, and what ``evaluate`` writes in ``a`` and ``b``.

    Raises:
        OSError: The folder cannot be written.
    """
    for name, evaluation in zip("ab", comparison.evaluations, strict=True):
        write_report(evaluation, folder / name)
    rows = (json.dumps(_change(change), ensure_ascii=False) + "\n" for change in comparison.changes)
    files = {
        "report.html": comparison_page(comparison),
        "report.json": json.dumps(comparison_summary(comparison), ensure_ascii=False, indent=2) + "\n",
        "per_query.jsonl": "".join(rows),
    }
    write_files(folder, files)


def _difference(difference: Difference) -> dict[str, Any]:
    interval = difference.interval
    return {
        "measure": difference.measure,
        "a": interval.first,
        "b": interval.second,
        "difference": interval.difference,
        "low": interval.low,
        "high": interval.high,
        "p": interval.p,
        "p_holm": difference.adjusted,
        "questions": difference.questions,
        "certain": difference.is_certain,
        "better": None if difference.winner is None else "ab"[difference.winner],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "query_id": change.query_id,
        "text": change.text,
        "a": change.first,
        "b": change.second,
        "difference": change.difference,
        "rank_a": change.first_rank,
        "rank_b": change.second_rank,
    }


def _rows(differences: Sequence[Difference]) -> Iterator[str]:
    width = max(len(difference.measure) for difference in differences)
    yield f"  {'':<{width}}  {'A':>10}  {'B':>10}  {'B - A':>10}  {'95 % interval':>22}  {'p':>7}  {'p (Holm)':>8}"
    for one in differences:
        name, interval = one.measure, one.interval
        bounds = f"{figure(name, interval.low, '+')} to {figure(name, interval.high, '+')}"
        adjusted = "" if one.adjusted is None else spoken_p(one.adjusted)
        yield (
            f"{'*' if one.is_certain else ' '} {name:<{width}}  {figure(name, interval.first):>10}  "
            f"{figure(name, interval.second):>10}  {figure(name, interval.difference, '+'):>10}  "
            f"{bounds:>22}  {spoken_p(interval.p):>7}  {adjusted:>8}"
        ).rstrip()


def _named(what: str, changes: Sequence[Change]) -> Iterator[str]:
    for change in changes[:_SHOWN_CHANGES]:
        ranks = f"rank {_rank(change.first_rank)} -> {_rank(change.second_rank)}"
        question = textwrap.shorten(change.text, _SHOWN_CHARACTERS, placeholder=" ...")
        yield f"  {what} {change.difference:+.4f}, {ranks}: {question} ({change.query_id})"


def _failures(comparison: Comparison) -> Iterator[str]:
    """Yield the documents that one of the two does not have."""
    for letter, evaluation in zip("AB", comparison.evaluations, strict=True):
        yield from (f"{letter}: {line.strip()}" for line in failed_lines(evaluation.failed))


def _rank(rank: int | None) -> str:
    return "none" if rank is None else str(rank)
