"""A run on own documents with a real engine, from raw files to a written report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import open_engine
from pipelines.evaluation.own.dataset import load_own_documents
from pipelines.evaluation.own.measures import own_judged, own_metrics, tallies
from pipelines.evaluation.own.report import own_summary, own_table, write_own_report
from pipelines.evaluation.own.run import OwnEvaluation, evaluate_own, together
from pipelines.profile.loader import LoadedProfile, load_profile

PROFILE = """
tenant: bakery
metadata: {{fields: {{shelf: {{type: keyword, required: true}}}}}}
answer: {{sentences: 1, abstain_below: {abstain_below}}}
"""
FILES = {
    "oven.md": "# The oven\n\nHeat the oven to 230 degrees before the bread goes in.\n",
    "dough.txt": "The dough of a rye bread rests for 90 minutes.\n",
    "broken.pdf": "This is no PDF.",
}
QUESTIONS: list[dict[str, Any]] = [
    {"id": "hot", "question": "How hot is the oven?", "kind": "number", "doc": "files/oven.md", "must": ["\\b230\\b"]},
    {"id": "rest", "question": "How long does the dough rest?", "kind": "number", "must": ["90 minutes"]},
    {"id": "salt", "question": "Which salt goes into rye bread?", "kind": "list", "must": ["sea salt"]},
    {"id": "price", "question": "Who won the chess championship of 1972?", "kind": "unanswerable"},
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "baking"
    (folder / "files").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / "files" / name).write_text(text)
    (folder / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS))
    return folder


def profile(tmp_path: Path, abstain_below: float) -> LoadedProfile:
    (tmp_path / "profile.yaml").write_text(PROFILE.format(abstain_below=abstain_below))
    return load_profile(tmp_path)


def measured(tmp_path: Path, corpus: Path, abstain_below: float) -> OwnEvaluation:
    loaded = profile(tmp_path, abstain_below)
    return evaluate_own(lambda one: open_engine(one, tmp_path / "data"), loaded, load_own_documents(corpus))


def test_raw_files_are_ingested_asked_and_judged(tmp_path: Path, corpus: Path) -> None:
    evaluation = measured(tmp_path, corpus, abstain_below=0.0)
    assert [row.outcome for row in evaluation.rows] == ["right", "right", "wrong", "wrong"]
    assert evaluation.rows[0].answer == "Heat the oven to 230 degrees before the bread goes in."
    assert evaluation.rows[0].cited == ("oven.md",)
    assert [one.document_id for one in evaluation.failed] == ["broken.pdf"]
    metrics = own_metrics(evaluation)
    assert (metrics["right"], metrics["wrong"], metrics["missed"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3), 0)
    assert (metrics["declined"], metrics["right_lost"], metrics["markup_shown"], metrics["cut_off"]) == (0, 0, 0, 0)
    assert metrics["chunks"] == 2


def test_declined_questions_are_repeated_without_the_threshold(tmp_path: Path, corpus: Path) -> None:
    evaluation = measured(tmp_path, corpus, abstain_below=1.0)
    assert [row.outcome for row in evaluation.rows] == ["missed", "missed", "missed", "declined"]
    assert [row.right_undeterred for row in evaluation.rows] == [True, True, False, False]
    assert evaluation.rows[1].undeterred == "The dough of a rye bread rests for 90 minutes."
    metrics = own_metrics(evaluation)
    assert (metrics["declined"], metrics["right_lost"]) == (1.0, 1.0)
    assert "answer_words" not in metrics
    assert [answer.sound for _, answer in own_judged(evaluation)] == [True, True, False, False]


def test_a_question_that_is_asked_again_is_fitted_and_measured_together(tmp_path: Path, corpus: Path) -> None:
    again = {**QUESTIONS[1], "id": "again", "question": "how long does the  dough rest?"}
    with (corpus / "questions.jsonl").open("a") as questions:
        questions.write(json.dumps(again) + "\n")
    judged = own_judged(measured(tmp_path, corpus, abstain_below=0.0))
    assert [name for name, _ in judged] == ["hot", "rest", "salt", "price", "rest"]


def test_answers_that_the_language_model_could_not_write_are_counted(tmp_path: Path, corpus: Path) -> None:
    loaded = profile(tmp_path, abstain_below=0.0)
    assert loaded.path is not None
    with loaded.path.open("a") as file:
        file.write('llm: {provider: ollama, model: m, base_url: "http://127.0.0.1:9"}\n')
    documents = load_own_documents(corpus)
    found = evaluate_own(lambda one: open_engine(one, tmp_path / "data"), load_profile(tmp_path), documents)
    line = "4 of 4 answers are without the profile's language model, which was not available"
    assert f"\n  {line}\n" in own_table(found)
    assert own_summary(found)["degraded"] == 4
    assert all(answer.degraded for _, answer in own_judged(found))
    write_own_report(found, tmp_path / "report")
    assert line.replace("'", "&#39;") in (tmp_path / "report" / "report.html").read_text()


def test_confidence_does_not_depend_on_the_threshold(tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "strict").mkdir()
    strict = measured(tmp_path / "strict", corpus, abstain_below=1.0)
    free = measured(tmp_path, corpus, abstain_below=0.0)
    assert [row.confidence for row in strict.rows] == pytest.approx([row.confidence for row in free.rows])
    names = ("confidence_auroc", "calibration_error", "declinable", "declinable_below")
    assert [own_metrics(strict)[name] for name in names] == pytest.approx([own_metrics(free)[name] for name in names])


def test_each_kind_of_question_is_counted(tmp_path: Path, corpus: Path) -> None:
    counted = {tally.kind: tally for tally in tallies(measured(tmp_path, corpus, abstain_below=0.0).rows)}
    assert list(counted) == ["number", "list", "answerable", "unanswerable"]
    assert (counted["number"].asked, counted["number"].right) == (2, 2)
    assert (counted["answerable"].asked, counted["answerable"].wrong) == (3, 1)
    assert (counted["unanswerable"].wrong, counted["unanswerable"].declined) == (1, 0)


def test_several_corpora_are_counted_together(tmp_path: Path, corpus: Path) -> None:
    one = measured(tmp_path, corpus, abstain_below=0.0)
    both = together("all", [one, one])
    assert (both.dataset, len(both.rows), both.chunks) == ("all", 8, 4)
    assert both.rows[4].question.id == "baking/hot"
    assert own_metrics(both)["right"] == own_metrics(one)["right"]


def test_the_report_has_the_table_the_questions_and_a_page(tmp_path: Path, corpus: Path) -> None:
    evaluation = measured(tmp_path, corpus, abstain_below=0.0)
    table = own_table(evaluation)
    assert table.startswith("baking under bakery: 4 questions, abstain_below 0\n")
    assert "  1 document could not be indexed:\n    broken.pdf: " in table
    write_own_report(evaluation, tmp_path / "report")
    written = json.loads((tmp_path / "report" / "report.json").read_text())
    assert written == json.loads(json.dumps(own_summary(evaluation)))
    rows = [json.loads(line) for line in (tmp_path / "report" / "per_query.jsonl").read_text().splitlines()]
    assert [(row["id"], row["outcome"], row["expected"]) for row in rows][:2] == [
        ("hot", "right", "files/oven.md"),
        ("rest", "right", None),
    ]
    assert {"question", "kind", "answer", "confidence", "cited", "signals", "ms"} <= set(rows[0])
    page = (tmp_path / "report" / "report.html").read_text()
    assert "How hot is the oven?" in page
    assert page.count("<svg") == 2
