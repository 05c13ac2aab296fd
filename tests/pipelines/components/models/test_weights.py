"""Reading weights out of ONNX graphs, in full and in 8 bits."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnxruntime.quantization import QuantType, quantize_dynamic

from pipelines.components.models.int8 import kept_scales
from pipelines.components.models.model_source import read_source
from pipelines.components.models.pairs import load_pair_model
from pipelines.components.models.registry import add_model
from pipelines.components.models.weights import read_weights
from tests.fakes.pair_models import exported, tiny_model

QUERY = "encoder.layer.0.attention.self.query.weight"


@pytest.fixture(scope="module")
def torch_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("torch"))


@pytest.fixture(scope="module")
def graph(torch_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = exported(tmp_path_factory.mktemp("exported") / "model", torch_folder)
    return (folder / "onnx" / "model.onnx").rename(folder / "model.onnx")


@pytest.fixture(scope="module")
def quantised(graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quantised")
    for file in graph.parent.glob("*.json"):
        (folder / file.name).write_bytes(file.read_bytes())
    quantize_dynamic(graph, folder / "model.onnx")
    return folder / "model.onnx"


def test_a_graph_holds_the_weights_that_it_was_exported_from(torch_folder: Path, graph: Path) -> None:
    known, found = read_weights(torch_folder / "model.safetensors"), read_weights(graph)
    assert set(known.tensors) <= set(found.tensors)
    for name, tensor in known.tensors.items():
        assert np.array_equal(found.tensors[name], tensor), name
    assert not found.scales


def test_a_graph_in_8_bits_holds_them_to_half_a_step(torch_folder: Path, quantised: Path) -> None:
    known, found = read_weights(torch_folder / "model.safetensors"), read_weights(quantised)
    assert QUERY in found.scales
    for name, scale in found.scales.items():
        assert np.abs(found.tensors[name] - known.tensors[name]).max() <= scale.max() * 0.51, name


def test_matrices_in_8_bits_keep_their_steps(quantised: Path) -> None:
    source = read_source(quantised.parent)
    kept = kept_scales(source)
    width = source.dimensions
    assert len(kept["encoder.layer.0.attention.self"]) == 3 * width
    steps = source.weights[QUERY].T / kept["encoder.layer.0.attention.self"][:width]
    assert np.allclose(steps, np.rint(steps), atol=1e-3)


def test_a_model_in_8_bits_can_be_added_and_scores_alike(
    quantised: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [("a beagle", "needs exercise"), ("cat", "the manx cat tail")]
    add_model("mine", tmp_path, "none", place=str(quantised.parent))
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path))
    plain = load_pair_model(str(quantised.parent)).logits(pairs)
    assert load_pair_model("mine").logits(pairs) == pytest.approx(plain, rel=0.2, abs=0.5)


def test_matrices_in_unsigned_8_bits_are_not_cut_at_127(quantised: Path, graph: Path, tmp_path: Path) -> None:
    for file in quantised.parent.glob("*.json"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    quantize_dynamic(graph, tmp_path / "model.onnx", weight_type=QuantType.QUInt8)
    made = onnx.load(add_model("mine", tmp_path / "models", place=str(tmp_path)).graph)
    numbers = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in made.graph.initializer}
    product = "encoder.layer.0.intermediate.dense"
    given = read_source(tmp_path).weights[f"{product}.weight"].T * numbers[f"{product}.kept"][:, None]
    found = numbers[f"{product}.matrix"] * numbers[f"{product}.scales"]
    assert np.abs(found - given).max() < np.abs(given).max() / 100
