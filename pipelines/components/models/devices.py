"""Where a model runs: on the processor, or on a GPU through CUDA."""

from __future__ import annotations

import mmap
from collections.abc import Collection
from pathlib import Path
from typing import Literal

from pipelines.errors import DeviceMissing, MissingPackage
from pipelines.profile.values import Device

Chosen = Literal["cpu", "cuda"]
CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"
"""ONNX Runtime's names of what runs a graph."""
_EIGHT_BITS = (b"DynamicQuantizeMatMul", b"MatMulInteger", b"QLinearMatMul")


def offered_providers() -> list[str]:
    """Return the execution providers of the installed ONNX Runtime."""
    import onnxruntime

    offered: list[str] = onnxruntime.get_available_providers()
    return offered


def choose_device(device: Device, offered: Collection[str], eight_bits: bool = False) -> Chosen:
    """Return where a graph runs.

    Args:
        device: What the profile says.
        offered: The execution providers that ONNX Runtime has.
        eight_bits: Whether the graph multiplies in 8 bits. There is no kernel for that on a GPU, so that ``auto``
            leaves such a graph on the processor.

    Raises:
        DeviceMissing: The profile says ``cuda``, and ONNX Runtime does not offer it or the graph cannot use it.
    """
    if device == "cpu" or (device == "auto" and (eight_bits or CUDA not in offered)):
        return "cpu"
    if CUDA not in offered:
        raise DeviceMissing(
            f"ONNX Runtime offers {', '.join(sorted(offered)) or 'nothing'}; run `pip uninstall onnxruntime` and "
            "`pip install onnxruntime-gpu`"
        )
    if eight_bits:
        raise DeviceMissing(
            "the model multiplies in 8 bits, which CUDA has no kernel for; add it with "
            "`footnote models add NAME --quantize none`"
        )
    return "cuda"


def device_of_graph(device: Device, graph: Path) -> Chosen:
    """Return where the graph in a file runs; see `choose_device`."""
    if device == "cpu":
        return "cpu"
    offered = offered_providers()
    return choose_device(device, offered, CUDA in offered and has_eight_bits(graph))


def has_eight_bits(graph: Path) -> bool:
    """Return whether the graph in a file multiplies in 8 bits."""
    with graph.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return any(content.find(operator) >= 0 for operator in _EIGHT_BITS)


def torch_device(device: Device) -> Chosen:
    """Return where PyTorch runs a model.

    Raises:
        DeviceMissing: The profile says ``cuda``, and PyTorch sees no such GPU.
        MissingPackage: PyTorch is not installed.
    """
    try:
        import torch
    except ImportError:
        raise MissingPackage("torch", "huggingface") from None
    if device == "cpu":
        return "cpu"
    if torch.cuda.is_available():
        return "cuda"
    if device == "auto":
        return "cpu"
    reason = "was built without CUDA" if torch.version.cuda is None else "finds no GPU"
    raise DeviceMissing(f"PyTorch {reason}; install a build of torch for CUDA, and the driver of the GPU")
