"""Adapters learned on a real engine: from questions with words of their own, and where nothing can be learned."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

import pipelines
from pipelines.errors import InvalidRequest, ProfileError
from pipelines.evaluation.datasets import Dataset, Query, distinct_questions
from pipelines.evaluation.finetuning import FinetunedEmbedding, finetuning_summary, finetuning_table
from tests.pipelines.evaluation.jargon import JARGON, house_rules

PROFILE = {"tenant": "house"}
QUESTION = "Who has to say yes to a volcano?"
ANSWER = "printer approved"


@pytest.fixture(scope="module")
def learned() -> FinetunedEmbedding:
    return pipelines.finetune(PROFILE, house_rules(JARGON))


@pytest.fixture
def file(learned: FinetunedEmbedding, tmp_path: Path) -> Path:
    learned.adapter.write(tmp_path / "adapter.npz")
    return tmp_path / "adapter.npz"


def ranks(profile: dict[str, object], data: Path, question: str) -> list[str]:
    """Documents of the house rules as a tenant finds them by their vectors."""
    with pipelines.open_engine(profile, data) as engine:
        corpus = house_rules(JARGON).corpus
        assert isinstance(corpus, tuple)
        engine.ingest([pipelines.DocumentInput(one.text, one.id) for one in corpus])
        return [hit.document_id for hit in engine.search(question, mode="dense", top_k=60).hits]


def test_an_adapter_finds_what_questions_call_by_another_name(learned: FinetunedEmbedding) -> None:
    assert learned.is_better
    assert learned.gain.difference > 0.3
    assert learned.dense.difference > 0.3
    assert learned.adapter.about.questions == 60
    assert finetuning_table(learned).splitlines()[-1] == "the adapter finds more, and not by chance alone"
    assert "house rules: 60 questions" in learned._repr_html_()


def test_judgements_without_a_pattern_teach_nothing() -> None:
    dataset = house_rules(JARGON)
    answers = [dataset.qrels[query.id] for query in dataset.queries]
    order = np.random.default_rng(3).permutation(len(answers))
    shuffled = {query.id: answers[place] for query, place in zip(dataset.queries, order, strict=True)}
    found = pipelines.finetune(PROFILE, replace(dataset, qrels=shuffled))
    assert not found.is_better
    assert finetuning_table(found).splitlines()[-1].startswith("no adapter: ")
    assert finetuning_summary(found)["is_better"] is False


def test_a_profile_with_the_adapter_finds_it_without_embedding_anything_again(file: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    plain = ranks(PROFILE, data, QUESTION)
    adapted = ranks({**PROFILE, "embedding": {"adapter": str(file)}}, data, QUESTION)
    assert adapted[0] == ANSWER
    assert plain.index(ANSWER) > 3
    with pipelines.open_engine({**PROFILE, "embedding": {"adapter": str(file)}}, data) as engine:
        assert engine.stats().stale == 0


def test_words_of_late_interaction_go_with_an_adapter(file: Path, tmp_path: Path) -> None:
    profile = {**PROFILE, "embedding": {"adapter": str(file)}, "rerank": [{"type": "late_interaction", "depth": 5}]}
    with pipelines.open_engine(profile, tmp_path) as engine:
        vector = np.array(engine.embed([QUESTION], as_questions=True)[0])
        retrieved = engine.retriever()._finder()._embedder.query_vector(QUESTION)  # type: ignore[attr-defined]
    assert retrieved == pytest.approx(vector, abs=1e-5)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_a_file_is_replaced_where_a_link_leads_and_a_failure_leaves_nothing(
    learned: FinetunedEmbedding, tmp_path: Path
) -> None:
    (tmp_path / "link.npz").symlink_to("real.npz")
    learned.adapter.write(tmp_path / "link.npz")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        learned.adapter.write(tmp_path / "folder")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "link.npz", "real.npz"]
    assert (tmp_path / "link.npz").is_symlink()


def test_the_name_of_what_embeds_questions_changes_with_the_adapter(file: Path, tmp_path: Path) -> None:
    """Answers are kept for reuse under that name, vectors of texts under the other."""
    with pipelines.open_engine(PROFILE, tmp_path) as plain:
        before = plain.retriever()._finder()._embedder  # type: ignore[attr-defined]
    with pipelines.open_engine({**PROFILE, "embedding": {"adapter": str(file)}}, tmp_path) as adapted:
        after = adapted.retriever()._finder()._embedder  # type: ignore[attr-defined]
    assert before.fingerprint == after.fingerprint
    assert before.query_fingerprint != after.query_fingerprint


def test_an_adapter_of_another_model_is_refused_when_the_tenant_is_opened(file: Path, tmp_path: Path) -> None:
    profile = {**PROFILE, "embedding": {"adapter": str(file), "quantize": "none"}}
    with pytest.raises(ProfileError, match=r"adapter.npz was learned for the model .*/int8.*; run footnote finetune"):
        pipelines.open_engine(profile, tmp_path)


def overwritten() -> bytes:
    """An archive as adapters are, with other bytes amid its compressed ones."""
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        packed.writestr("about.json", json.dumps(list(range(1000))))
    content = bytearray(archive.getvalue())
    content[60:300] = b"\xff" * 240
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "does not exist"), (b"no archive", "is not an adapter"), (overwritten(), "is not an adapter")],
)
def test_a_file_that_is_no_adapter_is_refused(content: bytes | None, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "adapter.npz"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ProfileError, match=f"embedding -> adapter: adapter.npz {problem}"):
        pipelines.open_engine({**PROFILE, "embedding": {"adapter": str(file)}}, tmp_path)


def test_a_question_that_is_asked_again_counts_once() -> None:
    dataset = house_rules(JARGON)
    first = dataset.queries[0]
    again = replace(first, id="again", text=f" {first.text.upper()} ")
    qrels = {**dataset.qrels, "again": {"laptop lost": 1}}
    distinct = distinct_questions(replace(dataset, queries=(*dataset.queries, again), qrels=qrels))
    assert len(distinct.queries) == 60
    assert distinct.qrels[first.id] == {"laptop ordered": 1, "laptop lost": 1}


def test_a_document_that_one_of_the_same_questions_calls_relevant_is_relevant() -> None:
    first, again = Query("q", "Why?"), Query("again", "why?")
    dataset = Dataset("few", (), (first, again), {"q": {"a": 1, "b": 0}, "again": {"a": 0, "b": 2}})
    assert distinct_questions(dataset).qrels == {"q": {"a": 1, "b": 2}}


def test_too_few_questions_are_refused() -> None:
    dataset = house_rules(JARGON)
    few = Dataset("few", dataset.corpus, dataset.queries[:39], dataset.qrels)
    with pytest.raises(InvalidRequest, match="at least 40 different questions with documents, and there are 39"):
        pipelines.finetune(PROFILE, few)


def test_a_profile_that_looks_for_words_alone_has_no_use_for_an_adapter() -> None:
    with pytest.raises(InvalidRequest, match="retrieval -> mode: is sparse"):
        pipelines.finetune({**PROFILE, "retrieval": {"mode": "sparse"}}, house_rules(JARGON))
