"""How far verdicts agree with claims of known truth: ``python -m tests.agreement [PER_KIND [SEED]]``.

Reads the public sets below FOOTNOTE_EVAL_DATA; prints a table for docs/benchmarks.md.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pipelines.query.verdicts import Judgement
from tests.agreement.judging import VERDICTS, Judge
from tests.agreement.sample import KINDS, SETS, WRITTEN, Case, cases


def main(per_kind: int = 25, seed: int = 0) -> None:
    data = Path(os.environ["FOOTNOTE_EVAL_DATA"])
    judge = Judge()
    judged = [(case, judge.judge(case.claim, case.hit)) for case in cases(data, per_kind, seed)]
    print(f"{len(judged)} claims of {', '.join(SETS)}")
    for made in (*KINDS, WRITTEN):
        _row(made, [(case, found) for case, found in judged if case.made == made])
    _row("all", judged)
    for name in SETS:
        _row(name, [(case, found) for case, found in judged if case.dataset == name])


def _row(name: str, judged: Iterable[tuple[Case, Judgement]]) -> None:
    pairs = [(case.verdict, found.verdict) for case, found in judged]
    if not pairs:
        return
    counts = Counter(said for _, said in pairs)
    shares = " | ".join(f"{counts[verdict] / len(pairs):.2f}" for verdict in VERDICTS)
    agreed = sum(true == said for true, said in pairs) / len(pairs)
    truth = "/".join(sorted({true for true, _ in pairs})) if len({true for true, _ in pairs}) == 1 else "mixed"
    print(f"| {name} | {truth} | {len(pairs)} | {shares} | {agreed:.2f} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
