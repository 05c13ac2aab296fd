"""A known model with what was learned on top of its weights."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from pipelines.components.models.cross_encoder import load_cross_encoder
from pipelines.components.models.exported import exported_model
from pipelines.components.models.known_models import KNOWN
from pipelines.components.models.model_source import ModelSource
from pipelines.components.models.registry import add_model, list_models
from pipelines.components.models.tuned import tuned
from tests.fakes.known_models import needs_weights

NAME = "answer-checker-l12"
QUESTION = "Who built the pier of Ostvik?"
NEAR = "The pier of Ostvik was built in 1911 and is 80 metres long."
ANSWER = "The pier of Ostvik was built by Ida Lund in 1911."


def source(**weights: np.ndarray) -> ModelSource:
    return ModelSource({}, weights, "cls", 512, 0, scales={"a.weight": np.ones(2, np.float32)})


def test_narrow_matrices_are_multiplied_and_added(tmp_path: Path) -> None:
    up, down = np.array([[1.0], [2.0]], np.float32), np.array([[3.0, 0.0, 1.0]], np.float32)
    save_file({"a.weight.up": up, "a.weight.down": down}, tmp_path / "learned.safetensors")
    plain = source(**{"a.weight": np.ones((2, 3), np.float32), "b.weight": np.ones((2, 2), np.float32)})
    learned = tuned(plain, tmp_path / "learned.safetensors")
    assert learned.weights["a.weight"].tolist() == [[4, 1, 2], [7, 1, 3]]
    assert learned.weights["b.weight"] is plain.weights["b.weight"]
    assert not learned.scales  # the steps of 8 bits no longer fit a changed matrix


def test_whole_tensors_replace_those_of_the_model(tmp_path: Path) -> None:
    save_file({"b.weight": np.full((2, 2), 0.5, np.float16)}, tmp_path / "learned.safetensors")
    plain = source(**{"a.weight": np.ones((2, 3), np.float32), "b.weight": np.ones((2, 2), np.float32)})
    learned = tuned(plain, tmp_path / "learned.safetensors")
    assert learned.weights["b.weight"].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert learned.scales.keys() == {"a.weight"}


@needs_weights
def test_the_shipped_file_fits_the_model_it_was_learned_on() -> None:
    file = KNOWN[NAME].learned_file
    assert file is not None
    names = {name.removesuffix(".up").removesuffix(".down") for name in load_file(file)}
    assert names <= {f"encoder.layer.{layer}.{part}.weight" for layer in range(12) for part in PARTS} | HEAD
    assert file.stat().st_size < 3_000_000


PARTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
HEAD = {"pooler.dense.weight", "pooler.dense.bias", "classifier.weight", "classifier.bias"}


@needs_weights
def test_a_tuned_model_is_converted_when_it_is_first_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path))
    assert exported_model(NAME, "int8", tmp_path) is None
    near, answer = load_cross_encoder(NAME).scores(QUESTION, [NEAR, ANSWER])
    assert near < -3 < 3 < answer
    assert exported_model(NAME, "int8", tmp_path) is not None
    assert load_cross_encoder("ms-marco-minilm-l12").scores(QUESTION, [NEAR])[0] > 3  # what was learned


@needs_weights
def test_a_model_that_was_tuned_with_another_file_is_converted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, file = add_model(NAME, tmp_path), KNOWN[NAME].learned_file
    assert file is not None
    other = tmp_path / "other.safetensors"
    save_file({name: tensor * np.float16(0.5) for name, tensor in load_file(file).items()}, other)
    monkeypatch.setitem(KNOWN, NAME, replace(KNOWN[NAME], learned=str(other)))  # type: ignore[arg-type]
    assert exported_model(NAME, "int8", tmp_path) is None
    after = add_model(NAME, tmp_path)
    assert after.folder != before.folder
    listed = next(model for model in list_models(tmp_path) if model.name == NAME)
    assert listed.state == "ready"
