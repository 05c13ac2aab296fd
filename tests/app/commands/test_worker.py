"""`footnote worker` as a process of its own."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pipelines.engine import open_engine
from pipelines.jobs import Jobs
from pipelines.types import DocumentInput
from tests.app.commands.processes import Process, ended, said_until_ready, started
from tests.app.running import RunCli
from tests.pipelines.jobs.databases import opened_records
from tests.pipelines.jobs.tenants import wait_until


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts a worker that ends with the test."""
    for name in ("cats", "dogs"):
        (tmp_path / f"{name}.yaml").write_text(f"tenant: {name}\njobs: {{run: worker}}\n")
    with ExitStack() as opened:
        yield lambda *profiles: started(opened, tmp_path, "worker", *profiles, "--data", "data")


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_a_worker_runs_its_tenants_jobs_until_it_is_stopped(
    start: Callable[..., Process], tmp_path: Path, how: signal.Signals, code: int
) -> None:
    with open_engine(tmp_path / "cats.yaml", tmp_path / "data") as engine:
        job = engine.jobs.submit("ingest", [DocumentInput(content="Cats sleep all day.", document_id="a")])
    process = start("cats.yaml", "dogs.yaml")
    assert said_until_ready(process) == "cats: running jobs\ndogs: running jobs\nready\n"
    with opened_records(f"sqlite:///{tmp_path / 'data' / 'cats' / 'catalogue.sqlite'}", "cats") as records:
        jobs = Jobs(records)
        wait_until(lambda: jobs.job(job.job_id).finished_at is not None, "the job ends")
        assert (jobs.job(job.job_id).state, jobs.job(job.job_id).progress.files_failed) == ("done", 0)
    process.send_signal(how)
    ended_with, out, err = ended(process)
    assert (ended_with, out) == (code, "")
    assert "Traceback" not in err
    with open_engine(tmp_path / "cats.yaml", tmp_path / "data") as engine:
        assert engine.content("a") == "Cats sleep all day."


def test_a_tenant_whose_data_cannot_be_opened_is_left_out(start: Callable[..., Process], tmp_path: Path) -> None:
    with open_engine(tmp_path / "dogs.yaml", tmp_path / "data") as engine:
        engine.ingest([DocumentInput(content="Dogs sleep all day.", document_id="a")])
    shutil.rmtree(tmp_path / "data" / "dogs" / "vectors")
    process = start("dogs.yaml", "cats.yaml")
    assert said_until_ready(process) == "cats: running jobs\nready\n"
    process.terminate()
    _, _, err = ended(process)
    assert "dogs: not served, its data could not be opened: " in err


def test_one_tenant_has_one_worker(run_cli: RunCli, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text("tenant: same")
    done = run_cli("worker", str(tmp_path / "one.yaml"), str(tmp_path / "two.yaml"), "--data", str(tmp_path / "data"))
    assert (done.code, done.out) == (2, "")
    assert '"same" is the tenant of another profile' in done.err
