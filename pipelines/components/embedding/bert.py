"""Writes a BERT sentence encoder as an ONNX graph, from its weights alone and without PyTorch.

One text goes in at a time, so there is no padding and no attention mask, and a text's vector never depends on its
neighbours. The graph is that of Devlin et al., "BERT" (NAACL 2019), and ends in the pooling that sentence-transformers
does and a unit vector.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pipelines.components.embedding.graph import Graph
from pipelines.components.embedding.source import Source

Product = Callable[[Graph, str, str, npt.NDArray[np.float32]], str]
"""Adds the product of an activation and a matrix ``(inputs, outputs)``: by graph, activation, name and matrix."""


def float_product(graph: Graph, hidden: str, name: str, matrix: npt.NDArray[np.float32]) -> str:
    """The product in 32 bits."""
    return graph.add("MatMul", [hidden, graph.constant(f"{name}.matrix", matrix)])


class BertGraph:
    """Adds the encoder of ``source`` to ``graph``: unit vectors ``(1, dimensions)`` come out as ``embedding``.

    ``product`` writes its products; ``half_words`` keeps the table of words, half of all weights, in 16 bits.
    """

    def __init__(self, graph: Graph, source: Source, product: Product, half_words: bool = False) -> None:
        self._graph, self._source, self._product, self._half_words = graph, source, product, half_words
        self._last = graph.constant("axis.last", np.array([-1]))
        self._tokens = graph.constant("axis.tokens", np.array([1]))
        self._epsilon = graph.constant("epsilon", np.array(source.config.get("layer_norm_eps", 1e-12)))

    def write(self) -> None:
        """Adds the whole of it."""
        hidden = self._embedded()
        for layer in range(self._source.config["num_hidden_layers"]):
            hidden = self._layer(hidden, f"encoder.layer.{layer}.")
        unit = self._graph.add("LpNormalization", [self._pooled(hidden)], axis=-1, p=2)
        self._graph.output(unit, "embedding", [1, self._source.dimensions])

    def _embedded(self) -> str:
        table = self._weight("embeddings.word_embeddings.weight")
        words = self._graph.constant("words", table.astype(np.float16) if self._half_words else table)
        found = self._graph.add("Gather", [words, "input_ids"])
        if self._half_words:
            found = self._graph.as_float(found)
        together = self._graph.add("Add", [found, self._positions()])
        return self._normalised(together, "embeddings.LayerNorm")

    def _positions(self) -> str:
        """The rows of as many positions as there are tokens, with the only token type added beforehand."""
        table = self._weight("embeddings.position_embeddings.weight")[self._source.first_position :]
        kind = self._weight("embeddings.token_type_embeddings.weight")[0]
        length = self._graph.add("Shape", ["input_ids"], start=1)
        first = self._graph.constant("first", np.array([0]))
        return self._graph.add("Slice", [self._graph.constant("positions", table + kind), first, length, first])

    def _pooled(self, hidden: str) -> str:
        if self._source.pooling == "cls":
            return self._graph.add("Gather", [hidden, self._graph.constant("cls", np.array(0))], axis=1)
        return self._graph.add("ReduceMean", [hidden, self._tokens], keepdims=0)

    def _layer(self, hidden: str, prefix: str) -> str:
        context = self._attention(hidden, f"{prefix}attention.self")
        hidden = self._joined(context, hidden, f"{prefix}attention.output")
        inner = self._times(hidden, f"{prefix}intermediate.dense")
        inner = self._graph.add("BiasGelu", [inner, self._constant(f"{prefix}intermediate.dense.bias")], fused=True)
        return self._joined(inner, hidden, f"{prefix}output")

    def _attention(self, hidden: str, name: str) -> str:
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        matrix = np.concatenate([self._weight(f"{part}.weight") for part in parts]).T
        bias = np.concatenate([self._weight(f"{part}.bias") for part in parts])
        together = self._product(self._graph, hidden, name, matrix)
        split = self._graph.add("Split", [together], outputs=3, axis=-1, num_outputs=3)
        inputs = [split, f"{split}.1", f"{split}.2", self._graph.constant(f"{name}.bias", bias)]
        heads = self._source.config["num_attention_heads"]
        return self._graph.add("MultiHeadAttention", inputs, fused=True, num_heads=heads)

    def _joined(self, inner: str, hidden: str, name: str) -> str:
        """The residual connection: projected, added to what went in, normalised."""
        projected = self._graph.add("Add", [self._times(inner, f"{name}.dense"), self._constant(f"{name}.dense.bias")])
        return self._normalised(self._graph.add("Add", [projected, hidden]), f"{name}.LayerNorm")

    def _normalised(self, hidden: str, name: str) -> str:
        """Layer normalisation in plain operators: they are vectorised, ONNX Runtime's LayerNormalization is not."""
        add = self._graph.add
        centred = add("Sub", [hidden, add("ReduceMean", [hidden, self._last])])
        variance = add("ReduceMean", [add("Mul", [centred, centred]), self._last])
        deviation = add("Sqrt", [add("Add", [variance, self._epsilon])])
        scaled = add("Mul", [add("Div", [centred, deviation]), self._constant(f"{name}.weight")])
        return add("Add", [scaled, self._constant(f"{name}.bias")])

    def _times(self, hidden: str, name: str) -> str:
        return self._product(self._graph, hidden, name, self._weight(f"{name}.weight").T)

    def _constant(self, name: str) -> str:
        return self._graph.constant(name, self._weight(name))

    def _weight(self, name: str) -> npt.NDArray[np.float32]:
        return self._source.weights[name].astype(np.float32)
