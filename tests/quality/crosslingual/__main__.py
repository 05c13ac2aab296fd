"""Measure search and answers across languages: ``python -m tests.quality.crosslingual [PROFILE ...]``.

Each line is a profile, one of its legs, or its search among the documents of one language; the columns are the language
of the question and that of the document.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
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
    pairs = {query.id: tuple(query.id.split("-")[:2]) for query in dataset.queries}
    columns = list(dict.fromkeys(pairs.values()))
    print("| profile, search | measure |", " | ".join(" in ".join(column) for column in columns), "|")
    print("|" + "---|" * (len(columns) + 2))
    for name in sys.argv[1:] or PROFILES:
        for search, measure, scores in _measured(name, dataset):
            means = (fmean(scores[query] for query in pairs if pairs[query] == column) for column in columns)
            print(f"| {name}, {search} | {measure} | {' | '.join(f'{mean:.2f}' for mean in means)} |", flush=True)


def _measured(name: str, dataset: Dataset) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield a kind of search, a measure, and the measure of each question."""
    profile = load_profile(name).profile
    searches: list[tuple[str, Dataset, Mode | None]] = [(profile.retrieval.mode, dataset, None)]
    searches += [("dense", dataset, "dense"), ("sparse", dataset, "sparse")]
    if "language" in profile.metadata.fields:
        searches.append(("filtered by language", _filtered(dataset), None))
    for search, asked, mode in searches:
        rows = pipelines.evaluate(name, asked, mode=mode).per_query
        yield search, "nDCG@10", {row.query_id: row.metrics["ndcg@10"] for row in rows if row.metrics}
        if mode is None:  # answers are made from the profile's own search
            yield search, "right", {row.query_id: float(row.judged.right) for row in rows if row.judged}


def _filtered(dataset: Dataset) -> Dataset:
    """Return the questions, each asked of the documents in the language of the one that answers."""
    asked = [replace(query, filters={"language": query.id.split("-")[1]}) for query in dataset.queries]
    return replace(dataset, queries=tuple(asked))


if __name__ == "__main__":
    main()
