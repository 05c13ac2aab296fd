"""Writes a BERT as an ONNX graph, from its weights alone and without PyTorch.

One text, or one pair of texts, goes in at a time. There is no padding and no attention mask, and a result never
depends on its neighbours. The graph is that of Devlin et al., "BERT" (NAACL 2019). An encoder ends in the pooling that
sentence-transformers does and a unit vector, a classifier in its logits.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pipelines.components.models.graph import Graph
from pipelines.components.models.model_source import ModelSource

Numbers = npt.NDArray[np.float32]
Product = Callable[[Graph, str, str, Numbers, Numbers], str]
"""Adds an activation's product with a matrix ``(inputs, outputs)``, plus a bias: by graph, activation, name, those."""


def float_product(graph: Graph, hidden: str, name: str, matrix: Numbers, bias: Numbers) -> str:
    """Return the product in 32 bits."""
    return graph.add("Gemm", [hidden, graph.constant(f"{name}.matrix", matrix), graph.constant(f"{name}.bias", bias)])


class BertGraph:
    """Adds the model of ``source`` to ``graph``.

    Token ids ``(1, length)`` go in as ``input_ids``. Of an encoder, unit vectors ``(1, dimensions)`` come out as
    ``embedding``, and what they were pooled of, the last states of the tokens ``(length, dimensions)``, as ``tokens``.
    A classifier takes ``token_type_ids`` too if it has two types of tokens, and gives ``logits`` ``(1, classes)``.

    ``product`` writes its products; ``half_words`` keeps the table of words, half of all weights, in 16 bits.
    """

    def __init__(self, graph: Graph, source: ModelSource, product: Product, half_words: bool = False) -> None:
        self._graph, self._source, self._product, self._half_words = graph, source, product, half_words
        self._first = graph.constant("first", np.array([0]))
        self._tokens = graph.input("input_ids")

    def write(self) -> None:
        """Add the whole of it."""
        hidden = self._embedded()
        for layer in range(self._source.config["num_hidden_layers"]):
            hidden = self._layer(hidden, f"encoder.layer.{layer}.")
        if self._source.head:
            self._classify(hidden)
        else:
            self._embed(hidden)

    def _embed(self, hidden: str) -> None:
        unit = self._graph.add("LpNormalization", [self._pooled(hidden)], axis=-1, p=2)
        self._graph.output(unit, "embedding", [1, self._source.dimensions])
        self._graph.output(hidden, "tokens", ["length", self._source.dimensions])

    def _classify(self, hidden: str) -> None:
        """The head stays in 32 bits: it reads one token, which costs nothing."""
        dense, out = self._source.head
        first = self._graph.add("Gather", [hidden, self._first])
        inner = self._graph.add("Tanh", [self._exact(first, dense)])
        self._graph.output(self._exact(inner, out), "logits", [1, len(self._weight(f"{out}.bias"))])

    def _exact(self, hidden: str, name: str) -> str:
        return float_product(self._graph, hidden, name, self._weight(f"{name}.weight").T, self._weight(f"{name}.bias"))

    def _embedded(self) -> str:
        table = self._weight("embeddings.word_embeddings.weight")
        words = self._graph.constant("words", table.astype(np.float16) if self._half_words else table)
        found = self._graph.add("Gather", [words, self._graph.add("Squeeze", [self._tokens, self._first])])
        if self._half_words:
            found = self._graph.as_float(found)
        together = self._graph.add("Add", [found, self._positions()])
        return self._normalised(together, "embeddings.LayerNorm")

    def _positions(self) -> str:
        """Return the rows of as many positions as there are tokens, with the first token type added beforehand."""
        table = self._weight("embeddings.position_embeddings.weight")[self._source.first_position :]
        types = self._weight("embeddings.token_type_embeddings.weight")
        length = self._graph.add("Shape", [self._tokens], start=1)
        rows = self._graph.constant("positions", table + types[0])
        sliced = self._graph.add("Slice", [rows, self._first, length, self._first])
        return self._typed(sliced, types) if self._source.head and len(types) > 1 else sliced

    def _typed(self, rows: str, types: Numbers) -> str:
        """``rows`` with what the token types differ by from the first one."""
        given = self._graph.add("Squeeze", [self._graph.input("token_type_ids"), self._first])
        differences = self._graph.constant("types", types - types[0])
        return self._graph.add("Add", [rows, self._graph.add("Gather", [differences, given])])

    def _pooled(self, hidden: str) -> str:
        if self._source.pooling == "cls":
            return self._graph.add("Gather", [hidden, self._first])
        return self._graph.add("ReduceMean", [hidden, self._first])

    def _layer(self, hidden: str, prefix: str) -> str:
        context = self._attention(hidden, f"{prefix}attention.self")
        hidden = self._joined(context, hidden, f"{prefix}attention.output")
        inner = self._graph.add("Gelu", [self._projected(hidden, f"{prefix}intermediate.dense")], fused=True)
        return self._joined(inner, hidden, f"{prefix}output")

    def _attention(self, hidden: str, name: str) -> str:
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        matrix = np.concatenate([self._weight(f"{part}.weight") for part in parts]).T
        bias = np.concatenate([self._weight(f"{part}.bias") for part in parts])
        together = self._graph.add("Unsqueeze", [self._product(self._graph, hidden, name, matrix, bias), self._first])
        split = self._graph.add("Split", [together], outputs=3, axis=-1, num_outputs=3)
        heads = self._source.config["num_attention_heads"]
        inputs = [split, f"{split}.1", f"{split}.2"]
        context = self._graph.add("MultiHeadAttention", inputs, fused=True, num_heads=heads)
        return self._graph.add("Squeeze", [context, self._first])

    def _joined(self, inner: str, hidden: str, name: str) -> str:
        """Return the residual connection: projected, added to what went in, normalised."""
        projected = self._projected(inner, f"{name}.dense")
        return self._normalised(self._graph.add("Add", [projected, hidden]), f"{name}.LayerNorm")

    def _normalised(self, hidden: str, name: str) -> str:
        inputs = [hidden, self._constant(f"{name}.weight"), self._constant(f"{name}.bias")]
        epsilon = self._source.config.get("layer_norm_eps", 1e-12)
        return self._graph.add("LayerNormalization", inputs, axis=-1, epsilon=epsilon)

    def _projected(self, hidden: str, name: str) -> str:
        matrix, bias = self._weight(f"{name}.weight").T, self._weight(f"{name}.bias")
        return self._product(self._graph, hidden, name, matrix, bias)

    def _constant(self, name: str) -> str:
        return self._graph.constant(name, self._weight(name))

    def _weight(self, name: str) -> npt.NDArray[np.float32]:
        return self._source.weights[name].astype(np.float32)
