"""`footnote compare` on a dataset of two dozen documents, of which BM25 finds every one and half the legs do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.running import RunCli

THINGS = [
    "anvil",
    "bellows",
    "compass",
    "dynamo",
    "easel",
    "funnel",
    "gimbal",
    "hinge",
    "ingot",
    "jigsaw",
    "kiln",
    "lathe",
    "mallet",
    "nozzle",
    "oboe",
    "pulley",
    "quill",
    "rivet",
    "sextant",
    "trowel",
    "urn",
    "valve",
    "winch",
    "yoke",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two profiles, of which one does not search by words, and parts that are told apart by a number alone."""
    (tmp_path / "words.yaml").write_text("tenant: words\nretrieval: {mode: sparse}")
    (tmp_path / "vectors.yaml").write_text("tenant: vectors\nretrieval: {mode: dense}")
    (tmp_path / "set").mkdir()
    texts = {f"d{n}": f"The {thing} is kept under the number zx{917 * n + 31}." for n, thing in enumerate(THINGS)}
    _write(tmp_path / "set" / "corpus.jsonl", [{"id": name, "text": text} for name, text in texts.items()])
    queries = [
        {"id": f"q{n}", "text": f"What is zx{917 * n + 31}?", "answers": [thing]} for n, thing in enumerate(THINGS)
    ]
    _write(tmp_path / "set" / "queries.jsonl", queries)
    qrels = "".join(f"q{n}\td{n}\t1\n" for n in range(len(THINGS)))
    (tmp_path / "set" / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance\n" + qrels)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(file: Path, lines: list[dict[str, object]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_the_better_profile_is_named_and_tenant_data_is_untouched(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("compare", "vectors.yaml", "words.yaml", "set")
    assert (done.code, done.err) == (0, "")
    assert "\nB (words.yaml) is better: ndcg@10 0." in done.out
    assert "-> 1: What is zx" in done.out
    assert not (folder / ".footnote").exists()


def test_only_json_is_printed_and_reruns_give_the_same(folder: Path, run_cli: RunCli) -> None:
    once, again = (
        json.loads(run_cli("compare", "vectors.yaml", "words.yaml", "set", "--limit", "21", "--json").out)
        for _ in range(2)
    )
    assert once["settings"] == [{"path": "retrieval -> mode", "first": "dense", "second": "sparse"}]
    assert once["differences"][0]["questions"] == 21
    assert once["differences"][0]["b"] == 1.0
    assert _without_times(once) == _without_times(again)


def _without_times(comparison: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in comparison["differences"] if not one["measure"].endswith("_ms")]


def test_a_mode_applies_to_both_profiles(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("compare", "vectors.yaml", "words.yaml", "set", "--mode", "sparse", "--report", "out")
    assert "No difference in ndcg@10" in done.out
    page = (folder / "out" / "report.html").read_text()
    assert "No difference in ndcg@10" in page
    assert page.count("<svg") == 3


def test_the_first_profiles_golden_questions_are_the_default_dataset(folder: Path, run_cli: RunCli) -> None:
    (folder / "words.yaml").write_text("tenant: words\nknowledge: {path: knowledge}\nretrieval: {mode: sparse}")
    (folder / "knowledge").mkdir()
    (folder / "knowledge" / "kiln.txt").write_text("The kiln is hot.")
    _write(folder / "golden.jsonl", [{"id": "g", "question": "What is hot?", "documents": ["kiln.txt"]}])
    done = run_cli("compare", "words.yaml", "vectors.yaml")
    assert (done.code, done.err) == (0, "")
    assert "on words/golden" in done.out
    assert done.out.rstrip().splitlines()[-1].startswith("Too few questions to tell: 1 of the 20")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("words.yaml", "nowhere.yaml", "set"), "nowhere.yaml"),
        (("words.yaml", "vectors.yaml", "nowhere"), "nowhere"),
        (("words.yaml", "vectors.yaml"), "golden questions need the tenant's knowledge folder"),
        (("words.yaml",), "PROFILE_B"),
    ],
)
def test_incomparable_profiles_end_with_2(
    folder: Path, run_cli: RunCli, arguments: tuple[str, ...], message: str
) -> None:
    done = run_cli("compare", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_files_that_the_second_profile_lacks_are_named_before_the_first_is_measured(
    folder: Path, run_cli: RunCli
) -> None:
    (folder / "broken.yaml").write_text("tenant: broken\nanswer: {calibration: gone.json}\n")
    _write(folder / "set" / "corpus.jsonl", [{"id": f"d{n}", "text": ""} for n in range(len(THINGS))])
    done = run_cli("compare", "words.yaml", "broken.yaml", "set")
    assert (done.code, done.out) == (2, "")
    assert "profile broken.yaml cannot be used" in done.err
    assert "answer -> calibration: gone.json does not exist" in done.err
