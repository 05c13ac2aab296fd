"""Reads a model's weights from a safetensors file or an ONNX graph."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.errors import MissingPackage

Tensor = npt.NDArray[Any]
_TYPES = {"F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8"}
_WORDS = "embeddings.word_embeddings.weight"
_QUANTISED = "_quantized"


@dataclass(frozen=True, slots=True)
class Weights:
    """A model's tensors by PyTorch's names, without the prefix of models with a head (``bert.``).

    Attributes:
        tensors: Matrices are ``(outputs, inputs)``.
        scales: Of tensors that were kept in 8 bits: the step of their numbers, one for each output or one for all.
    """

    tensors: Mapping[str, Tensor]
    scales: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict)


def read_weights(path: Path) -> Weights:
    """Read the weights of a safetensors file, or of an ONNX graph in 32 or 8 bits.

    Raises:
        MissingPackage: It is an ONNX graph and the package ``onnx`` is not installed.
    """
    if path.suffix == ".onnx":
        tensors, scales = _read_onnx(path)
    else:
        tensors, scales = read_safetensors(path), {}
    prefix = next((name.removesuffix(_WORDS) for name in tensors if name.endswith(_WORDS)), "")
    return Weights(
        {name.removeprefix(prefix): tensor for name, tensor in tensors.items()},
        {name.removeprefix(prefix): scale for name, scale in scales.items()},
    )


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """Read the tensors of a safetensors file by name; all but bfloat16 are memory-mapped."""
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    header_size = int.from_bytes(raw[:8].tobytes(), "little")
    header = json.loads(raw[8 : 8 + header_size].tobytes())
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            start, end = (8 + header_size + offset for offset in entry["data_offsets"])
            tensor = raw[start:end].view(_TYPES[entry["dtype"]]).reshape(entry["shape"])
            tensors[name] = _widened(tensor) if entry["dtype"] == "BF16" else tensor
    return tensors


def _widened(bits: Tensor) -> npt.NDArray[np.float32]:
    """Convert bfloat16, which NumPy lacks: it is the upper half of a 32-bit float."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _read_onnx(path: Path) -> tuple[dict[str, Tensor], dict[str, npt.NDArray[np.float32]]]:
    """Tensors and scales of a graph that PyTorch exported and ONNX Runtime's dynamic quantisation may have shrunk."""
    try:
        import onnx
        from onnx import numpy_helper
    except ImportError:
        raise MissingPackage("onnx", "models") from None
    graph = onnx.load(path).graph
    raw = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    products = _products(graph.node)
    tensors: dict[str, Tensor] = {}
    scales: dict[str, npt.NDArray[np.float32]] = {}
    for kept, values in raw.items():
        plain = kept.removesuffix(_QUANTISED)
        name, tensor = products.get(kept, plain), values
        if plain != kept:
            scales[name] = raw[f"{plain}_scale"].astype(np.float32)
            tensor = (values.astype(np.float32) - raw[f"{plain}_zero_point"]) * scales[name]
        tensors[name] = tensor.T if kept in products else tensor
    return {**_equal_ones(graph.node, raw), **tensors}, scales


def _equal_ones(nodes: Any, raw: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Tensors that the exporter stored once because they are equal, by their other names."""
    same = [node for node in nodes if node.op_type == "Identity" and node.input[0] in raw]
    return {node.output[0]: raw[node.input[0]] for node in same}


def _products(nodes: Any) -> dict[str, str]:
    """Names for the matrices of a graph's products, taken from the multiplying module.

    ``/bert/encoder/layer.0/output/dense/MatMul_quant`` is the product of ``bert.encoder.layer.0.output.dense``.
    """
    return {
        node.input[1]: ".".join(node.name.strip("/").split("/")[:-1]) + ".weight"
        for node in nodes
        if node.op_type in ("MatMul", "MatMulInteger") and "/" in node.name.strip("/")
    }
