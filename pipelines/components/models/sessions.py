"""ONNX Runtime sessions, and threads that run texts side by side."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from pipelines.components.models.devices import CPU, CUDA, Chosen, device_of_graph
from pipelines.errors import DeviceMissing
from pipelines.profile.values import Device

if TYPE_CHECKING:
    import onnxruntime

Made = TypeVar("Made")
Text = TypeVar("Text", str, tuple[str, str])
_SLOWER_FUSED = ["SkipLayerNormFusion"]
"""Fusing the sum with the LayerNormalization behind it takes six times as long: that operator is not vectorised."""
_SESSIONS: WeakValueDictionary[tuple[Path, Chosen], onnxruntime.InferenceSession] = WeakValueDictionary()
_STARTING = threading.Lock()


def shared_session(graph: Path, device: Device = "auto") -> onnxruntime.InferenceSession:
    """Return the session of a graph, shared by all users: it keeps no state between calls.

    Raises:
        DeviceMissing: ``device`` is cuda, and the graph cannot run there.
    """
    chosen = device_of_graph(device, graph)
    with _STARTING:
        session = _SESSIONS.get((graph, chosen))
        if session is None:
            session = _SESSIONS[graph, chosen] = _session(graph, chosen)
    if device == "cuda" and CUDA not in session.get_providers():  # ONNX Runtime leaves it out with a warning
        raise DeviceMissing("ONNX Runtime cannot start CUDA; see that the GPU's driver, CUDA and cuDNN are installed")
    return session


def _session(graph: Path, device: Chosen) -> onnxruntime.InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # texts run side by side instead: small matrices gain little from several threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_mem_pattern = False  # it would keep a memory plan for every length of text
    providers = [CPU] if device == "cpu" else [CUDA, CPU]  # what has no kernel on the GPU runs on the processor
    return onnxruntime.InferenceSession(str(graph), options, providers=providers, disabled_optimizers=_SLOWER_FUSED)


class Workers:
    """A pool of threads on which texts run side by side, started by the first texts."""

    def __init__(self, threads: int = 0) -> None:
        self._pool = ThreadPoolExecutor(threads or _processors(), thread_name_prefix="footnote-model")

    def spread(self, make: Callable[[Text], Made], texts: Sequence[Text]) -> Iterator[tuple[int, Made]]:
        """Yield index and result of ``make`` for each text, long texts first. A single text runs in this thread."""
        if len(texts) == 1:
            return iter([(0, make(texts[0]))])
        order = sorted(range(len(texts)), key=lambda index: -_length(texts[index]))
        return zip(order, self._pool.map(make, (texts[index] for index in order)), strict=True)


def _length(text: str | tuple[str, str]) -> int:
    return len(text) if isinstance(text, str) else sum(map(len, text))


def _processors() -> int:
    """Return the number of processors that this process may use; in a container often fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
