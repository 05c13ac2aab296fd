"""The examples of docs/feedback.md, run as they stand there, with a stand-in for Ollama."""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import command_line
from app.main import create_app
from app.settings import Settings
from pipelines.engine import open_engine
from tests.app.running import running
from tests.fakes.ollama import ollama_server

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "feedback.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS, CURL, PYTHON, VARIANTS, REPORT = (body for _, body in BLOCK.findall(PAGE))
EVALUATE = "footnote evaluate kennel golden.jsonl"
PROFILE = """
tenant: kennel
knowledge: {path: knowledge}
llm: {provider: ollama, model: m, base_url: "${OLLAMA_URL}"}
"""
PROMPT = "# system\nAnswer.\n# user\n{{sources}}\n{{question}}\n"
BEAGLE = "Beagles need 60 minutes of exercise a day.\n"


@pytest.fixture
def kennel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for folder in ("knowledge", "prompts"):
        (tmp_path / "kennel" / folder).mkdir(parents=True)
    (tmp_path / "kennel" / "profile.yaml").write_text(PROFILE + VARIANTS)
    (tmp_path / "kennel" / "knowledge" / "beagle.txt").write_text(BEAGLE)
    for name in ("answer", "terse"):
        (tmp_path / "kennel" / "prompts" / f"{name}.md").write_text(PROMPT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    with ollama_server(lambda asked: "Beagles need 60 minutes of exercise a day [1].") as fake:
        monkeypatch.setenv("OLLAMA_URL", fake.url)
        yield tmp_path


def test_the_examples_run_one_after_the_other(kennel: Path, capfd: pytest.CaptureFixture[str]) -> None:
    printed: dict[str, str] = {}
    answer_id = ""

    def run(line: str) -> str:
        command, _, target = line.replace("ANSWER_ID", answer_id).partition(" > ")
        with pytest.raises(SystemExit) as ended:
            command_line()(shlex.split(command)[1:], prog_name="footnote")
        out, err = capfd.readouterr()
        assert not ended.value.code, err
        if target:
            (kennel / target).write_text(out)
        return out

    run("footnote sync kennel")
    for line in COMMANDS.splitlines():
        printed[line] = run(line)
        if " ask " in line:
            answer_id = re.findall(r"^answer (\S+), prompt (?:plain|terse)$", printed[line], re.MULTILINE)[0]
    assert any("Just what I wanted." in text for line, text in printed.items() if line.endswith(" list"))
    (golden,) = map(json.loads, (kennel / "golden.jsonl").read_text().splitlines())
    assert (golden["id"], golden["documents"]) == (answer_id, ["beagle.txt"])
    assert EVALUATE in " ".join(PAGE.split())
    assert "hit@1" in run(EVALUATE)
    with open_engine("kennel") as engine:
        exec(PYTHON, {"engine": engine})
    assert "How much exercise does a beagle need? True None\n" in capfd.readouterr().out
    with running(create_app(["kennel"], Settings(data=kennel / "data"))) as root:
        command = CURL.replace("ANSWER_ID", answer_id).replace("localhost:8000", root.removeprefix("http://"))
        done = subprocess.run(shlex.split(command), env=os.environ, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["comment"] == "Puppies need less."
    report = run(REPORT.strip())
    assert report.startswith("VARIANT  WEIGHT  ANSWERS")
    assert "against plain: " in report
