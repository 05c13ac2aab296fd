"""Measure search and answers across languages: ``python -m tests.quality.crosslingual [PROFILE ...]``.

Each line is a profile or one of its legs; the columns are the language of the question and that of the document.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pipelines
from pipelines.engine.measurements import Dataset
from pipelines.evaluation.datasets import load_dataset
from pipelines.profile.loader import load_profile
from pipelines.types import Mode

PROFILES = ("embedded", "configs/cortx/multilingual.yaml")
FOLDER = Path(__file__).parent


def main() -> None:
    """Print nDCG@10 and the share of right answers for each pair of languages."""
    dataset = load_dataset(FOLDER)
    pairs = {query.id: _pair(query.id) for query in dataset.queries}
    columns = list(dict.fromkeys(pairs.values()))
    print("| profile, legs | measure |", " | ".join(columns), "|")
    print("|" + "---|" * (len(columns) + 2))
    for name in sys.argv[1:] or PROFILES:
        own = load_profile(name).profile.retrieval.mode
        for mode in (None, "dense", "sparse"):
            for measure, scores in _measured(name, dataset, mode):
                means = (fmean(scores[query] for query in pairs if pairs[query] == column) for column in columns)
                cells = " | ".join(f"{mean:.2f}" for mean in means)
                print(f"| {name}, {mode or own} | {measure} | {cells} |", flush=True)


def _pair(query_id: str) -> str:
    asked, answered, _ = query_id.split("-", 2)
    return f"{asked} in {answered}"


def _measured(name: str, dataset: Dataset, mode: Mode | None) -> Iterator[tuple[str, dict[str, float]]]:
    rows = pipelines.evaluate(name, dataset, mode=mode).per_query
    yield "nDCG@10", {row.query_id: row.metrics["ndcg@10"] for row in rows if row.metrics}
    if mode is None:  # answers are made from the profile's own search
        yield "right", {row.query_id: float(row.judged.right) for row in rows if row.judged}


if __name__ == "__main__":
    main()
