"""Tests of long files run last, in turns, and are left out when their time is over."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.long_files import LONG_FILES, TURN, UNTIL

ROOT = Path(__file__).parents[1]
LONG = ("tests/pipelines/filters/test_filter_algebra.py", "tests/pipelines/profile/test_plugins.py")
SHORT = "tests/pipelines/filters/test_language.py"


def run_pytest(*arguments: str, **environment: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *arguments, *LONG, SHORT]
    own = {**os.environ, "PYTEST_ADDOPTS": "", **environment}
    run = subprocess.run(command, env=own, cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def files_of(lines: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.partition("::")[0] for line in lines if "::" in line))


def test_every_long_file_is_there() -> None:
    assert [name for name in sorted(LONG_FILES) if not (ROOT / name).is_file()] == []


def test_long_files_come_last_take_turns_and_are_skipped_with_a_reason_when_it_is_late() -> None:
    late = run_pytest("-v", "-rs", **{UNTIL: "1", TURN: "1"})
    assert files_of(late) == (SHORT, *LONG)
    skipped = [line for line in late if line.startswith("SKIPPED")]
    assert any("no time is left" in line for line in skipped)
    assert not any(SHORT in line for line in skipped)
    assert all("PASSED" in line for line in late if line.startswith(SHORT))
    assert files_of(run_pytest("-q", "--collect-only", **{TURN: "2"})) == (SHORT, *reversed(LONG))
