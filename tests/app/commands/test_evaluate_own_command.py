"""`footnote evaluate` and `footnote calibrate` on raw documents."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from tests.app.running import RunCli

CORPORA = {
    "bread": ("Rye bread bakes for {} minutes.", "How long does rye bread bake?"),
    "cake": ("Carrot cake bakes for {} minutes.", "How long does carrot cake bake?"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile, and two corpora in the folder ``own``."""
    (tmp_path / "t.yaml").write_text("tenant: t\nanswer: {sentences: 1, abstain_below: 0}\n")
    for name, (text, question) in CORPORA.items():
        (tmp_path / "own" / name / "files").mkdir(parents=True)
        (tmp_path / "own" / name / "files" / "recipe.txt").write_text(text.format(45))
        asked = [
            {"id": f"q{n}", "question": question, "kind": "number", "doc": "files/recipe.txt", "must": ["45 minutes"]}
            for n in range(6)
        ]
        asked += [{"id": f"u{n}", "question": f"Who won the cup in 19{n}0?", "kind": "unanswerable"} for n in range(6)]
        (tmp_path / "own" / name / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_corpus_is_measured_and_tenant_data_is_untouched(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("evaluate", "t.yaml", "own/bread")
    assert (done.code, done.err) == (0, "")
    assert "bread under t: 12 questions, abstain_below 0" in done.out
    assert "confidence_auroc" in done.out
    assert not (folder / ".footnote").exists()


def test_several_corpora_are_measured_each_and_in_total(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("evaluate", "t.yaml", "own", "--report", "report")
    assert done.code == 0
    titles = [line.split(":")[0] for line in done.out.splitlines() if " under t: " in line]
    assert titles == ["bread under t", "cake under t", "own under t"]
    for place in ("report", "report/bread", "report/cake"):
        written = {file.name for file in (folder / place).iterdir() if file.is_file()}
        assert written == {"report.html", "report.json", "per_query.jsonl"}


def test_json_is_one_document_with_the_total_and_each_corpus(folder: Path, run_cli: RunCli) -> None:
    whole = json.loads(run_cli("evaluate", "t.yaml", "own", "--json", "--limit", "2").out)
    assert (whole["dataset"], whole["questions"], whole["metrics"]["right"]) == ("own", 8, 1.0)
    assert [(one["dataset"], one["questions"]) for one in whole["corpora"]] == [("bread", 4), ("cake", 4)]
    alone = json.loads(run_cli("evaluate", "t.yaml", "own/cake", "--json", "--limit", "2").out)
    assert (alone["dataset"], "corpora" in alone) == ("cake", False)


def test_options_of_rankings_are_refused(folder: Path, run_cli: RunCli) -> None:
    for option in (["--mode", "dense"], ["--history"]):
        done = run_cli("evaluate", "t.yaml", "own", *option)
        assert (done.code, done.out) == (2, "")
        assert f"{option[0]}: own documents are always evaluated with the profile's mode" in done.err


def test_confidence_is_calibrated_on_own_documents_with_each_set_left_out(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    reported = json.loads(run_cli("calibrate", "t.yaml", "own", "--json").out)
    assert reported["calibration"]["fitted_on"] == [{"dataset": "own", "questions": 24, "right": 12}]
    assert reported["left_out_error"] is None
    copytree(folder / "own", folder / "other")
    done = run_cli("calibrate", "t.yaml", "own", "other")
    assert "each data set left out in turn: calibration_error" in done.out
