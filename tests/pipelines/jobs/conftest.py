"""Tenants whose jobs are carried out here, or in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pipelines.catalogue.jobs import JobRecords
from tests.pipelines.jobs.databases import ENGINES, database_url, opened_records
from tests.pipelines.jobs.tenants import ROOT, Diary

Carrier = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of one's own, on either engine."""
    with database_url(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def records(url: str) -> Iterator[JobRecords]:
    """The jobs of the tenant acme."""
    with opened_records(url) as opened:
        yield opened


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    """Where the tenant's work is written down."""
    return Diary(tmp_path / "diary.txt")


@pytest.fixture
def carrier(url: str, tmp_path: Path, diary: Diary) -> Iterator[Carrier]:
    """Starts processes that carry out the jobs of the tenant acme; they end with the test."""
    with ExitStack() as opened:

        def start(pause_s: float = 0.05) -> subprocess.Popen[str]:
            arguments = [url, str(tmp_path), str(diary.file), str(pause_s)]
            process = opened.enter_context(
                subprocess.Popen(
                    [sys.executable, "-W", "error", "-m", "tests.pipelines.jobs.tenants", *arguments],
                    cwd=ROOT,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            opened.callback(process.kill)
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            return process

        yield start
