"""Where models run: the choice among what ONNX Runtime offers, and what is said where there is no GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pipelines
from pipelines.components.models import devices
from pipelines.components.models.devices import CPU, CUDA, choose_device, has_eight_bits
from pipelines.components.models.exported import find_model, models_folder
from pipelines.components.models.sessions import shared_session
from pipelines.errors import DeviceMissing, ProfileError
from pipelines.profile.loader import load_profile
from pipelines.profile.values import Device
from tests.fakes.pair_models import exported, tiny_model

TENSORRT = "TensorrtExecutionProvider"
NO_ONNX = r"device: cuda cannot be used: ONNX Runtime offers .*CPUExecutionProvider; .*pip install onnxruntime-gpu"
NO_TORCH = (
    r"device: cuda cannot be used: PyTorch (was built without CUDA|finds no GPU); install a build of torch for CUDA"
)


@pytest.mark.parametrize(
    ("device", "offered", "eight_bits", "chosen"),
    [
        ("auto", [CPU], False, "cpu"),
        ("auto", [TENSORRT, CUDA, CPU], False, "cuda"),
        ("auto", [CUDA, CPU], True, "cpu"),
        ("auto", [TENSORRT, CPU], False, "cpu"),
        ("cpu", [CUDA, CPU], False, "cpu"),
        ("cuda", [CUDA, CPU], False, "cuda"),
    ],
)
def test_a_device_is_chosen_of_those_offered(device: Device, offered: list[str], eight_bits: bool, chosen: str) -> None:
    assert choose_device(device, offered, eight_bits) == chosen


@pytest.mark.parametrize(
    ("offered", "eight_bits", "says"), [([CPU], False, "onnxruntime-gpu"), ([CUDA, CPU], True, "--quantize none")]
)
def test_cuda_that_cannot_be_had_is_an_error(offered: list[str], eight_bits: bool, says: str) -> None:
    with pytest.raises(DeviceMissing, match=says):
        choose_device("cuda", offered, eight_bits)


def test_a_graph_shows_whether_it_multiplies_in_eight_bits() -> None:
    assert has_eight_bits(find_model("bundled", "int8", models_folder()).graph)
    assert not has_eight_bits(find_model("bundled", "none", models_folder()).graph)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"embedding": {"device": "cuda", "quantize": "none"}}, NO_ONNX),
        ({"embedding": {"device": "cuda", "backend": "torch"}}, NO_TORCH),
        ({"rerank": [{"type": "cross_encoder", "model": "onnx", "device": "cuda"}]}, NO_ONNX),
        ({"rerank": [{"type": "cross_encoder", "model": "torch", "device": "cuda"}]}, "PyTorch"),
        ({"answer": {"nli": "onnx", "device": "cuda"}, "llm": {"provider": "ollama", "model": "m"}}, NO_ONNX),
    ],
)
def test_a_tenant_that_insists_on_a_gpu_is_not_opened_without_one(
    changes: dict[str, Any], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tiny_model(tmp_path / "torch", ["contradiction", "entailment"])
    exported(tmp_path / "onnx", folder)
    with pytest.raises(DeviceMissing, match=says):
        pipelines.open_engine({"tenant": "t", **changes}, tmp_path / "data")


def test_eight_bits_on_a_gpu_are_refused_with_the_profile() -> None:
    with pytest.raises(ProfileError, match=r"embedding -> quantize: is int8, .*set it to none"):
        pipelines.open_engine({"tenant": "t", "embedding": {"device": "cuda"}})


def test_a_gpu_that_is_offered_and_cannot_start_is_an_error_or_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with onnxruntime-gpu on a machine without the driver."""
    monkeypatch.setattr(devices, "offered_providers", lambda: [CUDA, CPU])
    graph = find_model("bundled", "none", models_folder()).graph
    with pytest.warns(UserWarning, match="CUDAExecutionProvider"):
        kept = shared_session(graph, "auto")
    assert kept.get_providers() == [CPU]
    with pytest.raises(DeviceMissing, match="cannot start CUDA"):
        shared_session(graph, "cuda")


def test_the_devices_of_a_profile_are_told_without_loading_a_model(tmp_path: Path) -> None:
    folder = exported(tmp_path / "onnx", tiny_model(tmp_path / "torch", ["relevance"]))
    stage = {"type": "cross_encoder", "model": str(folder)}
    loaded = load_profile({"tenant": "t", "rerank": [stage], "answer": {"chooser": "nowhere/at"}})
    assert pipelines.devices(loaded) == {"embedding": "cpu", "cross_encoder": "cpu", "chooser": "cpu"}
