"""A pair classifier in PyTorch, made of a known model's weights, with low-rank matrices that learn beside them.

Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models" (arXiv:2106.09685, 2021).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertForSequenceClassification

from pipelines.components.models.model_source import ModelSource
from pipelines.components.models.tuned import DOWN, UP

RANK = 8
_STRENGTH = 2.0
"""What the product of the two narrow matrices counts."""


class LowRank(nn.Module):
    """A linear layer that stays as it is, and the product of two narrow matrices beside it, 0 at first."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer
        self.down = nn.Parameter(torch.randn(RANK, layer.in_features) / math.sqrt(layer.in_features))
        self.up = nn.Parameter(torch.zeros(layer.out_features, RANK))

    def forward(self, given: Tensor) -> Tensor:
        """Return what both give together."""
        narrow = functional.linear(functional.linear(given, self.down), self.up)
        made: Tensor = self.layer(given) + _STRENGTH * narrow
        return made


def classifier(source: ModelSource) -> Any:
    """Return the model of ``source``, of one class and without dropout."""
    shape = source.config
    model = BertForSequenceClassification(
        BertConfig(
            vocab_size=len(source.weights["embeddings.word_embeddings.weight"]),
            hidden_size=shape["hidden_size"],
            num_hidden_layers=shape["num_hidden_layers"],
            num_attention_heads=shape["num_attention_heads"],
            intermediate_size=len(source.weights["encoder.layer.0.intermediate.dense.weight"]),
            max_position_embeddings=len(source.weights["embeddings.position_embeddings.weight"]),
            num_labels=1,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )
    weights = {
        name if name.startswith("classifier") else f"bert.{name}": torch.from_numpy(np.array(tensor, np.float32))
        for name, tensor in source.weights.items()
    }
    missing = model.load_state_dict(weights, strict=False).missing_keys
    if missing:
        raise ValueError(f"the weights lack {missing[0]}")
    return model


def with_low_rank(model: Any, first: int) -> Any:
    """Freeze all but the head, and let low-rank matrices learn beside each product from layer ``first`` on."""
    model.requires_grad_(False)
    for layer in model.bert.encoder.layer[first:]:
        attention = layer.attention.self
        attention.query, attention.key, attention.value = map(
            LowRank, (attention.query, attention.key, attention.value)
        )
        for part in (layer.attention.output, layer.intermediate, layer.output):
            part.dense = LowRank(part.dense)
    model.bert.pooler.requires_grad_(True)
    model.classifier.requires_grad_(True)
    return model


def learned_tensors(model: Any) -> dict[str, np.ndarray[Any, np.dtype[np.float16]]]:
    """Return what was learned, in 16 bits, by the names that `tuned` reads."""
    names = {".down": f".weight{DOWN}", ".up": f".weight{UP}"}
    found = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            tensor = parameter.detach().float().numpy() * (_STRENGTH if name.endswith(".up") else 1.0)
            plain = name.removeprefix("bert.")
            for ending, written in names.items():
                plain = plain.removesuffix(ending) + written if plain.endswith(ending) else plain
            found[plain] = np.ascontiguousarray(tensor.astype(np.float16))
    return found
