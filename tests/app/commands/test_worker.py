"""`footnote worker` as a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pipelines.engine import open_engine
from pipelines.jobs import Jobs
from pipelines.types import DocumentInput
from tests.app.running import RunCli
from tests.pipelines.jobs.databases import opened_records
from tests.pipelines.jobs.tenants import wait_until

ROOT = Path(__file__).resolve().parents[3]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a worker that ends with the test, and returns when it is ready."""
    with ExitStack() as opened:

        def run(*arguments: str) -> subprocess.Popen[str]:
            code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from app.cli import main; main()"
            process = opened.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", code, "worker", *arguments, "--data", "data"],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    cwd=tmp_path,
                )
            )
            opened.callback(process.kill)
            return process

        for name in ("cats", "dogs"):
            (tmp_path / f"{name}.yaml").write_text(f"tenant: {name}\njobs: {{run: worker}}\n")
        yield run


def said(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or lines[-1] != "ready":
        line = process.stdout.readline()
        assert line, "the worker ended"
        lines.append(line.rstrip("\n"))
    return lines


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_a_worker_carries_out_the_jobs_of_its_tenants_until_it_is_told_to_stop(
    start: Start, tmp_path: Path, how: signal.Signals, code: int
) -> None:
    with open_engine(tmp_path / "cats.yaml", tmp_path / "data") as engine:
        job = engine.jobs.submit("ingest", [DocumentInput(content="Cats sleep all day.", document_id="a")])
    process = start("cats.yaml", "dogs.yaml")
    assert said(process) == ["cats: jobs are carried out", "dogs: jobs are carried out", "ready"]
    with opened_records(f"sqlite:///{tmp_path / 'data' / 'cats' / 'catalogue.sqlite'}", "cats") as records:
        jobs = Jobs(records)
        wait_until(lambda: jobs.job(job.job_id).finished_at is not None, "the job ends")
        assert (jobs.job(job.job_id).state, jobs.job(job.job_id).progress.files_failed) == ("done", 0)
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (code, "")
    assert "Traceback" not in err
    with open_engine(tmp_path / "cats.yaml", tmp_path / "data") as engine:
        assert engine.content("a") == "Cats sleep all day."


def test_one_tenant_is_not_worked_for_twice(run_cli: RunCli, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text("tenant: same")
    done = run_cli("worker", str(tmp_path / "one.yaml"), str(tmp_path / "two.yaml"), "--data", str(tmp_path / "data"))
    assert (done.code, done.out) == (2, "")
    assert '"same" is the tenant of another profile' in done.err
