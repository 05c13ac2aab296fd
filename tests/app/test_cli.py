"""The command line as a whole: help, errors, exit codes, and what it leaves unloaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from typer.main import get_command

from app import __version__
from app.cli import COMMANDS
from tests.app.running import RunCli

HEAVY = (
    "fastapi",
    "starlette",
    "uvicorn",
    "llama_index",
    "qdrant_client",
    "qdrant_edge",
    "numpy",
    "onnxruntime",
    "torch",
)
ROOT = Path(__file__).resolve().parents[2]


def _loaded_after(code: str) -> set[str]:
    """The heavy packages that a new Python process has loaded after ``code``."""
    report = "import json, sys; print(); print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(json.loads(done.stdout.splitlines()[-1])) & set(HEAVY)


_RUN = """
from app.cli import command_line
try:
    command_line()({arguments!r})
except SystemExit as end:
    assert not end.code, end.code
"""


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    assert _loaded_after("import app.cli") == set()


def test_asking_for_help_loads_nothing_heavy() -> None:
    assert _loaded_after(_RUN.format(arguments=["--help"])) == set()


@pytest.mark.parametrize("command", ["ingest", "sync", "documents", "jobs", "search", "ask", "doctor", "check"])
def test_asking_a_command_for_help_loads_nothing_heavy(command: str) -> None:
    assert _loaded_after(_RUN.format(arguments=[command, "--help"])) == set()


def test_checking_a_profile_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("tenant: t")
    assert _loaded_after(_RUN.format(arguments=["check", str(tmp_path / "t.yaml")])) == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_listed_with_the_help_that_it_gives_itself(name: str) -> None:
    command = get_command(import_module(f"app.commands.{name}").app)
    assert (command.help or "").splitlines()[0] == COMMANDS[name]


_SHARED = {
    *("__init__", "access", "isolation", "options", "output", "own_documents", "progress", "serving", "targets"),
    *("values", "waiting"),
}


def test_every_command_module_is_listed() -> None:
    modules = {file.stem for file in (ROOT / "app" / "commands").glob("*.py")}
    assert modules - set(COMMANDS) == _SHARED


def test_help_lists_every_command(run_cli: RunCli) -> None:
    done = run_cli("--help")
    assert done.code == 0
    assert all(f"  {name} " in done.out for name in COMMANDS)


def test_the_version_is_the_packages(run_cli: RunCli) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert run_cli("--version").out == f"footnote {__version__}\n"
    assert project["version"] == __version__


@pytest.mark.parametrize(
    "arguments", [[], ["serv"], ["search"], ["search", "x"], ["--nope"], ["search", "x", "y", "--mode", "fuzzy"]]
)
def test_wrong_usage_ends_with_2(run_cli: RunCli, arguments: list[str]) -> None:
    assert run_cli(*arguments).code == 2


def test_a_misspelt_command_is_answered_with_the_nearest(run_cli: RunCli) -> None:
    assert "Did you mean 'evaluate'?" in run_cli("evalute").err


def test_a_wrong_choice_is_answered_with_the_valid_ones(run_cli: RunCli) -> None:
    said = run_cli("search", "embedded", "q", "--mode", "vague").err
    assert "'--mode': 'vague' is not one of 'hybrid', 'dense', 'sparse'" in said


def test_a_profile_that_cannot_be_used_ends_with_2_and_a_message(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("tenant: t\nretrieval: {fusoin: rrf}")
    done = run_cli("search", str(tmp_path / "t.yaml"), "anything")
    assert (done.code, done.out) == (2, "")
    assert 'retrieval -> fusoin: unknown key, did you mean "fusion"?' in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_filter_that_is_not_json_ends_with_2(run_cli: RunCli, tmp_path: Path, command: str) -> None:
    (tmp_path / "t.yaml").write_text("tenant: t")
    done = run_cli(command, str(tmp_path / "t.yaml"), "anything", "--filter", "{species: dog}")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("footnote: --filter: not JSON")


@pytest.mark.parametrize("buffering", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["check", "configs/textbook"]], ids=" ".join)
def test_output_that_cannot_be_written_is_said_on_one_line(arguments: list[str], buffering: str) -> None:
    command = [sys.executable, "-m", "app.cli", *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": buffering}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT, env=environment
        )
    assert (done.returncode, done.stderr) == (1, "footnote: cannot write the output: no space left on device\n")


@pytest.mark.parametrize("buffering", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_that_goes_away_ends_a_command_quietly(buffering: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "PYTHONUNBUFFERED": buffering}
    command = [sys.executable, "-m", "app.cli", "--help"]
    done = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT, env=environment
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")
