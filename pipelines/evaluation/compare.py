"""Two profiles on one data set: every measure with what chance could do to it, question by question, and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any

from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.bootstrap import Interval, holm, paired_bootstrap
from pipelines.evaluation.evaluate import Evaluation, QueryRow
from pipelines.evaluation.samples import Pair, samples
from pipelines.profile.schema import Profile

FEWEST_QUESTIONS = 20
SIGNIFICANT = 0.05
_MAIN = ("ndcg@10", "answer_hit_rate")
_TIMES = {"query_p50_ms", "query_p95_ms", "answer_p50_ms", "answer_p95_ms"}
_LOWER_IS_BETTER = _TIMES | {"calibration_error", "aurc"}
_NEITHER_IS_BETTER = {"answer_words"}
_NOT_THE_PIPELINE = {"tenant", "title", "contract", "knowledge", "auth", "catalogue", "jobs", "retention", "limits"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of both, over the questions for which both have it; ``adjusted`` is p after Holm's correction.

    ``adjusted`` is None for the main measure, which was named before anything was measured, and for times.
    """

    measure: str
    interval: Interval
    questions: int
    adjusted: float | None = None

    @property
    def winner(self) -> int | None:
        """The better one, 0 or 1, whatever chance may say; None where they are alike or the measure takes no side."""
        gain = self.interval.difference
        if not gain or self.measure in _NEITHER_IS_BETTER:
            return None
        return int((gain > 0) != (self.measure in _LOWER_IS_BETTER))

    @property
    def is_certain(self) -> bool:
        """Whether chance is an unlikely explanation; of times never, for the draws know nothing of a busy machine."""
        if self.measure in _TIMES:
            return False
        p = self.interval.p if self.adjusted is None else self.adjusted
        return p < SIGNIFICANT and self.questions >= FEWEST_QUESTIONS


@dataclass(frozen=True, slots=True)
class Change:
    """One question under both: the main measure, and the rank of its first relevant document (None: not found)."""

    query_id: str
    text: str
    first: float
    second: float
    first_rank: int | None
    second_rank: int | None

    @property
    def difference(self) -> float:
        """Second less first."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class Setting:
    """A key that the profiles do not have alike."""

    path: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two evaluations of one data set, held against each other; ``names`` are those of the profiles.

    ``differences`` begins with the main measure; ``changes`` holds every question that has it, the second profile's
    biggest win first, its biggest loss last.
    """

    names: tuple[str, str]
    evaluations: tuple[Evaluation, Evaluation]
    differences: tuple[Difference, ...]
    changes: tuple[Change, ...]
    settings: tuple[Setting, ...]
    verdict: str

    @property
    def wins(self) -> tuple[Change, ...]:
        """Where the second is better, the biggest first."""
        return tuple(change for change in self.changes if change.difference > 0)

    @property
    def losses(self) -> tuple[Change, ...]:
        """Where the first is better, the biggest first."""
        return tuple(change for change in reversed(self.changes) if change.difference < 0)


def compare(
    names: tuple[str, str],
    evaluations: tuple[Evaluation, Evaluation],
    profiles: tuple[Profile, Profile] | None = None,
) -> Comparison:
    """Hold two evaluations of one data set against each other.

    Raises:
        InvalidRequest: No question has a relevant document or a gold answer.
    """
    pairs = list(_pairs(*evaluations))
    found = list(samples(pairs))
    main = next((name for name in _MAIN if any(sample.measure == name for sample in found)), None)
    if main is None:
        message = "no question has a relevant document or a gold answer, so there is nothing to compare by"
        raise InvalidRequest(Problem(evaluations[0].dataset, message))
    found.sort(key=lambda sample: sample.measure != main)
    intervals = [paired_bootstrap(sample.first, sample.second, sample.groups) for sample in found]
    differences = _corrected(
        Difference(sample.measure, interval, len(sample.groups))
        for sample, interval in zip(found, intervals, strict=True)
    )
    changes = tuple(sorted(starmap(_change, _by(main, pairs)), key=lambda one: (-one.difference, one.query_id)))
    settings = tuple(_settings(*profiles)) if profiles else ()
    return Comparison(names, evaluations, differences, changes, settings, verdict(names, differences, changes))


def _corrected(differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """The differences with what asking about all but the first, and but times, does to their p."""
    main, *others = differences
    asked = [one for one in others if one.measure not in _TIMES]
    adjusted = dict(zip((one.measure for one in asked), holm([one.interval.p for one in asked]), strict=True))
    return main, *(replace(one, adjusted=adjusted.get(one.measure)) for one in others)


def _pairs(first: Evaluation, second: Evaluation) -> Iterator[Pair]:
    others = {row.query_id: row for row in second.per_query}
    return ((row, others[row.query_id]) for row in first.per_query if row.query_id in others)


def _by(main: str, pairs: Sequence[Pair]) -> Iterator[tuple[QueryRow, QueryRow, float, float]]:
    for first, second in pairs:
        before, after = _value(main, first), _value(main, second)
        if before is not None and after is not None:
            yield first, second, before, after


def _value(main: str, row: QueryRow) -> float | None:
    if main in row.metrics:
        return row.metrics[main]
    answers = main == "answer_hit_rate" and row.judged is not None and row.judged.answerable
    return float(row.judged.right) if answers and row.judged else None


def _change(first: QueryRow, second: QueryRow, before: float, after: float) -> Change:
    return Change(first.query_id, first.text, before, after, first.rank, second.rank)


def verdict(names: tuple[str, str], differences: Sequence[Difference], changes: Sequence[Change]) -> str:
    """One sentence on the main measure, and on what else stands after asking about every measure at once."""
    main, *rest = differences
    others = [difference for difference in rest if difference.measure not in _TIMES]
    sides = (f"A ({names[0]})", f"B ({names[1]})")
    interval = main.interval
    figures = f"{main.measure} {interval.first:.4f} and {interval.second:.4f}, {_change_of(main)}"
    if main.questions < FEWEST_QUESTIONS:
        return (
            f"Too few questions to tell: {main.questions} of the {FEWEST_QUESTIONS} that it takes at least ({figures})."
        )
    if not any(change.difference for change in changes):
        start = f"No difference in {main.measure}: it is alike for each of {main.questions} questions"
    elif main.is_certain and main.winner is not None:
        start = f"{sides[main.winner]} is better: {figures} over {main.questions} questions"
    else:
        start = f"Chance could explain the difference between {sides[0]} and {sides[1]}: {figures} over "
        start += f"{main.questions} questions"
    return f"{start}; {_others(others)}." if others else f"{start}."


def _change_of(main: Difference) -> str:
    interval = main.interval
    return f"{interval.difference:+.4f} [{interval.low:+.4f}, {interval.high:+.4f}], p {spoken_p(interval.p)}"


def _others(others: Sequence[Difference]) -> str:
    certain = [difference for difference in others if difference.is_certain]
    asked = f"of the {len(others)} other measures of quality, corrected for asking about so many,"
    if not certain:
        return f"{asked} none differs by more than chance"
    return f"{asked} these differ: {', '.join(_side(difference) for difference in certain)}"


def _side(difference: Difference) -> str:
    if difference.winner is None:
        return difference.measure
    return f"{difference.measure} (for {'AB'[difference.winner]})"


def spoken_p(p: float) -> str:
    """A p as it is printed: no smaller than the draws can tell."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _settings(first: Profile, second: Profile) -> Iterator[Setting]:
    ours, theirs = dict(_flat(first.dump())), dict(_flat(second.dump()))
    for path in dict.fromkeys((*ours, *theirs)):
        if path.split(" -> ")[0] not in _NOT_THE_PIPELINE and ours.get(path) != theirs.get(path):
            yield Setting(path, ours.get(path, "not set"), theirs.get(path, "not set"))


def _flat(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key} -> ")
        else:
            yield f"{above}{key}", str(value)
