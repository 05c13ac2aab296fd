"""Every command and example of the README, run as it stands there (`make` itself is run by CI)."""

import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.e2e.pages import environment as reader_environment

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
SHELL = [line for kind, body in BLOCKS if not kind for line in body.replace("\\\n", " ").splitlines() if line.strip()]
FOOTNOTE = [line for line in SHELL if line.startswith(".venv/bin/footnote ")]
SERVE = [line for line in FOOTNOTE if " serve " in line]
CURL = [line for line in SHELL if line.startswith("curl ")]
PYTHON = [body for kind, body in BLOCKS if kind == "python"]
(PRINTED,) = (body for kind, body in BLOCKS if kind == "text")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return reader_environment(tmp_path_factory.mktemp("data"))


def words(line: str, environment: dict[str, str]) -> list[str]:
    """The command, run by this interpreter's own environment whatever that is called."""
    first, *others = shlex.split(line, comments=True)
    command = shutil.which(Path(first).name, path=environment["PATH"])
    assert command
    return [command, *others]


def run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_shell_line_is_of_a_kind_that_is_run() -> None:
    assert FOOTNOTE
    assert CURL
    assert PYTHON
    others = [line for line in SHELL if line not in FOOTNOTE and line not in CURL]
    assert [line.split("#")[0].strip() for line in others] == ["make demo", "make test"]


def test_commands_run_one_after_the_other(environment: dict[str, str]) -> None:
    (ingest,) = (line for line in FOOTNOTE if " ingest " in line)
    run(words(ingest, environment), environment)  # as `make demo` did for the reader
    printed = {line: run(words(line, environment), environment) for line in FOOTNOTE if line not in SERVE}
    asked = [text for line, text in printed.items() if " ask " in line]
    assert all("[1]" in text for text in asked)
    said = " ".join(asked[0].split())
    for piece in PRINTED.split("[...]"):  # the page leaves out what stands between
        _, found, said = said.partition(" ".join(piece.split()).strip('"'))
        assert found, piece


def test_the_python_example_runs(environment: dict[str, str]) -> None:
    for example in PYTHON:
        assert "[1] " in run([sys.executable, "-c", example], environment)


@pytest.fixture
def served(environment: dict[str, str]) -> Iterator[str]:
    (line,) = SERVE
    command = words(line, environment)
    port = command[command.index("--port") + 1]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        for _ in range(1000):
            try:
                httpx.get(f"http://127.0.0.1:{port}/readyz").raise_for_status()
                break
            except httpx.HTTPError:
                assert process.poll() is None, "the server ended"
                time.sleep(0.2)
        yield port
    finally:
        process.terminate()
        process.wait(30)


def test_requests_are_answered_with_citations(served: str, environment: dict[str, str]) -> None:
    for line in CURL:
        assert f"localhost:{served}" in line
        assert '"citations":[{' in run(words(line, environment), environment).replace(" ", "")
