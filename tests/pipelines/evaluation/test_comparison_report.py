"""A comparison says the same on paper, to programs and in its folder."""

from __future__ import annotations

import json
from dataclasses import replace
from html import escape
from pathlib import Path

from pipelines.evaluation.compare import Comparison, compare
from pipelines.evaluation.comparison_report import comparison_summary, comparison_table, write_comparison
from pipelines.types import IngestResult
from tests.pipelines.evaluation.evaluations import evaluation


def comparison() -> Comparison:
    first, second = evaluation([0.5] * 30, seed=1), evaluation([1.0] * 28 + [0.5, 0.0], seed=1)
    return compare(("old.yaml", "new.yaml"), (first, second))


def test_the_table_ends_with_wins_losses_and_the_verdict() -> None:
    lines = comparison_table(comparison()).splitlines()
    assert lines[:3] == ["A: old.yaml", "B: new.yaml", "on pets"]
    assert lines[4].split()[:5] == ["*", "ndcg@10", "0.5000", "0.9500", "+0.4500"]
    assert "ndcg@10: B won 28 questions, lost 1, 1 alike" in lines
    assert "  won +0.5000, rank 2 -> 1: What 0? (q0)" in lines
    assert "  lost -0.5000, rank 2 -> none: What 29? (q29)" in lines
    assert lines[-1] == comparison().verdict


def test_the_table_names_documents_that_one_of_the_two_does_not_have() -> None:
    failed = (IngestResult("scan.pdf", "failed", reason="is damaged"),)
    found = comparison()
    first, second = found.evaluations
    lines = comparison_table(replace(found, evaluations=(first, replace(second, failed=failed)))).splitlines()
    assert lines[-3:-1] == ["B: 1 document could not be indexed:", "B: scan.pdf: is damaged"]


def test_a_side_whose_language_model_was_away_is_named(tmp_path: Path) -> None:
    first, second = (evaluation([0.5] * 30, seed=1, answers=True) for _ in range(2))
    rows = [replace(row, judged=replace(row.judged, degraded=True)) for row in second.per_query[:2] if row.judged]
    found = compare(("a", "b"), (first, replace(second, per_query=(*rows, *second.per_query[2:]))))
    line = "B: 2 of 30 answers are without the profile's language model, which was not available"
    assert comparison_table(found).splitlines()[-2] == line
    write_comparison(found, tmp_path)
    assert line.replace("'", "&#39;") in (tmp_path / "report.html").read_text()


def test_the_folder_holds_the_comparison_and_both_evaluations(tmp_path: Path) -> None:
    write_comparison(comparison(), tmp_path / "new")
    written = {
        file.relative_to(tmp_path / "new").as_posix() for file in (tmp_path / "new").rglob("*") if file.is_file()
    }
    own = {"report.html", "report.json", "per_query.jsonl"}
    assert written == own | {f"{side}/{name}" for side in "ab" for name in own | {"run.trec"}}
    report = json.loads((tmp_path / "new" / "report.json").read_text())
    assert report == comparison_summary(comparison())
    rows = [json.loads(line) for line in (tmp_path / "new" / "per_query.jsonl").read_text().splitlines()]
    assert len(rows) == 30
    assert rows[-1] == {
        "query_id": "q29",
        "text": "What 29?",
        "a": 0.5,
        "b": 0.0,
        "difference": -0.5,
        "rank_a": 2,
        "rank_b": None,
    }


def test_the_summary_is_plain_data() -> None:
    found = comparison_summary(comparison())
    assert [profile["name"] for profile in found["profiles"]] == ["old.yaml", "new.yaml"]
    main = found["differences"][0]
    assert (main["measure"], main["better"], main["certain"], main["p_holm"]) == ("ndcg@10", "b", True, None)
    assert main["low"] <= main["difference"] <= main["high"]
    assert {name: found["questions"][name] for name in ("won", "lost", "alike")} == {"won": 28, "lost": 1, "alike": 1}
    assert len(found["questions"]["biggest_wins"]) == 10


def test_a_comparison_shows_itself_in_a_notebook() -> None:
    given = comparison()
    shown = given._repr_html_()
    assert escape(given.verdict, quote=False) in shown
    assert "<td" in shown
    frame = given.to_pandas().set_index("measure")
    assert frame.loc["ndcg@10", "b"] - frame.loc["ndcg@10", "a"] == frame.loc["ndcg@10", "difference"]
    assert repr(given) == f"Comparison({given.verdict})"


def test_the_questions_of_an_evaluation_become_a_data_frame() -> None:
    measured = evaluation([0.5, 1.0], answers=True)
    frame = measured.to_pandas().set_index("query_id")
    assert frame.loc["q1", "ndcg@10"] == 1.0
    assert set(frame["right"]) <= {True, False}
    assert "ndcg@10" in measured._repr_html_()
    assert repr(measured).startswith("Evaluation(pets under zoo, ndcg@10 0.7500")
