"""Models of pairs, on ONNX Runtime and on PyTorch."""

import shutil
from pathlib import Path

import pytest

from pipelines.components.models.cross_encoder import CrossEncoder
from pipelines.components.models.pairs import OnnxPairs, TorchPairs, load_pair_model
from pipelines.errors import RerankerUnavailable
from tests.fakes.pair_models import exported, tiny_model

BESIDE = ["config.json", "tokenizer.json", "tokenizer_config.json"]
PAIRS = [("a beagle", "needs exercise"), ("a beagle", "the manx cat tail needs " * 30), ("cat", ""), ("\ud800", "a")]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    return exported(folder / "onnx", tiny_model(folder / "torch"))


@pytest.fixture
def onnx(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path, dirs_exist_ok=True))


@pytest.mark.parametrize("labels", [["relevance"], ["no", "yes"], ["contradiction", "neutral", "entailment"]])
def test_both_ways_to_run_a_model_say_the_same(tmp_path: Path, labels: list[str]) -> None:
    folder = tiny_model(tmp_path / "torch", labels)
    torch, onnx = load_pair_model(str(folder)), load_pair_model(str(exported(tmp_path / "onnx", folder)))
    assert isinstance(torch, TorchPairs)
    assert isinstance(onnx, OnnxPairs)
    assert torch.labels == onnx.labels == dict(enumerate(labels))
    assert onnx.logits(PAIRS).shape == (len(PAIRS), len(labels))
    assert onnx.logits(PAIRS) == pytest.approx(torch.logits(PAIRS), abs=1e-4)
    assert onnx.logits(PAIRS[:1]) == pytest.approx(onnx.logits(PAIRS)[:1], abs=1e-4)


@pytest.mark.parametrize("said", ["", "[]"])
@pytest.mark.parametrize("file", BESIDE)
def test_a_folder_with_a_damaged_file_is_refused_with_its_reason(onnx: Path, file: str, said: str) -> None:
    (onnx / file).write_text(said)
    with pytest.raises(RerankerUnavailable, match="its files are damaged"):
        CrossEncoder(str(onnx)).load()


@pytest.mark.parametrize(
    ("file", "said"), [("model.safetensors", "{"), ("config.json", "[]"), ("tokenizer.json", "[]")]
)
def test_a_folder_with_a_damaged_file_is_refused_on_torch(tmp_path: Path, file: str, said: str) -> None:
    folder = tiny_model(tmp_path / "torch")
    (folder / file).write_text(said)
    with pytest.raises(RerankerUnavailable, match="its files are damaged"):
        CrossEncoder(str(folder)).load()
