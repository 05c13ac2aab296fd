"""Chunks that are found by their words before their vectors are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pipelines import open_engine
from pipelines.engine import Engine
from pipelines.jobs import Report, Work
from pipelines.jobs.runner import run_jobs
from pipelines.types import DocumentInput, IngestResult, Job
from tests.pipelines.jobs.tenants import wait_until

TEXT = "\n\n".join(f"Guide number {number} tells how the cellar of house {number} is kept dry." for number in range(40))
OFFER = DocumentInput(TEXT, document_id="guide", words_first=True)


def profile(engine: str) -> dict[str, object]:
    return {"tenant": "t", "chunking": {"size": 30, "overlap": 0}, "store": {"engine": engine}}


def dense(engine: Engine) -> int:
    return len(engine.search("a basement without moisture", mode="dense").hits)


@pytest.mark.parametrize("kind", ["edge", "memory"])
def test_words_find_a_document_before_its_vectors_do(tmp_path: Path, kind: str) -> None:
    with open_engine(profile(kind), tmp_path) as engine:
        [result] = engine.ingest([OFFER])
        assert (result.state, result.embeddings_generated) == ("ready", 0)
        assert engine.search("cellar of house 7").hits
        diverse = engine.search("cellar of house 7", diversity=0.5)
        assert diverse.hits
        assert [stage.failure for stage in diverse.trace.stages] == [None] * len(diverse.trace.stages)
        assert (dense(engine), engine.storage.vectors_stored()) == (0, 0)
        reported: list[int] = []
        assert engine.work.complete(reported.append) == result.chunks_created
        assert reported == [result.chunks_created]
        assert dense(engine) > 0
        assert engine.storage.vectors_stored() == result.chunks_created
        assert engine.work.complete(reported.append) == 0
        assert engine.doctor().healthy


@pytest.mark.parametrize("kind", ["edge", "memory"])
def test_vectors_of_past_versions_are_not_counted_among_the_stored(tmp_path: Path, kind: str) -> None:
    with open_engine(profile(kind), tmp_path) as engine:
        engine.ingest([OFFER, DocumentInput("The attic is dry.", document_id="attic")])
        assert engine.storage.vectors_stored() == 1
        engine.work.complete(lambda done: None)
        engine.ingest([DocumentInput(f"{TEXT} And damp.", document_id="guide", words_first=True)])
        assert engine.storage.vectors_stored() == 1
        engine.work.complete(lambda done: None)
        assert engine.storage.vectors_stored() == engine.stats().chunks
        engine.delete("guide")
        assert engine.storage.vectors_stored() == 1


def test_chunks_without_vectors_after_a_kill_get_them_later(tmp_path: Path) -> None:
    with open_engine(profile("edge"), tmp_path) as engine:
        engine.ingest([OFFER])
    with open_engine(profile("edge"), tmp_path) as engine:
        assert dense(engine) == 0
        engine.optimize()
        engine.rebuild()
        assert dense(engine) > 0


@pytest.mark.parametrize("kind", ["edge", "memory"])
def test_a_doctor_counts_chunks_without_vectors_and_makes_them(tmp_path: Path, kind: str) -> None:
    with open_engine(profile(kind), tmp_path) as engine:
        [result] = engine.ingest([OFFER])
        for _ in range(2):
            seen = engine.doctor()
            assert seen.healthy
            [finding] = seen.findings
            assert (finding.kind, finding.repaired) == ("stale", False)
            assert f"{result.chunks_created} chunks without a vector" in finding.detail
        [finding] = engine.doctor(repair=True).findings
        assert finding.repaired
        assert engine.storage.vectors_stored() == engine.stats().chunks
        assert engine.doctor().findings == ()


def many(count: int) -> list[DocumentInput]:
    return [DocumentInput(f"Cellar {number} is dry.", f"cellar-{number}", words_first=True) for number in range(count)]


def carried_out(engine: Engine, work: Work, folder: Path, *, cancel: bool) -> Job:
    with run_jobs([work], folder):
        job_id = engine.jobs.submit("ingest", many(1000)).job_id
        if cancel:
            wait_until(lambda: engine.jobs.job(job_id).progress.files_done > 0, "a batch is in")
            engine.jobs.cancel(job_id)
        wait_until(lambda: engine.jobs.job(job_id).finished_at is not None, "it ends")
        wait_until(lambda: engine.storage.vectors_stored() == engine.stats().chunks, "the vectors are made")
    return engine.jobs.job(job_id)


def test_a_job_that_is_cancelled_leaves_no_chunk_without_a_vector(tmp_path: Path) -> None:
    with open_engine(profile("memory"), tmp_path) as engine:
        job = carried_out(engine, engine.work, tmp_path, cancel=True)
        assert job.state == "cancelled"
        assert 0 < engine.stats().documents < 1000


def test_a_job_that_fails_leaves_no_chunk_without_a_vector(tmp_path: Path) -> None:
    with open_engine(profile("memory"), tmp_path) as engine:

        def ingest(documents: Sequence[DocumentInput], report: Report, at_once: int) -> Sequence[IngestResult]:
            if documents[0].document_id != "cellar-0":
                raise ValueError
            return engine.work.ingest(documents, report, at_once)

        job = carried_out(engine, replace(engine.work, ingest=ingest), tmp_path, cancel=False)
        assert job.state == "failed"
        assert engine.stats().documents == 64


def test_a_document_that_is_deleted_before_its_vectors_are_made_stays_deleted(tmp_path: Path) -> None:
    with open_engine(profile("edge"), tmp_path) as engine:
        engine.ingest([OFFER, DocumentInput("The attic is dry.", document_id="attic", words_first=True)])
        store = engine._parts.indexes.current.store
        waiting = store.without_vectors(1000)
        engine.delete("guide", purge=True)
        store.give_vectors({name: [1.0, *([0.0] * 383)] for name in waiting})
        assert engine.work.complete(lambda done: None) == 0
        assert store.count() == engine.storage.vectors_stored() == engine.stats().chunks
