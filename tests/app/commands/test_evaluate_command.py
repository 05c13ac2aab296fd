"""`footnote evaluate` on a dataset of three documents, and on a tenant's golden questions."""

from __future__ import annotations

import json
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.app.commands.processes import started
from tests.app.running import RunCli

DOCUMENTS = {
    "collie": "A Border Collie needs at least two hours of exercise every day.",
    "persian": "The Persian is a cat with long fur.",
    "manx": "The Manx is a cat that has no tail.",
}
QUERIES = {"q1": ("How much exercise does a collie need?", "collie"), "q2": ("Which cat has no tail?", "manx")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile with golden questions, and the same questions as a dataset."""
    for name in ("t.yaml", "profile.yaml"):
        (tmp_path / name).write_text("tenant: t\nknowledge: {path: knowledge}")
    (tmp_path / "knowledge").mkdir()
    for name, text in DOCUMENTS.items():
        (tmp_path / "knowledge" / f"{name}.txt").write_text(text)
    golden = [
        {"id": name, "question": text, "answers": [], "documents": [f"{relevant}.txt"]}
        for name, (text, relevant) in QUERIES.items()
    ]
    _write(tmp_path / "golden.jsonl", golden)
    (tmp_path / "set").mkdir()
    _write(tmp_path / "set" / "corpus.jsonl", [{"id": n, "title": "", "text": t} for n, t in DOCUMENTS.items()])
    _write(tmp_path / "set" / "queries.jsonl", [{"id": n, "text": text} for n, (text, _) in QUERIES.items()])
    qrels = "".join(f"{name}\t{relevant}\t1\n" for name, (_, relevant) in QUERIES.items())
    (tmp_path / "set" / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance\n" + qrels)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(file: Path, lines: list[dict[str, object]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("dataset", [["set"], [], ["."], ["golden.jsonl"]])
def test_the_measures_are_printed_and_tenant_data_is_untouched(
    folder: Path, run_cli: RunCli, dataset: list[str]
) -> None:
    done = run_cli("evaluate", "t.yaml", *dataset)
    assert (done.code, done.err) == (0, "")
    assert "2 queries" in done.out
    assert "ndcg@10" in done.out
    assert not (folder / ".footnote").exists()


def test_only_json_is_printed(folder: Path, run_cli: RunCli) -> None:
    report = json.loads(run_cli("evaluate", "t.yaml", "set", "--mode", "sparse", "--limit", "1", "--json").out)
    assert (report["queries"], report["mode"]) == (1, "sparse")
    assert report["metrics"]["hit@1"] == 1.0


def test_a_report_is_written_to_the_given_path(folder: Path, run_cli: RunCli) -> None:
    assert run_cli("evaluate", "t.yaml", "set", "--report", "out/run").code == 0
    written = {file.name for file in (folder / "out" / "run").iterdir()}
    assert written == {"report.html", "report.json", "run.trec", "per_query.jsonl"}


def test_an_unusable_golden_question_ends_with_2_and_its_line_number(folder: Path, run_cli: RunCli) -> None:
    with (folder / "golden.jsonl").open("a") as golden:
        golden.write('{"id": "q3", "question": "Which?", "documents": ["lynx.txt"]}\n')
    done = run_cli("evaluate", "t.yaml")
    assert (done.code, done.out) == (2, "")
    assert 'golden.jsonl:3: no file "lynx.txt" in the knowledge folder' in done.err


def test_an_unusable_dataset_ends_with_2(folder: Path, run_cli: RunCli) -> None:
    (folder / "set" / "qrels.tsv").unlink()
    done = run_cli("evaluate", "t.yaml", "set")
    assert (done.code, done.out) == (2, "")
    assert "qrels.tsv" in done.err


def test_follow_ups_are_asked_after_their_earlier_turns_on_request(folder: Path, run_cli: RunCli) -> None:
    history = [
        {"role": "user", "text": "What is a collie?"},
        {"role": "agent", "text": "A dog."},
    ]
    asked = {"id": "q1", "text": "And how often?", "metadata": {"history": history}}
    _write(folder / "set" / "queries.jsonl", [asked, {"id": "q2", "text": "Which cat has no tail?"}])
    for option, text in (("--history", "And how often? collie"), (None, "And how often?")):
        done = run_cli("evaluate", "t.yaml", "set", "--report", "report", *([option] if option else []))
        assert done.code == 0
        rows = [json.loads(line) for line in (folder / "report" / "per_query.jsonl").read_text().splitlines()]
        assert [row["text"] for row in rows] == [text, "Which cat has no tail?"]


def test_a_file_without_questions_is_refused_before_anything_is_indexed(folder: Path, run_cli: RunCli) -> None:
    (folder / "none.jsonl").write_text("\n")
    done = run_cli("evaluate", "t.yaml", "none.jsonl")
    assert (done.code, done.out, done.err) == (2, "", "footnote: none.jsonl: holds no questions\n")


def test_a_terminated_evaluation_leaves_no_copies_of_documents(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = folder / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    with ExitStack() as opened:
        process = started(opened, folder, "evaluate", "t.yaml", "set")
        while not any(scratch.glob("footnote-*/*")):
            assert process.poll() is None
            time.sleep(0.01)
        process.terminate()
        assert process.wait(60) == -signal.SIGTERM
    assert list(scratch.iterdir()) == []


def test_the_copies_that_a_killed_evaluation_leaves_go_with_the_next_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = folder / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    with ExitStack() as opened:
        process = started(opened, folder, "evaluate", "t.yaml", "set")
        while not any(scratch.glob("footnote-*/*/*")):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait(60)
        assert list(scratch.iterdir()) != []
        assert started(opened, folder, "evaluate", "t.yaml", "set").wait(60) == 0
    assert list(scratch.iterdir()) == []
