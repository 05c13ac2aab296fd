"""Products in 8 bits that stay close to those in 32.

A matrix has a scale per column, an activation one scale per text. Such a scale is set by the largest number, and in a
BERT a handful of channels are many times larger than all others, above all at the first token; they alone would cost
most of the precision. So the eight largest channels of each product are left out of it and multiplied in 32 bits
beside it, as Dettmers et al., "LLM.int8()" (NeurIPS 2022), do. Which they are is seen on a few sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from pipelines.components.models.bert import BertGraph, Numbers, float_product
from pipelines.components.models.graph import Graph
from pipelines.components.models.model_source import ModelSource
from pipelines.components.store.scratch_folder import scratch_folder

_SIDE_CHANNELS = 8
_PEAK = "peak:"
_LARGEST = 127
SENTENCES = (
    "The quarterly report shows that revenue rose by 12.5 percent, while costs fell slightly (see Table 3).",
    "Water boils at 100 degrees Celsius at sea level; on a mountain it boils sooner, because the air is thinner.",
    'How do I reset my password? Open the settings, choose "Account", and follow the link that is sent by e-mail.',
    "In 1856 the bridge was closed for repairs, and travellers had to cross the river by boat for nearly two years.",
    "def add(a, b): return a + b  # returns the sum of its arguments",
    "The committee shall, within thirty days of receiving a complaint, inform the applicant in writing of its decision "
    "and the reasons for it.",
    "Symptoms include fever, headache and a dry cough. Most patients recover within a week without treatment.",
    "1. Preheat the oven to 180 C. 2. Mix flour, sugar and butter. 3. Bake for 25 minutes, until golden.",
    "Who painted the ceiling, and when was it restored?",
    "Install the package with `pip install example==2.1.0`, then run `example --config settings.yaml`.",
    "Zürich, São Paulo and Kraków are twinned cities; the agreement was signed on 3 May 1998.",
    "cat",
)
"""Plain sentences of several kinds, on which the largest channels show themselves."""


@dataclass(frozen=True, slots=True)
class Int8Product:
    """Adds products in 8 bits.

    Attributes:
        largest: The channels, by product, that are multiplied in 32 bits.
        scales: The steps, by product and column, of matrices that were read in 8 bits: these stay as they were, unless
            they were counted from another number than 0 and do not fit.
    """

    largest: Mapping[str, Sequence[int]]
    scales: Mapping[str, Numbers] = field(default_factory=dict)

    def __call__(self, graph: Graph, hidden: str, name: str, matrix: Numbers, bias: Numbers) -> str:
        """See `Product`."""
        side = self.largest.get(name)
        if side is None:
            return self._quantised(graph, hidden, name, matrix, bias)
        kept = np.ones(len(matrix), dtype=np.float32)
        kept[side] = 0
        most = graph.add("Mul", [hidden, graph.constant(f"{name}.kept", kept)])
        main = self._quantised(graph, most, name, matrix * kept[:, None], bias)
        few = graph.add("Gather", [hidden, graph.constant(f"{name}.side", np.array(side))], axis=-1)
        return graph.add("Gemm", [few, graph.constant(f"{name}.side.matrix", matrix[side]), main])

    def _quantised(self, graph: Graph, hidden: str, name: str, matrix: Numbers, bias: Numbers) -> str:
        peaks = np.abs(matrix).max(axis=0)
        scales = self.scales.get(name, peaks / _LARGEST)
        scales = np.where(np.rint(peaks / np.where(scales == 0, 1, scales)) > _LARGEST, peaks / _LARGEST, scales)
        scales = np.where(scales == 0, 1, scales).astype(np.float32)
        whole = np.rint(matrix / scales).astype(np.int8)
        inputs = [hidden, graph.constant(f"{name}.matrix", whole), graph.constant(f"{name}.scales", scales)]
        inputs += ["", graph.constant(f"{name}.bias", bias)]  # columns are quantised around 0, without zero points
        return graph.add("DynamicQuantizeMatMul", inputs, fused=True)


def kept_scales(source: ModelSource) -> dict[str, Numbers]:
    """Return the steps of the matrices of ``source`` that were kept in 8 bits, by product: one for each column."""
    kept = {
        name.removesuffix(".weight"): np.broadcast_to(scale, len(source.weights[name]))
        for name, scale in source.scales.items()
    }
    for query in [name for name in kept if name.endswith(".query")]:
        layer = query.removesuffix(".query")
        kept[layer] = np.concatenate([kept[f"{layer}.{part}"] for part in ("query", "key", "value")])
    return kept


def largest_channels(source: ModelSource, tokens: Sequence[Sequence[int]]) -> dict[str, list[int]]:
    """Return the channels with the largest numbers that enter each product, over texts given as ``tokens``.

    The attention's output has no such channels, and is left out.
    """
    peaks: dict[str, Numbers] = {}
    with scratch_folder() as folder:
        path = folder / "probe.onnx"
        graph = Graph()
        BertGraph(graph, replace(source, head=()), _probed_product).write()
        graph.save(path)
        for name, peak in _run_probe(path, tokens):
            peaks[name] = np.maximum(peaks.get(name, peak), peak)
    return {name: sorted(np.argsort(-peak, kind="stable")[:_SIDE_CHANNELS].tolist()) for name, peak in peaks.items()}


def _probed_product(graph: Graph, hidden: str, name: str, matrix: Numbers, bias: Numbers) -> str:
    if not name.endswith("attention.output.dense"):
        axes = graph.constant("axes.probe", np.array([0]))
        peak = graph.add("ReduceMax", [graph.add("Abs", [hidden]), axes], keepdims=0)
        graph.output(peak, f"{_PEAK}{name}", [len(matrix)])
    return float_product(graph, hidden, name, matrix, bias)


def _run_probe(path: Path, tokens: Sequence[Sequence[int]]) -> list[tuple[str, Numbers]]:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs() if output.name.startswith(_PEAK)]
    found: list[tuple[str, Numbers]] = []
    for ids in tokens:
        peaks = session.run(names, {"input_ids": np.array([ids], dtype=np.int32)})
        found += zip([name.removeprefix(_PEAK) for name in names], peaks, strict=True)
    return found
