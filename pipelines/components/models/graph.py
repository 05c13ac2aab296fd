"""A small writer of ONNX graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.errors import MissingPackage

FUSED = "com.microsoft"
"""The domain of ONNX Runtime's own fused operators."""
_EXTERNAL_BYTES = 1024


class Graph:
    """A graph under construction.

    Raises:
        MissingPackage: The package ``onnx`` is not installed.
    """

    def __init__(self) -> None:
        try:
            from onnx import TensorProto, helper, numpy_helper
        except ImportError:
            raise MissingPackage("onnx", "models") from None
        self._helper, self._numpy, self._types = helper, numpy_helper, TensorProto
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def input(self, name: str) -> str:
        """Declare an integer input of shape ``(1, length)``; return its name."""
        self._inputs.append(self._helper.make_tensor_value_info(name, self._types.INT32, [1, "length"]))
        return name

    def constant(self, name: str, values: npt.NDArray[Any]) -> str:
        """Store ``values`` in the graph (64-bit floats as 32-bit); return their name."""
        kept = values.astype(np.float32) if values.dtype == np.float64 else values
        self._constants[name] = self._numpy.from_array(np.ascontiguousarray(kept), name)
        return name

    def add(self, kind: str, inputs: list[str], outputs: int = 1, fused: bool = False, **attributes: Any) -> str:
        """Add an operator; return the name of its output. Further outputs are ``<name>.1``, ``<name>.2``..."""
        name = f"{kind}.{len(self._nodes)}"
        names = [name if number == 0 else f"{name}.{number}" for number in range(outputs)]
        domain = FUSED if fused else ""
        self._nodes.append(self._helper.make_node(kind, inputs, names, name=name, domain=domain, **attributes))
        return name

    def as_float(self, value: str) -> str:
        """``value`` in 32 bits."""
        return self.add("Cast", [value], to=self._types.FLOAT)

    def output(self, value: str, name: str, shape: list[int | str]) -> None:
        """Declare ``value`` as the output ``name``."""
        self._nodes.append(self._helper.make_node("Identity", [value], [name]))
        self._outputs.append(self._helper.make_tensor_value_info(name, self._types.FLOAT, shape))

    def save(self, path: Path) -> None:
        """Write the graph to ``path``, with its matrices in a file beside it, which is memory-mapped."""
        import onnx

        constants = list(self._constants.values())
        graph = self._helper.make_graph(self._nodes, "bert", self._inputs, self._outputs, constants)
        versions = [self._helper.make_opsetid("", 20), self._helper.make_opsetid(FUSED, 1)]
        onnx.save_model(
            self._helper.make_model(graph, opset_imports=versions, ir_version=9),
            path,
            save_as_external_data=True,
            location=f"{path.name}.data",
            size_threshold=_EXTERNAL_BYTES,
        )
