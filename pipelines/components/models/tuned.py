"""Adds to a model's weights what was learned on top of them.

Of a matrix that is the product of two narrow ones, as Hu et al., "LoRA" (arXiv:2106.09685, 2021), learn it; the layers
of the head are replaced. docs/decisions/0112-a-checker-of-answers.md tells from what it was learned.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pipelines.components.models.model_source import ModelSource
from pipelines.components.models.weights import read_safetensors

UP, DOWN = ".up", ".down"
"""What the names of the two narrow matrices end with: ``(outputs, rank)`` and ``(rank, inputs)``."""


def tuned(source: ModelSource, learned: Path) -> ModelSource:
    """Return ``source`` with what the safetensors file ``learned`` adds to it.

    Args:
        source: A model.
        learned: Holds for a matrix ``name`` either ``name.up`` and ``name.down``, whose product is added, or the whole
            of it. Vectors are whole.
    """
    tensors = {name: tensor.astype(np.float32) for name, tensor in read_safetensors(learned).items()}
    weights = dict(source.weights)
    for name, tensor in tensors.items():
        if name.endswith(UP):
            matrix = name.removesuffix(UP)
            weights[matrix] = source.weights[matrix] + tensor @ tensors[f"{matrix}{DOWN}"]
        elif not name.endswith(DOWN):
            weights[name] = tensor
    changed = {name.removesuffix(UP) for name in tensors}
    scales = {name: scale for name, scale in source.scales.items() if name not in changed}
    return replace(source, weights=weights, scales=scales)
