"""`footnote calibrate` on a small dataset."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.app.running import RunCli

BREEDS = {"beagle": 60, "pug": 20, "collie": 120, "poodle": 70, "boxer": 80, "husky": 110}
ASKED = ("How many minutes of exercise does a {} need a day?", "How long should a {} walk each day?")
NOT_TOLD = ("Who painted the portrait of a {} in 1890?", "What is the price of a {} in Berlin?")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile, and a dataset of which half of the questions are not answered."""
    (tmp_path / "t.yaml").write_text("tenant: t\nanswer: {sentences: 1}\n")
    (tmp_path / "set").mkdir()
    corpus = [{"id": b, "title": b, "text": f"A {b} needs {m} minutes of exercise a day."} for b, m in BREEDS.items()]
    write(tmp_path / "set" / "corpus.jsonl", corpus)
    asked = [(f"{b}{n}", q.format(b), b) for b in BREEDS for n, q in enumerate(ASKED)]
    queries = [{"id": name, "text": text, "answers": [f"{BREEDS[breed]} minutes"]} for name, text, breed in asked]
    write(tmp_path / "set" / "queries.jsonl", queries)
    lines = "".join(f"{name}\t{breed}\t1\n" for name, _, breed in asked)
    (tmp_path / "set" / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance\n" + lines)
    others = [{"id": f"u{b}{n}", "text": q.format(b)} for b in BREEDS for n, q in enumerate(NOT_TOLD)]
    write(tmp_path / "set" / "unanswerable.jsonl", others)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(file: Path, lines: list[dict[str, object]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_calibration_file_works_in_the_profile(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    done = run_cli("calibrate", "t.yaml", "set", "--out", "sure.json")
    assert (done.code, done.err) == (0, "")
    assert "set: 24 answers, 12 of them right" in done.out
    assert "set, fitted on other questions: abstention_auroc" in done.out
    (folder / "own.yaml").write_text("tenant: t\nanswer: {sentences: 1, calibration: sure.json, abstain_below: 0.5}\n")
    assert run_cli("check", "own.yaml").code == 0
    metrics = json.loads(run_cli("evaluate", "own.yaml", "set", "--json").out)["metrics"]
    assert metrics["abstention_auroc"] > 0.9
    assert metrics["answer_hit_rate"] > 0.8
    assert not (folder / ".footnote").exists()


def test_only_json_is_printed(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    reported = json.loads(run_cli("calibrate", "t.yaml", "set", "--json").out)
    assert reported["calibration"]["fitted_on"] == [{"dataset": "set", "questions": 24, "right": 12}]
    assert [one["fitted_on"] for one in reported["worth"]] == ["other questions"]


def test_the_line_for_the_profile_names_the_file_from_the_profiles_folder(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    (folder / "kennel").mkdir()
    profile = (folder / "t.yaml").rename(folder / "kennel" / "profile.yaml")
    beside = run_cli("calibrate", "kennel", "set", "--out", "kennel/sure.json")
    assert beside.out.splitlines()[-1].endswith("; for the profile: answer: {calibration: sure.json}")
    elsewhere = run_cli("calibrate", "kennel", "set", "--scale", "--out", "sure.json")
    named = f"answer: {{calibration: {folder}/sure.json}}"
    assert elsewhere.out.splitlines()[-1].endswith(f"; for the profile: {named}, in place of answer -> scale")
    profile.write_text(f"tenant: t\n{named}\n")
    assert run_cli("check", "kennel").code == 0


def test_a_calibration_that_turns_confidence_upside_down_is_not_written(folder: Path, run_cli: RunCli) -> None:
    """Here what the documents answer counts as unanswerable, and what they do not answer as right."""
    pytest.importorskip("sklearn")
    asked = [{"id": f"q{b}{n}", "text": q.format(b)} for b in BREEDS for n, q in enumerate(ASKED)]
    others = [{"id": f"u{b}{n}", "text": q.format(b)} for b in BREEDS for n, q in enumerate(NOT_TOLD)]
    write(folder / "set" / "queries.jsonl", [{**one, "answers": ["minutes"]} for one in others])
    write(folder / "set" / "unanswerable.jsonl", asked)
    (folder / "set" / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance\n")
    done = run_cli("calibrate", "t.yaml", "set", "--scale", "--out", "sure.json")
    last = "no scale for the profile: right answers do not have the higher confidence"
    assert (done.code, done.out.splitlines()[-1]) == (0, last)
    assert not (folder / "sure.json").exists()


def test_a_dataset_that_is_named_twice_counts_once(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    assert "set: 24 answers, 12 of them right" in run_cli("calibrate", "t.yaml", "set", str(folder / "set")).out


def test_answers_that_the_language_model_could_not_write_are_told(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    with (folder / "t.yaml").open("a") as profile:
        profile.write('llm: {provider: ollama, model: m, base_url: "http://127.0.0.1:9"}\n')
    done = run_cli("calibrate", "t.yaml", "set")
    assert done.code == 0
    assert "footnote: set: 24 of 24 answers are without the profile's language model" in done.err


def test_every_dataset_is_read_before_one_is_measured(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    shutil.copytree(folder / "set", folder / "other")
    (folder / "other" / "qrels.tsv").unlink()
    write(folder / "set" / "corpus.jsonl", [{"id": breed, "text": ""} for breed in BREEDS])
    assert "qrels.tsv: there is no such file" in run_cli("calibrate", "t.yaml", "set", "other").err


def test_a_missing_package_is_reported_before_the_work(
    folder: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    (folder / "set" / "corpus.jsonl").write_text("{")
    done = run_cli("calibrate", "t.yaml", "set")
    assert (done.code, done.err.partition(";")[0]) == (1, "footnote: scikit-learn is not installed")


def test_a_dataset_with_only_right_answers_ends_with_2_and_says_why(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    (folder / "set" / "unanswerable.jsonl").unlink()
    done = run_cli("calibrate", "t.yaml", "set")
    assert (done.code, done.out) == (2, "")
    assert "12 answers are right and 0 wrong, and at least 10 of each are needed" in done.err


def test_a_calibration_needs_a_dataset(folder: Path, run_cli: RunCli) -> None:
    assert run_cli("calibrate", "t.yaml").code == 2


def test_an_older_calibration_is_replaced_as_a_whole(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    (folder / "old.json").write_text('{"version": 3, "weights": {}}')
    (folder / "link.json").symlink_to("old.json")
    (folder / "t.yaml").write_text("tenant: t\nanswer: {sentences: 1, scale: {slope: 2}}\n")
    done = run_cli("calibrate", "t.yaml", "set", "--out", "link.json")
    assert (done.code, done.err) == (0, "")
    last = "written to link.json; for the profile: answer: {calibration: link.json}, in place of answer -> scale"
    assert done.out.splitlines()[-1] == last
    assert json.loads((folder / "old.json").read_text())["version"] == 4
    assert sorted(one.name for one in folder.iterdir()) == ["link.json", "old.json", "set", "t.yaml"]


def test_documents_that_could_not_be_indexed_are_named(folder: Path, run_cli: RunCli) -> None:
    pytest.importorskip("sklearn")
    corpus = folder / "set" / "corpus.jsonl"
    corpus.write_text(corpus.read_text() + json.dumps({"id": "blank", "title": "", "text": " "}) + "\n")
    done = run_cli("calibrate", "t.yaml", "set")
    assert done.code == 0
    assert "footnote: set: 1 document could not be indexed:\nfootnote: set: blank: " in done.err
