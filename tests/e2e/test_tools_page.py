"""The examples of docs/tools.md, run as they stand there, with a stand-in for Ollama."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.profile.loader import load_profile
from tests.app.commands.processes import commands_folder
from tests.fakes.ollama import Asked, ollama_server

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROFILE, COMMAND, PYTHON = BLOCK.findall((ROOT / "docs" / "tools.md").read_text(encoding="utf-8"))
CALL = {"tool": "catalog/search_products", "arguments": {"query": "orthopedic bed", "species": "dog"}}


def _said(asked: Asked) -> str:
    if asked.messages[0]["content"].startswith("You decide"):
        return json.dumps({"knowledge": True, "calls": [CALL]})
    return "The CozyRest orthopedic dog bed costs 64.90 EUR [1]."


@pytest.fixture
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with ollama_server(_said) as fake:
        monkeypatch.setenv("OLLAMA_URL", fake.url)
        monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path))
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        monkeypatch.chdir(ROOT)
        yield


def _require_price(printed: str) -> None:
    assert "[1]" in printed
    assert "tool:catalog/search_products" in printed
    assert "price: 64.90 EUR" in " ".join(printed.split())


@pytest.mark.usefixtures("_settings")
def test_the_command_shows_the_catalogues_result() -> None:
    command = [str(commands_folder() / "footnote"), *shlex.split(COMMAND)[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    _require_price(done.stdout)


@pytest.mark.usefixtures("_settings")
def test_the_python_example_checks_its_footnotes(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PYTHON, "docs/tools.md", "exec"), {})
    _require_price(capsys.readouterr().out)


def test_the_profile_is_one(tmp_path: Path) -> None:
    file = tmp_path / "profile.yaml"
    file.write_text(PROFILE.replace("../embedded.yaml", str(ROOT / "configs" / "embedded.yaml")))
    profile = load_profile(file, {"CATALOG_AUTHORIZATION": "Bearer x", "PAPERS_KEY": "y"}).profile
    assert [server.transport for server in profile.tools.servers] == ["http", "stdio"]
