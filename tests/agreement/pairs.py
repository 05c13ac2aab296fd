"""How far verdicts agree with 300 labelled pairs: ``python -m tests.agreement.pairs [--wrong]``.

The pairs were written by hand for this test (``own_pairs.jsonl``): 60 passages on pets, medicine, robotics, office
rules and software, each with claims that it supports, supports in part, or does not support. Prints precision and
recall of each label and the verdicts by how a claim was made; ``--wrong`` also each pair that was judged otherwise.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.types import Hit, Span, Verdict
from tests.agreement.judging import VERDICTS, Judge

PAIRS = Path(__file__).parent / "own_pairs.jsonl"


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, the passage that it cites, what should be said of it, and how it was made from the passage."""

    id: str
    domain: str
    made: str
    label: Verdict
    claim: str
    passage: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of one label: how much of what is called so is so, and how much of what is so is called so."""

    label: str
    precision: float
    recall: float


def pairs() -> list[Pair]:
    """The labelled pairs."""
    return [Pair(**json.loads(line)) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def verdict_of(pair: Pair, judge: Judge) -> Verdict:
    """What the verifier says of a pair."""
    hit = Hit(pair.id, pair.id, 1, "", "", pair.passage, {}, 0.9, {}, Span(0, len(pair.passage)))
    return judge.judge(pair.claim, hit).verdict


def agreements(labels: Sequence[str], verdicts: Sequence[str]) -> Iterator[Agreement]:
    """Precision and recall of each label; 1 where there is nothing to be precise about."""
    reported, known, both = Counter(verdicts), Counter(labels), Counter(zip(labels, verdicts, strict=True))
    for label in VERDICTS:
        right = both[label, label]
        precision = right / reported[label] if reported[label] else 1.0
        yield Agreement(label, precision, right / known[label] if known[label] else 1.0)


def main() -> None:
    """Judge all pairs and print how far the verdicts agree."""
    judge = Judge()
    judged = [(pair, verdict_of(pair, judge)) for pair in pairs()]
    labels, verdicts = [pair.label for pair, _ in judged], [verdict for _, verdict in judged]
    print(f"{len(judged)} pairs, {_agreed(judged):.2f} judged as they should be\n")
    print("| label | precision | recall |\n|---|---|---|")
    for one in agreements(labels, verdicts):
        print(f"| {one.label} | {one.precision:.2f} | {one.recall:.2f} |")
    print("\n| claims made by | should be | claims | called supported | partial | unsupported |")
    print("|---|---|---|---|---|---|")
    for made in dict.fromkeys(pair.made for pair, _ in judged):
        print(_row(made, [(pair, verdict) for pair, verdict in judged if pair.made == made]))
    for pair, verdict in judged if "--wrong" in sys.argv[1:] else ():
        if verdict != pair.label:
            print(f"\n{pair.id}: {verdict}, should be {pair.label}\n  {pair.claim}\n  {pair.passage}")


def _agreed(judged: Sequence[tuple[Pair, Verdict]]) -> float:
    return sum(pair.label == verdict for pair, verdict in judged) / len(judged)


def _row(made: str, judged: Sequence[tuple[Pair, Verdict]]) -> str:
    counts = Counter(verdict for _, verdict in judged)
    shares = " | ".join(f"{counts[verdict] / len(judged):.2f}" for verdict in VERDICTS)
    return f"| {made} | {judged[0][0].label} | {len(judged)} | {shares} |"


if __name__ == "__main__":
    main()
