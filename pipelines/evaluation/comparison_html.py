"""The page of a comparison: verdict, intervals, differing settings, and the questions that changed most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipelines.evaluation import plots
from pipelines.evaluation.bootstrap import RESAMPLES
from pipelines.evaluation.compare import Change, Comparison, Difference, spoken_p
from pipelines.evaluation.figures import MEANINGS, are_shares, figure
from pipelines.evaluation.html import Plot, answered, found_at, plot, render_page, scored, under_mode, without_model

_MOST_CHANGES = 25


def comparison_page(comparison: Comparison) -> str:
    """Return the page of a comparison."""
    first, second = comparison.evaluations
    measured = {difference.measure for difference in comparison.differences}
    return render_page(
        "comparison.html",
        heading=f"{comparison.names[0]} and {comparison.names[1]} on {first.dataset}",
        counted=f"{scored(first)} questions searched, {answered(first)} answered{under_mode(first)}",
        names=comparison.names,
        warnings=degraded_sides(comparison),
        verdict=comparison.verdict,
        rows=[_difference(difference) for difference in comparison.differences],
        figures=[
            {"name": name, "first": figure(name, value), "second": figure(name, second.metrics[name])}
            | {"meaning": MEANINGS.get(name, "")}
            for name, value in first.metrics.items()
            if name not in measured and name in second.metrics
        ],
        resamples=f"{RESAMPLES:,}",
        plots=list(_comparison_plots(comparison)),
        settings=comparison.settings,
        wins=[_change(change) for change in comparison.wins[:_MOST_CHANGES]],
        wins_left_out=max(0, len(comparison.wins) - _MOST_CHANGES),
        losses=[_change(change) for change in comparison.losses[:_MOST_CHANGES]],
        losses_left_out=max(0, len(comparison.losses) - _MOST_CHANGES),
    )


def degraded_sides(comparison: Comparison) -> list[str]:
    """Return a sentence on each side whose language model was not available."""
    sides = zip("AB", map(without_model, comparison.evaluations), strict=True)
    return [f"{letter}: {warning}" for letter, warning in sides if warning]


def _difference(difference: Difference) -> dict[str, Any]:
    name, interval = difference.measure, difference.interval
    return {
        "measure": name,
        "first": figure(name, interval.first),
        "second": figure(name, interval.second),
        "difference": figure(name, interval.difference, "+"),
        "interval": f"{figure(name, interval.low, '+')} to {figure(name, interval.high, '+')}",
        "p": spoken_p(interval.p),
        "adjusted": "" if difference.adjusted is None else spoken_p(difference.adjusted),
        "questions": difference.questions,
        "is_certain": difference.is_certain,
        "meaning": MEANINGS.get(name, ""),
    }


def _change(change: Change) -> dict[str, str]:
    return {
        "id": change.query_id,
        "text": change.text,
        "first": f"{change.first:.4f}",
        "second": f"{change.second:.4f}",
        "difference": f"{change.difference:+.4f}",
        "first_rank": found_at(change.first_rank),
        "second_rank": found_at(change.second_rank),
    }


def _comparison_plots(comparison: Comparison) -> Iterator[Plot]:
    rows = [
        plots.Interval95(one.measure, one.interval.low, one.interval.difference, one.interval.high, one.is_certain)
        for one in comparison.differences
        if are_shares(one.measure)
    ]
    yield plot("B less A, with 95 % intervals", plots.intervals, rows, "A is higher  |  B is higher")
    main = comparison.differences[0].measure
    ordered = [(change.text, change.difference) for change in comparison.changes]
    summary = f"{len(comparison.wins)} won, {len(ordered) - len(comparison.wins) - len(comparison.losses)} alike, "
    summary += f"{len(comparison.losses)} lost by B"
    yield plot(f"{main} of B less that of A, question by question", plots.columns, ordered, summary)
    times = {
        f"{side}: {name}": [row.query_ms for row in evaluation.per_query if row.query_ms is not None]
        for side, name, evaluation in zip("AB", comparison.names, comparison.evaluations, strict=True)
    }
    if all(times.values()):
        yield plot("Share of the searches that took no longer", plots.shares, times, "milliseconds")
