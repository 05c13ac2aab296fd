"""Files and folders that cannot be written are refused before anything is read, measured or learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.running import RunCli

QUESTION = '{"id": "q1", "question": "Who howls?", "answers": ["beagles"], "documents": ["beagle.md"]}\n'


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "beagle.md").write_text("Beagles howl.")
    (tmp_path / "pets.yaml").write_text("tenant: pets\nknowledge: {path: docs}\n")
    (tmp_path / "golden.jsonl").write_text(QUESTION)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("backup", "pets.yaml", "away/b.zip"), "FILE: there is no folder away; make it, or name another file"),
        (("backup", "pets.yaml", "docs"), "FILE: docs is a folder; name a file"),
        (("backup", "pets.yaml", "."), "FILE: . is a folder; name a file"),
        (("backup", "pets.yaml", "golden.jsonl"), "FILE: golden.jsonl is there already; name another file, or add -"),
        (("calibrate", "pets.yaml", "golden.jsonl", "--out", "away/c.json"), "--out: there is no folder away; make"),
        (("finetune", "pets.yaml", "golden.jsonl", "--out", "away/a.npz"), "--out: there is no folder away; "),
        (
            ("calibrate", "pets.yaml", "golden.jsonl", "--out", "golden.jsonl"),
            "--out: golden.jsonl exists and is no ca",
        ),
        (("calibrate", "pets.yaml", "golden.jsonl", "--out", "pets.yaml"), "--out: pets.yaml exists and is no calibra"),
        (("finetune", "pets.yaml", "--out", "pets.yaml"), "--out: pets.yaml exists and is no adapter; name ano"),
        (("finetune", "pets.yaml", "--out", "/dev/null"), "--out: /dev/null exists and is no adapter; name ano"),
        (("evaluate", "pets.yaml", "golden.jsonl", "--report", "pets.yaml/x"), "--report: pets.yaml is a file; name "),
        (("serve", "pets.yaml", "--port", "0", "--access-log", "away/log"), "--access-log: there is no folder away; "),
        (("models", "export"), "FOOTNOTE_MODELS: pets.yaml is a file; name another folder"),
        (("models", "add", "ms-marco-minilm-l12"), "FOOTNOTE_MODELS: pets.yaml is a file; name another folder"),
        (("compare", "pets.yaml", "pets.yaml", "--report", "pets.yaml/x/y"), "--report: pets.yaml is a file; name an"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_what_cannot_be_written_is_refused_first(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], said: str
) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", "pets.yaml")
    done = run_cli(*command)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"footnote: {said}")
    assert Path("golden.jsonl").read_text() == QUESTION


def test_figures_are_printed_though_their_report_cannot_be_written(run_cli: RunCli) -> None:
    Path("report/run.trec").mkdir(parents=True)
    done = run_cli("evaluate", "pets.yaml", "golden.jsonl", "--report", "report")
    assert done.code == 2
    assert "ndcg@10" in done.out
    assert done.err == "footnote: --report: report/run.trec cannot be written (Is a directory); name another place\n"
