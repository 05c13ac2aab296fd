"""A report says the same on paper, to programs and to trec_eval."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import ir_measures
import pytest
from ir_measures import nDCG

from pipelines.evaluation.evaluate import Evaluation, QueryRow, Ranking
from pipelines.evaluation.metrics import JudgedAnswer
from pipelines.evaluation.report import format_table, summary, write_report
from pipelines.types import IngestResult

METRICS = {"ndcg@10": 0.81234, "chunks": 12345, "ingest_seconds": 3.14159, "chunks_per_second": 3929.5}
JUDGED = JudgedAnswer(True, False, 0.75, True, 0.5, 9, 2, 2, True, {"strength": 0.8})
RUN: dict[str, Ranking] = {
    "first question": (("guide/how to.md", 0.9), ("50%20 off", 0.9), ("ünï\u2003code", 0.9)),
    "q2": (),
}


def evaluation(failed: int = 0) -> Evaluation:
    rows = (
        QueryRow("first question", "How?", {"ndcg@10": 1.0}, 1.5, "So [1].", JUDGED, 1),
        QueryRow("q2", "Why?", {"ndcg@10": 0.0}, None),
        QueryRow("u1", "Whence?", {}, None, "No.", JUDGED),
    )
    lost = tuple(IngestResult(f"d{n}", "failed", reason="it holds no text") for n in range(failed))
    return Evaluation("pets", "zoo", "dense", METRICS, rows, RUN, lost)


def test_the_table_has_a_line_for_each_measure_in_their_order() -> None:
    assert format_table(evaluation()).splitlines() == [
        "pets under zoo, dense: 2 queries, 2 answers",
        "  ndcg@10                  0.8123",
        "  chunks                   12,345",
        "  ingest_seconds             3.14",
        "  chunks_per_second       3,929.5",
    ]


def test_the_table_names_the_first_documents_that_could_not_be_indexed() -> None:
    lines = format_table(evaluation(failed=7)).splitlines()[5:]
    assert lines[0] == "  7 documents could not be indexed:"
    assert lines[1] == "    d0: it holds no text"
    assert lines[6:] == ["    and 2 more"]


def test_the_table_says_that_no_answer_was_judged() -> None:
    unjudged = replace(evaluation(), per_query=(QueryRow("q1", "How?", {"ndcg@10": 1.0}),))
    assert format_table(unjudged).splitlines()[-1].startswith("  no answer was judged")


def test_the_summary_is_plain_data(tmp_path: Path) -> None:
    write_report(evaluation(failed=1), tmp_path)
    written = json.loads((tmp_path / "report.json").read_text())
    assert written == summary(evaluation(failed=1))
    assert list(written["metrics"].items()) == list(METRICS.items())
    assert written["queries"] == 2
    assert written["answers"] == 2
    assert written["mode"] == "dense"
    assert written["failed"] == [{"document_id": "d0", "reason": "it holds no text"}]


def test_a_run_has_six_columns_whatever_the_ids_hold_and_they_can_be_had_back(tmp_path: Path) -> None:
    write_report(evaluation(), tmp_path / "new" / "folder")
    rows = [line.split() for line in (tmp_path / "new" / "folder" / "run.trec").read_text().splitlines()]
    assert [len(row) for row in rows] == [6, 6, 6]
    assert [unquote(row[2]) for row in rows] == [document for document, _ in RUN["first question"]]
    assert {unquote(row[0]) for row in rows} == {"first question"}
    assert [row[3] for row in rows] == ["1", "2", "3"]


def test_trec_eval_reads_the_run_in_our_order_though_scores_tie(tmp_path: Path) -> None:
    ranking: Ranking = tuple((name, 0.5) for name in ("c", "a", "b"))
    write_report(Evaluation("pets", "zoo", None, METRICS, (), {"q": ranking}, ()), tmp_path)
    rows = [line.split() for line in (tmp_path / "run.trec").read_text().splitlines()]
    run = {"q": {row[2]: float(row[4]) for row in rows}}
    scores = ir_measures.calc_aggregate([nDCG @ 10], {"q": {"a": 1}}, run)
    assert scores[nDCG @ 10] == pytest.approx(0.6309297)


def test_a_row_of_the_queries_holds_what_was_measured_and_nothing_else(tmp_path: Path) -> None:
    write_report(evaluation(), tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "per_query.jsonl").read_text().splitlines()]
    assert rows[0] == {
        "query_id": "first question",
        "text": "How?",
        "ndcg@10": 1.0,
        "rank": 1,
        "query_ms": 1.5,
        "documents": ["guide/how to.md", "50%20 off", "ünï\u2003code"],
        "answer": "So [1].",
        "answerable": True,
        "abstained": False,
        "confidence": 0.75,
        "right": True,
        "f1": 0.5,
        "words": 9,
        "citations": 2,
        "verbatim": 2,
        "sound": True,
        "signals": {"strength": 0.8},
        "degraded": False,
    }
    assert rows[1] == {"query_id": "q2", "text": "Why?", "ndcg@10": 0.0, "documents": []}
    assert "documents" not in rows[2]


def test_a_report_that_cannot_be_written_leaves_the_former_one(tmp_path: Path) -> None:
    write_report(evaluation(), tmp_path)
    former = {file.name: file.read_text() for file in tmp_path.iterdir()}
    row = QueryRow("q3", "Who?", {}, None, "\ud800", JUDGED)
    with pytest.raises(UnicodeEncodeError):
        write_report(replace(evaluation(), per_query=(row,)), tmp_path)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == former


def test_a_report_says_that_answers_lack_the_language_model(tmp_path: Path) -> None:
    rows = (QueryRow("q1", "How?", {}, None, "So.", replace(JUDGED, degraded=True)), *evaluation().per_query)
    without = replace(evaluation(), per_query=rows)
    warning = "1 of 3 answers are without the profile's language model, which was not available"
    assert format_table(without).splitlines()[-1] == f"  {warning}"
    write_report(without, tmp_path)
    assert json.loads((tmp_path / "report.json").read_text())["degraded"] == 1
    assert "language model, which was not available" in (tmp_path / "report.html").read_text()
    assert summary(evaluation())["degraded"] == 0
    assert "language model" not in format_table(evaluation())
