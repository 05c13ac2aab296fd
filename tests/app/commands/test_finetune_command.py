"""`footnote finetune`: an adapter is written beside the profile, or nothing."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.app.running import RunCli
from tests.pipelines.evaluation.jargon import JARGON, house_rules


def lines(path: Path, records: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tenant with a knowledge folder, and golden questions as `footnote feedback PROFILE export` writes them."""
    dataset = house_rules(JARGON)
    (tmp_path / "house" / "knowledge").mkdir(parents=True)
    (tmp_path / "house" / "profile.yaml").write_text("tenant: house\nknowledge: {path: knowledge}\n")
    assert isinstance(dataset.corpus, tuple)
    for document in dataset.corpus:
        (tmp_path / "house" / "knowledge" / f"{document.id}.md").write_text(document.text)
    golden: list[dict[str, object]] = []
    for query in dataset.queries:
        (document,) = dataset.qrels[query.id]
        golden.append({"id": query.id, "question": query.text, "documents": [f"{document}.md"]})
    lines(tmp_path / "golden.jsonl", golden)
    shuffled = [one["documents"] for one in golden]
    random.Random(5).shuffle(shuffled)
    wrong = [{**one, "documents": documents} for one, documents in zip(golden, shuffled, strict=True)]
    lines(tmp_path / "wrong.jsonl", wrong)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_adapter_that_helps_is_written_and_can_be_named(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("finetune", "house", "golden.jsonl")
    assert (done.code, done.err) == (0, "")
    first, *_, last = done.out.splitlines()
    assert first == "house/golden: 60 questions"
    written = folder / "house" / "adapter.npz"
    assert last == f"written to {written}; for the profile: embedding: {{adapter: adapter.npz}}"
    assert not (folder / ".footnote").exists()
    with (folder / "house" / "profile.yaml").open("a") as profile:
        profile.write("embedding: {adapter: adapter.npz}\n")
    assert run_cli("check", "house").code == 0
    assert run_cli("ingest", "house", "house/knowledge").code == 0
    found = json.loads(run_cli("search", "house", "Who has to say yes to a volcano?", "--mode", "dense", "--json").out)
    assert found["results"][0]["document_id"] == "printer approved.md"


@pytest.mark.parametrize("option", ["--out", "--output"])
def test_the_line_for_the_profile_names_the_file_from_the_profiles_folder(
    folder: Path, run_cli: RunCli, option: str
) -> None:
    done = run_cli("finetune", "house", "golden.jsonl", option, "house/own.npz")
    assert done.out.splitlines()[-1] == "written to house/own.npz; for the profile: embedding: {adapter: own.npz}"


def test_one_that_does_not_help_is_not_written(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("finetune", "house", "wrong.jsonl", "--out", "a.npz", "--json")
    summary = json.loads(done.out)
    assert (done.code, summary["is_better"], summary["written"]) == (0, False, None)
    assert not (folder / "a.npz").exists()


def test_the_former_name_of_an_option_is_not_shown(run_cli: RunCli) -> None:
    shown = run_cli("finetune", "--help").out
    assert "--out " in shown
    assert "--output" not in shown


def test_a_missing_adapter_is_found_by_check(folder: Path, run_cli: RunCli) -> None:
    with (folder / "house" / "profile.yaml").open("a") as profile:
        profile.write("embedding: {adapter: gone.npz}\n")
    done = run_cli("check", "house")
    assert done.code == 2
    assert "embedding -> adapter: gone.npz does not exist" in done.err


def test_documents_that_could_not_be_indexed_are_named(folder: Path, run_cli: RunCli) -> None:
    (folder / "house" / "knowledge" / "blank.txt").write_text(" ")
    assert "1 document could not be indexed:\n    blank.txt: " in run_cli("finetune", "house", "wrong.jsonl").out
    found = json.loads(run_cli("finetune", "house", "wrong.jsonl", "--json").out)["failed"]
    assert [one["document_id"] for one in found] == ["blank.txt"]
