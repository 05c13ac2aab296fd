"""`footnote tune` on a small dataset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.running import RunCli

PARTS = ("kettle", "toaster", "lamp", "heater", "fan", "mixer")
CODES = [f"{part[:2].upper()}-{number}" for part in PARTS for number in range(301, 305)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile, and a dataset of order codes."""
    (tmp_path / "t.yaml").write_text("tenant: t\nretrieval: {dense_weight: 0.45}\nrerank: [{type: mmr}]\n")
    (tmp_path / "set").mkdir()
    corpus = [{"id": code, "title": "", "text": f"The order code {code} is in stock."} for code in CODES]
    queries = [{"id": f"q{code}", "text": f"Is {code} in stock?"} for code in CODES]
    for name, lines in (("corpus", corpus), ("queries", queries)):
        (tmp_path / "set" / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    judged = "".join(f"q{code}\t{code}\t1\n" for code in CODES)
    (tmp_path / "set" / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance\n" + judged)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_figure_of_the_profiles_weight_is_the_one_that_evaluate_prints(folder: Path, run_cli: RunCli) -> None:
    (folder / "plain.yaml").write_text("tenant: t\nretrieval: {dense_weight: 0.45}\n")
    measured = json.loads(run_cli("evaluate", "plain.yaml", "set", "--json").out)["metrics"]["ndcg@10"]
    found = json.loads(run_cli("tune", "t.yaml", "set", "--json").out)
    assert found["ndcg@10"]["0.45"] == pytest.approx(measured)
    assert (len(found["ndcg@10"]), found["dense_weight"]["now"]) == (21, 0.45)
    assert len(set(found["ndcg@10"].values())) > 1
    assert not (folder / ".footnote").exists()


def test_people_get_a_table_and_a_verdict(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("tune", "t.yaml", "set")
    assert (done.code, done.err) == (0, "")
    first, *_, last = done.out.splitlines()
    assert first == "set: 24 questions"
    assert last.startswith(("for the profile: retrieval: {dense_weight: ", "keep dense_weight 0.45: "))


def test_a_folder_of_something_else_is_refused_in_its_own_words(folder: Path, run_cli: RunCli) -> None:
    (folder / "own").mkdir()
    empty = run_cli("tune", "t.yaml", "own")
    assert (empty.code, empty.out) == (2, "")
    assert "own: is neither a data set nor a tenant: it has no corpus.jsonl and no profile.yaml" in empty.err
    (folder / "own" / "questions.jsonl").touch()
    for command in ("tune", "finetune"):
        assert "own: holds own documents; only footnote evaluate and" in run_cli(command, "t.yaml", "own").err
    assert "own: holds own documents" in run_cli("compare", "t.yaml", "t.yaml", "own").err


def test_too_few_questions_are_refused(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("tune", "t.yaml", "set", "--limit", "5")
    assert done.code == 2
    assert "at least 20 different questions with documents, and there are 5" in done.err


def test_a_question_that_is_asked_again_counts_once(folder: Path, run_cli: RunCli) -> None:
    """Two copies would be in two folds: learned from, and judged by."""
    asked, judged = (folder / "set" / "queries.jsonl"), (folder / "set" / "qrels.tsv")
    asked.write_text("".join(f"{json.dumps({'id': f'q{n}', 'text': 'In stock?' + ' ' * n})}\n" for n in range(30)))
    judged.write_text("query_id\tcorpus_id\trelevance\n" + "".join(f"q{n}\t{CODES[0]}\t1\n" for n in range(30)))
    done = run_cli("tune", "t.yaml", "set")
    assert done.code == 2
    assert "and there are 1" in done.err


@pytest.mark.parametrize(
    ("retrieval", "problem"), [("mode: sparse", "retrieval -> mode: is sparse"), ("fusion: rrf", "is rrf: only convex")]
)
def test_a_profile_without_a_use_for_a_weight_is_refused(
    retrieval: str, problem: str, folder: Path, run_cli: RunCli
) -> None:
    (folder / "t.yaml").write_text(f"tenant: t\nretrieval: {{{retrieval}}}\n")
    done = run_cli("tune", "t.yaml", "set")
    assert (done.code, done.out) == (2, "")
    assert problem in done.err


def test_documents_that_could_not_be_indexed_are_named(folder: Path, run_cli: RunCli) -> None:
    corpus = folder / "set" / "corpus.jsonl"
    corpus.write_text(corpus.read_text() + json.dumps({"id": "blank", "title": "", "text": " "}) + "\n")
    assert "1 document could not be indexed:\n    blank: " in run_cli("tune", "t.yaml", "set").out
    assert json.loads(run_cli("tune", "t.yaml", "set", "--json").out)["failed"][0]["document_id"] == "blank"
