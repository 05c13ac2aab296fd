"""Models of pairs, on ONNX Runtime and on PyTorch."""

from pathlib import Path

import pytest

from pipelines.components.models.pairs import OnnxPairs, TorchPairs, load_pair_model
from tests.fakes.pair_models import exported, tiny_model

PAIRS = [("a beagle", "needs exercise"), ("a beagle", "the manx cat tail needs " * 30), ("cat", ""), ("\ud800", "a")]


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
