"""A purge while documents wait in jobs: an offer of the purged document fails, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipelines.engine import Engine, open_engine
from pipelines.jobs.runner import run_jobs
from pipelines.types import DocumentInput, Job
from tests.congruence.backends import BACKENDS, catalogue_of
from tests.pipelines.jobs.tenants import wait_until

OLD = DocumentInput("The draft of Ann is about beagles.", "ann", source="report.txt")


@pytest.fixture(params=BACKENDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with catalogue_of(request.param) as lines:
        profile = tmp_path / "kennel.yaml"
        profile.write_text(f"tenant: kennel\n{lines}", encoding="utf-8")
        with open_engine(profile, tmp_path / "data") as engine:
            yield engine


def done(engine: Engine, job: Job, folder: Path) -> list[tuple[str, str]]:
    """Carry a job out, and return its files."""
    with run_jobs([engine.work], folder):
        wait_until(lambda: engine.jobs.job(job.job_id).finished_at is not None, "it ends")
    return [(file.path, file.state) for file in engine.jobs.job(job.job_id).files]


def purged(engine: Engine, document_id: str) -> int:
    purge = engine.delete(document_id, purge=True).purge
    assert purge is not None
    return purge.removed["job_files"]


def test_the_offer_of_another_document_with_the_same_source_is_carried_out(engine: Engine, tmp_path: Path) -> None:
    engine.ingest(OLD)
    offers = [
        DocumentInput("The report of Bob is about cats.", "bob", source="report.txt"),
        replace(OLD, content="The second draft of Ann."),
        replace(OLD, content="The second draft of Ann.", source="elsewhere.txt"),
        DocumentInput("Nobody knows whose report this is.", source="report.txt"),
        DocumentInput("Carl writes about cows.", "carl", title='"ann"', metadata={"by": "ann"}),
    ]
    job = engine.jobs.submit("ingest", offers)
    assert purged(engine, "ann") == 3
    files = done(engine, job, tmp_path)
    assert files == [
        ("report.txt", "ready"),
        ("(purged)", "failed"),
        ("(purged)", "failed"),
        ("(purged)", "failed"),
        ("carl", "ready"),
    ]
    assert [one.document_id for one in engine.documents().documents] == ["bob", "carl"]


def test_a_document_of_a_job_that_is_over_is_forgotten_by_its_path(engine: Engine, tmp_path: Path) -> None:
    job = engine.jobs.submit("ingest", [OLD, replace(OLD, document_id="bob"), DocumentInput("Cows moo.", "cows")])
    done(engine, job, tmp_path)
    assert purged(engine, "ann") == 2
    files = engine.jobs.job(job.job_id).files
    assert [(file.path, file.state) for file in files] == [
        ("(purged)", "ready"),
        ("(purged)", "ready"),
        ("cows", "ready"),
    ]


@pytest.mark.parametrize(
    "strange",
    [
        DocumentInput("Dogs bark.", "dogs", metadata={"note": "a\0b"}),
        DocumentInput("Dogs bark.", "dogs", title="half \ud800"),
        DocumentInput("Dogs bark.", "do\0gs"),
        DocumentInput("Dogs bark.", "dogs%_\\"),
    ],
)
def test_an_offer_that_a_database_cannot_parse_keeps_no_document_from_being_purged(
    engine: Engine, strange: DocumentInput, tmp_path: Path
) -> None:
    engine.ingest([OLD, DocumentInput("Cows moo.", "dogs%_\\")])
    job = engine.jobs.submit("ingest", [strange, replace(OLD, content="The second draft.")])
    assert purged(engine, "ann") == 1
    assert purged(engine, "dogs%_\\") == (strange.document_id == "dogs%_\\")
    assert len(done(engine, job, tmp_path)) == 2
