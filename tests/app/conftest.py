"""Servers that end with their test, and the command line in process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.cli import command_line
from tests.app.running import Done, RunCli, Serve, serving


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serves tenants from the texts of their profiles until the test ends."""
    with ExitStack() as opened:

        def start(*profiles: str, **settings: Any) -> httpx.Client:
            folder = tmp_path / f"server-{len(list(tmp_path.glob('server-*')))}"
            folder.mkdir()
            return opened.enter_context(serving(folder, profiles, **settings))

        yield start


@pytest.fixture
def run_cli(capfd: pytest.CaptureFixture[str]) -> RunCli:
    """Runs the command line in this process."""

    def run(*arguments: str) -> Done:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            command_line()(arguments, prog_name="footnote")
        out, err = capfd.readouterr()
        return Done(int(ended.value.code or 0), out, err)

    return run
