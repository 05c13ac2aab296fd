"""The examples of docs/answers.md, run as they stand there, with a stand-in for Ollama."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from app.main import create_app
from app.settings import Settings
from tests.app.commands.processes import commands_folder
from tests.app.running import running
from tests.fakes.ollama import ollama_server

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall((ROOT / "docs" / "answers.md").read_text(encoding="utf-8"))
# The two in the middle calibrate with a data set of one's own, which `tests/app/commands` does with one that it writes.
PROFILE, PYTHON, _CALIBRATE, _CALIBRATION, ASK, CURL, CACHE, STATS, PROMPT = (
    body.replace("\\\n", " ") for _, body in BLOCKS
)


def run(command: list[str], folder: Path, ollama: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OLLAMA_URL": ollama, "FOOTNOTE_DATA": str(folder / "data")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def kennel(tmp_path: Path) -> Path:
    (tmp_path / "kennel" / "prompts").mkdir(parents=True)
    (tmp_path / "kennel" / "profile.yaml").write_text(PROFILE)
    (tmp_path / "kennel" / "prompts" / "answer.md").write_text(PROMPT)
    return tmp_path


def test_the_examples_run_one_after_the_other(kennel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ollama_server(lambda asked: "Beagles need 60 minutes of exercise a day [1].") as fake:
        printed = run([sys.executable, "-c", PYTHON], kennel, fake.url)
        assert "[1] beagle.txt: Beagles need 60 minutes of exercise a day.\nsupported " in printed
        command = [str(commands_folder() / "footnote"), *shlex.split(ASK)[1:]]
        assert run(command, kennel, fake.url).startswith("Beagles need 60 minutes of exercise a day [1].\n")
        monkeypatch.setenv("OLLAMA_URL", fake.url)
        with running(create_app([kennel / "kennel"], Settings(data=kennel / "data"))) as root:
            streamed = run(shlex.split(CURL.replace("localhost:8000", root.removeprefix("http://"))), kennel, fake.url)
    assert streamed.startswith("event: sources\n")
    assert "event: done" in streamed
    assert all("You answer for the kennel" in asked.messages[0]["content"] for asked in fake.asked)


def test_a_cached_answer_is_marked(kennel: Path) -> None:
    said = {**yaml.safe_load(PROFILE), **yaml.safe_load(CACHE)}
    (kennel / "kennel" / "profile.yaml").write_text(yaml.safe_dump(said))
    again = PYTHON + "    assert engine.answer(answer.question).cached\n"
    with ollama_server(lambda asked: "Beagles need 60 minutes of exercise a day [1].") as fake:
        run([sys.executable, "-c", again], kennel, fake.url)
        reported = run([str(commands_folder() / "footnote"), *shlex.split(STATS)[1:]], kennel, fake.url)
    assert len(fake.asked) == 1
    assert "How much exercise does a beagle need?  2 " in reported
