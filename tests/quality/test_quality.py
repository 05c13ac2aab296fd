"""`make evaluate` measures every data set of a folder with every base that can be opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.quality.measuring import EvaluationFailed, Measured, datasets, measure
from tests.quality.table import table


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a ranked data set, own documents, and a folder that is neither."""
    ranked, own = tmp_path / "data" / "ranked", tmp_path / "data" / "own" / "bread"
    ranked.mkdir(parents=True)
    (ranked / "corpus.jsonl").write_text(json.dumps({"id": "d", "text": "Rye bread bakes for 45 minutes."}) + "\n")
    (ranked / "queries.jsonl").write_text(
        json.dumps({"id": "q", "text": "How long does rye bread bake?", "answers": ["45 minutes"]}) + "\n"
    )
    (ranked / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance\nq\td\t1\n")
    (own / "files").mkdir(parents=True)
    (own / "files" / "bread.txt").write_text("Rye bread bakes for 45 minutes.")
    question = {"id": "q", "question": "How long does rye bread bake?", "kind": "number", "must": ["45 minutes"]}
    (own / "questions.jsonl").write_text(json.dumps(question) + "\n")
    (tmp_path / "data" / "files").mkdir()
    (tmp_path / "base.yaml").write_text("tenant: t\nanswer: {abstain_below: 0}\n")
    return tmp_path


def test_the_data_sets_of_a_folder_are_those_with_questions(data: Path) -> None:
    assert [folder.name for folder in datasets(data / "data")] == ["own", "ranked"]
    assert [folder.name for folder in datasets(data / "data", ["ranked"])] == ["ranked"]


def test_each_set_is_measured_by_an_evaluation_of_its_own(data: Path) -> None:
    own, ranked = (measure(data / "base.yaml", folder, None, data / "out") for folder in datasets(data / "data"))
    assert (own.metrics["right"], ranked.metrics["answer_hit_rate"], ranked.metrics["ndcg@10"]) == (1.0, 1.0, 1.0)
    assert own.megabytes > 1
    assert (data / "out" / "base" / "own" / "report.json").is_file()


def test_an_evaluation_that_fails_says_why(data: Path) -> None:
    (data / "data" / "ranked" / "qrels.tsv").unlink()
    with pytest.raises(EvaluationFailed, match=r"qrels\.tsv"):
        measure(data / "base.yaml", data / "data" / "ranked")


def test_the_table_has_a_row_for_each_set_and_base() -> None:
    own = {"right": 0.7, "declined": 0.65, "confidence_auroc": 0.85, "answer_p50_ms": 300.4}
    rows = [
        Measured("quality", "own", own, 500.0),
        Measured("embedded", "cats", {"ndcg@10": 0.8126}, 290.6),
        Measured("embedded", "own", {"right": 0.5}, 300.0),
    ]
    lines = table(rows).splitlines()
    assert lines[0].startswith("| set | base | nDCG@10 | answered right | words | declined | AUROC |")
    assert lines[2] == "| cats | embedded | 0.813 |  |  |  |  |  |  |  |  | 291 |"
    assert lines[3] == "| own | quality |  | 0.700 |  | 0.65 | 0.850 |  | 300 |  |  | 500 |"
    assert lines[4].startswith("| own | embedded |  | 0.500 |")
