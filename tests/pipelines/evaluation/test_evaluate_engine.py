"""A run on a real engine: a data set and a tenant's golden questions, from files on disk to a written report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import open_engine, open_scratch
from pipelines.errors import InvalidRequest
from pipelines.evaluation.engines import fresh_profile
from pipelines.evaluation.evaluate import Evaluation, evaluate
from pipelines.evaluation.golden import load_golden, open_dataset
from pipelines.evaluation.report import write_report
from pipelines.profile.loader import LoadedProfile, load_profile

PROFILE = """
tenant: planets
knowledge: {path: knowledge, sync: startup}
metadata: {fields: {kind: {type: keyword, values: [rock, gas, ice]}}}
chunking: {size: 32, overlap: 0}
answer: {sentences: 2}
"""

PLANETS = {
    "mercury": ("rock", "Mercury is the planet nearest to the Sun. A year on Mercury lasts 88 days."),
    "venus": ("rock", "Venus is the hottest planet. Its clouds are made of sulphuric acid."),
    "mars": ("rock", "Mars is red because of rust. Olympus Mons on Mars is the tallest volcano known."),
    "jupiter": ("gas", "Jupiter is the largest planet. Its Great Red Spot is a storm wider than the Earth."),
    "saturn": ("gas", "Saturn has the brightest rings. They are made of ice and dust."),
    "neptune": ("ice", "Neptune was found by calculation in 1846. Its winds are the fastest of all planets."),
}
QUERIES: list[dict[str, Any]] = [
    {"id": "year", "text": "How many days does a year on Mercury last?", "answers": ["88 days"]},
    {"id": "volcano", "text": "Which is the tallest volcano known?", "answers": ["Olympus Mons"]},
    {"id": "found", "text": "When was Neptune found?", "answers": ["1846"], "filters": {"kind": "ice"}},
    {"id": "hidden", "text": "Which planet has the brightest rings?", "filters": {"kind": "rock"}},
]
RELEVANT = {"year": "mercury", "volcano": "mars", "found": "neptune", "hidden": "saturn"}


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.fixture
def tenant(tmp_path: Path) -> LoadedProfile:
    (tmp_path / "profile.yaml").write_text(PROFILE)
    (tmp_path / "knowledge").mkdir()
    for name, (kind, text) in PLANETS.items():
        (tmp_path / "knowledge" / f"{name}.md").write_text(f"---\nkind: {kind}\n---\n# {name.title()}\n\n{text}\n")
    return load_profile(tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "solar system"
    folder.mkdir()
    corpus: list[dict[str, Any]] = [
        {"id": name, "title": name.title(), "text": text, "metadata": {"kind": kind, "letters": len(name)}}
        for name, (kind, text) in PLANETS.items()
    ]
    write_lines(folder / "corpus.jsonl", corpus)
    write_lines(folder / "queries.jsonl", QUERIES)
    judged = "".join(f"{query}\t{document}\t1\n" for query, document in RELEVANT.items())
    (folder / "qrels.tsv").write_text(f"query_id\tcorpus_id\trelevance\n{judged}")
    write_lines(folder / "unanswerable.jsonl", [{"id": "tax", "text": "What is the rate of income tax in Peru?"}])
    return folder


def run(tenant: LoadedProfile, dataset: Path | None, data: Path) -> Evaluation:
    opened = open_dataset(tenant, dataset)
    return evaluate(lambda: open_engine(fresh_profile(tenant, opened), data), opened)


def test_a_data_set_is_measured_from_its_files_to_the_report(
    tenant: LoadedProfile, folder: Path, tmp_path: Path
) -> None:
    evaluation = run(tenant, folder, tmp_path / "data")
    metrics = evaluation.metrics
    assert len(metrics) == 22
    assert metrics["hit@1"] == metrics["ndcg@10"] == metrics["recall@100"] == 0.75
    assert metrics["answer_hit_rate"] == 1.0
    assert metrics["citation_precision"] == 1.0
    assert metrics["chunks"] >= len(PLANETS)
    assert evaluation.failed == ()
    assert set(dict(evaluation.run["found"])) == {"neptune"}
    assert set(dict(evaluation.run["hidden"])) == {"mercury", "venus", "mars"}
    write_report(evaluation, tmp_path / "report")
    assert json.loads((tmp_path / "report" / "report.json").read_text())["metrics"] == metrics


@pytest.mark.parametrize("mode", ["dense", "sparse"])
def test_one_leg_is_measured_alone(tenant: LoadedProfile, folder: Path, tmp_path: Path, mode: str) -> None:
    dataset = open_dataset(tenant, folder)
    fresh = fresh_profile(tenant, dataset)
    evaluation = evaluate(lambda: open_engine(fresh, tmp_path / "data"), dataset, mode=mode, answers=False)  # type: ignore[arg-type]
    assert evaluation.mode == mode
    assert evaluation.metrics["ndcg@10"] == 0.75


def test_golden_questions_are_measured_on_the_knowledge_folder(tenant: LoadedProfile, tmp_path: Path) -> None:
    golden: list[dict[str, Any]] = [
        {"id": "g1", "question": QUERIES[1]["text"], "answers": ["Olympus Mons"], "documents": ["mars.md"]},
        {"id": "g2", "question": QUERIES[3]["text"], "answers": ["Saturn"], "documents": ["saturn.md"]},
    ]
    write_lines(tenant.folder / "golden.jsonl", golden)
    assert load_golden(tenant).queries[0].answers == ("Olympus Mons",)
    metrics = run(tenant, None, tmp_path / "data").metrics
    assert metrics["ndcg@10"] == 1.0
    assert metrics["answer_hit_rate"] == 1.0
    assert metrics["citation_precision"] == 1.0


def test_a_golden_question_with_a_scope_is_asked_from_its_place(tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text(
        "tenant: law\nknowledge: {path: knowledge}\nmetadata:\n"
        "  fields: {level: {type: keyword, values: [country, town], required: true}, town: {type: keyword}}\n"
        "  hierarchy: {level: level, path: [town]}\n"
    )
    (tmp_path / "knowledge").mkdir()
    for town in ("ayton", "beeford"):
        text = f"---\nlevel: town\ntown: {town}\n---\nDogs may swim in the lake from noon on.\n"
        (tmp_path / "knowledge" / f"{town}.md").write_text(text)
    asked = {"question": "When may dogs swim?"}
    golden = [
        {"id": town, **asked, "documents": [f"{town}.md"], "scope": {"town": town}} for town in ("ayton", "beeford")
    ]
    write_lines(tmp_path / "golden.jsonl", golden)
    evaluation = run(load_profile(tmp_path), None, tmp_path / "data")
    assert {query: [name for name, _ in found] for query, found in evaluation.run.items()} == {
        "ayton": ["ayton.md"],
        "beeford": ["beeford.md"],
    }


def test_what_is_wrong_with_a_question_names_it(tenant: LoadedProfile) -> None:
    asked = {"id": "wet", "question": "Which is wet?", "answers": ["none"], "filters": {"king": "ice"}}
    write_lines(tenant.folder / "golden.jsonl", [asked])
    dataset = load_golden(tenant)
    stages: list[str] = []
    with pytest.raises(InvalidRequest, match=r'^question "wet": filters -> king: unknown field'):
        evaluate(
            lambda: open_scratch(fresh_profile(tenant, dataset)),
            dataset,
            progress=lambda stage, done, total: stages.append(stage),
        )
    assert stages == []  # nothing was indexed in vain


def test_golden_questions_are_measured_on_the_documents_that_the_profile_takes(tmp_path: Path) -> None:
    knowledge = tmp_path / "knowledge"
    (knowledge / "drafts").mkdir(parents=True)
    (knowledge / "mars.md").write_text("Olympus Mons is a volcano on Mars.")
    (knowledge / "drafts" / "mars.md").write_text("Olympus Mons is a volcano on Mars, says a draft.")
    (knowledge / "notes.txt").write_text("Olympus Mons is a note.")
    (tmp_path / "profile.yaml").write_text(
        'tenant: sky\nknowledge: {path: knowledge, include: ["*.md"], exclude: [drafts]}\n'
    )
    write_lines(tmp_path / "golden.jsonl", [{"id": "g", "question": "Which volcano?", "documents": ["mars.md"]}])
    loaded = load_profile(tmp_path)
    dataset = load_golden(loaded)
    evaluation = evaluate(lambda: open_scratch(fresh_profile(loaded, dataset)), dataset, answers=False)
    assert [document for document, _ in evaluation.run["g"]] == ["mars.md"]
    other = tmp_path / "other.yaml"
    other.write_text("tenant: other\n")  # another profile, judged on the same documents
    judged = fresh_profile(load_profile(other), dataset)
    evaluation = evaluate(lambda: open_scratch(judged), dataset, answers=False)
    assert [document for document, _ in evaluation.run["g"]] == ["mars.md"]
