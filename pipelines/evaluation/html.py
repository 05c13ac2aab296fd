"""Reports as pages that stand alone: nothing is loaded from anywhere, plots are inside, every text is escaped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pipelines.evaluation import plots
from pipelines.evaluation.evaluate import Evaluation, QueryRow
from pipelines.evaluation.figures import MEANINGS, degraded_line, figure
from pipelines.evaluation.metrics import calibration_bins, risk_coverage

_MOST_QUESTIONS = 500
_RANKS = ((1, "1"), (2, "2"), (3, "3"), (5, "4-5"), (10, "6-10"), (20, "11-20"), (100, "21-100"))
_ENVIRONMENT = Environment(
    loader=PackageLoader("pipelines.evaluation"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=lambda value: _printable(value) if type(value) is str else value,  # never markup: it is finished
)


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with the sentence above it; ``svg`` may go into a page as it is."""

    caption: str
    svg: Markup


def evaluation_page(evaluation: Evaluation) -> str:
    """Return the page of one evaluation."""
    ranked = sorted((row for row in evaluation.per_query if row.metrics), key=lambda row: row.metrics["ndcg@10"])
    answered_only = [row for row in evaluation.per_query if not row.metrics and row.judged]
    rows = ranked + answered_only
    return render_page(
        "evaluation.html",
        heading=f"{evaluation.dataset} under {evaluation.tenant}",
        counted=f"{scored(evaluation)} questions searched, {answered(evaluation)} answered{under_mode(evaluation)}",
        warning=without_model(evaluation),
        measures=[
            {"name": name, "value": figure(name, value), "meaning": MEANINGS.get(name, "")}
            for name, value in evaluation.metrics.items()
        ],
        plots=list(_evaluation_plots(evaluation)),
        failed=evaluation.failed,
        questions=[_question(row, evaluation) for row in rows[:_MOST_QUESTIONS]],
        left_out=max(0, len(rows) - _MOST_QUESTIONS),
    )


def render_page(template: str, **values: Any) -> str:
    """Return a template filled in; whatever is not markup already is escaped."""
    return _ENVIRONMENT.get_template(template).render(**values)


def scored(evaluation: Evaluation) -> int:
    """Return how many questions were searched and scored."""
    return sum(bool(row.metrics) for row in evaluation.per_query)


def answered(evaluation: Evaluation) -> int:
    """Return how many questions were answered and judged."""
    return sum(row.judged is not None for row in evaluation.per_query)


def degraded(evaluation: Evaluation) -> int:
    """Return how many answers the profile's language model was to write, and could not."""
    return sum(row.judged is not None and row.judged.degraded for row in evaluation.per_query)


def without_model(evaluation: Evaluation) -> str:
    """Return a sentence on degraded answers; empty without any."""
    return degraded_line(degraded(evaluation), answered(evaluation))


def under_mode(evaluation: Evaluation) -> str:
    """Return what follows the counts where the legs were not left to the profile."""
    return f", {evaluation.mode} leg(s)" if evaluation.mode else ""


def _question(row: QueryRow, evaluation: Evaluation) -> dict[str, str]:
    return {
        "id": row.query_id,
        "text": row.text,
        "value": figure("ndcg@10", row.metrics["ndcg@10"]) if row.metrics else "",
        "rank": found_at(row.rank) if row.metrics else "",
        "found": ", ".join(document for document, _ in evaluation.run.get(row.query_id, ())[:3]),
        "answer": row.answer or "",
    }


def found_at(rank: int | None) -> str:
    """Return a rank as a page says it."""
    return "not found" if rank is None else str(rank)


def _evaluation_plots(evaluation: Evaluation) -> Iterator[Plot]:
    rows = [row for row in evaluation.per_query if row.metrics]
    if rows:
        yield plot("Rank of the first relevant document", plots.bars, _by_rank(rows), "rank")
        yield plot("ndcg@10 of each question", plots.bars, _by_tenth(rows), "ndcg@10")
    if times := [row.query_ms for row in rows if row.query_ms is not None]:
        caption = "Share of the searches that took no longer"
        yield plot(caption, plots.shares, {evaluation.tenant: times}, "milliseconds")
    if given := [row.judged for row in evaluation.per_query if row.judged and not row.judged.abstained]:
        caption = "Answers that are right, by their confidence"
        confidences, sound = [one.confidence for one in given], [one.sound for one in given]
        yield plot(caption, plots.calibration, reliability(confidences, sound))
        curve = risk_coverage(confidences, sound)
        yield plot("Answers that are wrong, of the most confident ones", plots.risk, curve)


def _by_rank(rows: Sequence[QueryRow]) -> dict[str, int]:
    counts = {label: 0 for _, label in _RANKS} | {"none": 0}
    for row in rows:
        counts[next((label for most, label in _RANKS if row.rank and row.rank <= most), "none")] += 1
    return counts


def _by_tenth(rows: Sequence[QueryRow]) -> Mapping[str, int]:
    labels = ["0", *(f"to .{tenth}" for tenth in range(1, 10)), "to 1", "1"]
    counts = dict.fromkeys(labels, 0)
    for row in rows:
        value = row.metrics["ndcg@10"]
        counts["0" if value == 0 else "1" if value >= 1 else labels[1 + int(value * 10)]] += 1
    return counts


def reliability(confidences: Sequence[float], right: Sequence[bool]) -> Iterator[tuple[float, float, int]]:
    """(mean confidence, share right, answers) of each bin of the calibration error."""
    bins: defaultdict[int, list[tuple[float, bool]]] = defaultdict(list)
    for place, confidence, sound in zip(calibration_bins(confidences), confidences, right, strict=True):
        bins[place].append((confidence, sound))
    for _, answers in sorted(bins.items()):
        size = len(answers)
        yield sum(one for one, _ in answers) / size, sum(one for _, one in answers) / size, size


def plot(caption: str, draw: Callable[..., str], *of_what: object) -> Plot:
    """Return what ``draw``, one of the functions of `plots`, makes of the rest of the arguments."""
    return Plot(caption, Markup(draw(caption, *of_what)))  # noqa: S704 - ElementTree has escaped it


def _printable(text: str) -> str:
    """Return the text without control characters, which a page must not hold."""
    return "".join(character if character >= " " or character in "\n\t" else " " for character in text)
