"""What was measured, as a Markdown table of bases and data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.quality.measuring import Measured

_COLUMNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("nDCG@10", ("ndcg@10",), ".3f"),
    ("answered right", ("right", "answer_hit_rate"), ".3f"),
    ("words", ("answer_words",), ".0f"),
    ("declined", ("declined",), ".2f"),
    ("AUROC", ("confidence_auroc", "abstention_auroc"), ".3f"),
    ("calibration error", ("calibration_error",), ".3f"),
    ("ms a question", ("answer_p50_ms",), ".0f"),
    ("ms a search", ("query_p50_ms",), ".1f"),
    ("chunks a second", ("chunks_per_second",), ".0f"),
)
_LEGEND = (
    "answered right: a gold answer stands in the answer, or on own documents the expectations are met.\n"
    "AUROC: answerable questions against unanswerable ones; on own documents right answers against all others, with\n"
    "abstaining off.\n"
    "ms: medians; where a set is searched too, the embedding of its questions is known when they are answered.\n"
    "MB: what the process held at most, ingestion included."
)


def table(measured: Sequence[Measured]) -> str:
    """A row for each set and base, sets together, and what the columns mean."""
    names = ["set", "base", *(name for name, _, _ in _COLUMNS), "MB"]
    lines = [" | ".join(names), " | ".join("---" for _ in names)]
    for one in sorted(measured, key=lambda one: one.dataset):
        cells = [one.dataset, one.base, *_cells(one.metrics), f"{one.megabytes:.0f}"]
        lines.append(" | ".join(cells))
    return "\n".join(f"| {line} |" for line in lines) + f"\n\n{_LEGEND}"


def _cells(metrics: Mapping[str, float]) -> list[str]:
    return [
        next((format(metrics[name], layout) for name in names if name in metrics), "") for _, names, layout in _COLUMNS
    ]
