"""Two profiles on one data set: every measure with its significance, the questions that changed, and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import TYPE_CHECKING, Any

from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.bootstrap import Interval, holm, paired_bootstrap
from pipelines.evaluation.evaluate import Evaluation, QueryRow
from pipelines.evaluation.figures import figure
from pipelines.evaluation.samples import Pair, samples
from pipelines.profile.schema import Profile
from pipelines.types.frames import to_frame
from pipelines.types.markup import bold, join, paragraph, table

if TYPE_CHECKING:
    from pandas import DataFrame

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

    ``questions`` is how many of them it rests on: of ``declined`` the unanswerable ones.
    ``adjusted`` is None for the main measure, which was chosen in advance, and for times.
    """

    measure: str
    interval: Interval
    questions: int
    adjusted: float | None = None

    @property
    def winner(self) -> int | None:
        """The better one, 0 or 1, significant or not; None if they are equal or the measure has no direction."""
        gain = self.interval.difference
        if not gain or self.measure in _NEITHER_IS_BETTER:
            return None
        return int((gain > 0) != (self.measure in _LOWER_IS_BETTER))

    @property
    def is_certain(self) -> bool:
        """Whether the difference is significant; never for times, which also depend on the machine's load."""
        if self.measure in _TIMES:
            return False
        p = self.interval.p if self.adjusted is None else self.adjusted
        return p < SIGNIFICANT and self.questions >= FEWEST_QUESTIONS

    def flat(self) -> dict[str, Any]:
        """Return the measure as a row of a table: A is the first, B the second; ``p`` is not adjusted."""
        interval = self.interval
        return {
            "measure": self.measure,
            "a": interval.first,
            "b": interval.second,
            "difference": interval.difference,
            "low": interval.low,
            "high": interval.high,
            "p": interval.p,
            "questions": self.questions,
            "certain": self.is_certain,
        }


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
        """Second minus first."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class Setting:
    """A key in which the profiles differ."""

    path: str
    first: str
    second: str


_SHOWN_CHANGES = 3
_COLUMNS = ("measure", "a", "b", "difference", "low", "high", "p", "questions", "certain")


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """A comparison of two evaluations of one data set; ``names`` are those of the profiles.

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
        """Questions on which the second is better, largest gain first."""
        return tuple(change for change in self.changes if change.difference > 0)

    @property
    def losses(self) -> tuple[Change, ...]:
        """Questions on which the first is better, largest loss first."""
        return tuple(change for change in reversed(self.changes) if change.difference < 0)

    def __repr__(self) -> str:
        return f"Comparison({self.verdict})"

    def _repr_html_(self) -> str:
        """Return the verdict, the differing settings and the measures, as Jupyter shows them."""
        names = [f"{letter} ({name})" for letter, name in zip("AB", self.names, strict=True)]
        main = self.differences[0].measure
        shown = [*self.wins[:_SHOWN_CHANGES], *reversed(self.losses[:_SHOWN_CHANGES])]
        return join(
            [
                paragraph(bold(self.verdict)),
                table(("setting", *names), ((one.path, one.first, one.second) for one in self.settings)),
                table(("measure", *names, "difference", "95 %", "certain"), map(_shown, self.differences)),
                table(("question", f"{main} A", "B", "difference"), map(_shown_change, shown)),
            ]
        )

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for each measure.

        Raises:
            MissingPackage: pandas is not installed.
        """
        return to_frame((difference.flat() for difference in self.differences), _COLUMNS)


def compare(
    names: tuple[str, str],
    evaluations: tuple[Evaluation, Evaluation],
    profiles: tuple[Profile, Profile] | None = None,
) -> Comparison:
    """Compare two evaluations of one data set.

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
        Difference(sample.measure, interval, sample.questions)
        for sample, interval in zip(found, intervals, strict=True)
    )
    changes = tuple(sorted(starmap(_change, _by(main, pairs)), key=lambda one: (-one.difference, one.query_id)))
    settings = tuple(_settings(*profiles)) if profiles else ()
    return Comparison(names, evaluations, differences, changes, settings, verdict(names, differences, changes))


def _corrected(differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """Return the differences with Holm's correction for all but the main measure and times."""
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
    """Return one sentence on the main measure, and on other measures that stay significant after correction."""
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
    """Format a p value, no smaller than the number of draws can show."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _shown(one: Difference) -> tuple[str, ...]:
    name, interval = one.measure, one.interval
    low, high = (figure(name, bound, "+") for bound in (interval.low, interval.high))
    values = (figure(name, interval.first), figure(name, interval.second), figure(name, interval.difference, "+"))
    return (name, *values, f"{low} to {high}", "yes" if one.is_certain else "")


def _shown_change(one: Change) -> tuple[str, ...]:
    return one.text, f"{one.first:.3f}", f"{one.second:.3f}", f"{one.difference:+.3f}"


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
