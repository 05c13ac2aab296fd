"""Fits low-rank weights to judged passages: those that answer come first, and those of open questions score low."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.numpy import save_file
from tokenizers import Encoding, Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from pipelines.components.models.known_models import KNOWN
from pipelines.components.models.model_source import ModelSource, read_source
from tests.quality.checker.low_rank import classifier, learned_tensors, with_low_rank
from tests.quality.checker.questions import ReadPassages

BASE = "ms-marco-minilm-l12"
_EPOCHS, _QUESTIONS, _TEXTS, _BATCH = 2, 6, 8, 32
_MOST_ANSWERS = 4
_RATE, _WARM_UP = 4e-4, 0.1
_FIRST_LAYER = 2
_OPEN = 0.6
"""What telling answers from the rest counts beside their order."""


def learn(files: Sequence[Path], out: Path) -> None:
    """Fit the weights of the base model to the `ReadPassages` of ``files``, and write them to ``out``."""
    known = KNOWN[BASE]
    tokenizer = Tokenizer.from_file(str(known.weights() / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    passages = [one for file in files for one in usable(file)]
    model = fit(read_source(known.weights(), known.shape), tokenizer, passages)
    save_file(learned_tensors(model), out)


def fit(
    source: ModelSource,
    tokenizer: Tokenizer,
    passages: Sequence[ReadPassages],
    epochs: int = _EPOCHS,
    first: int = _FIRST_LAYER,
) -> Any:
    """Return the model with what it learned."""
    torch.manual_seed(0)
    chance = random.Random(0)
    model = with_low_rank(classifier(source), first).train()
    sure = nn.Parameter(torch.tensor([1.0, 0.0]))  # slope and intercept from a logit to a chance
    learning = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW([{"params": learning}, {"params": [sure], "lr": 1e-2}], lr=_RATE)
    steps = epochs * -(-len(passages) // _QUESTIONS)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / (_WARM_UP * steps)) * (1 - step / steps)
    )
    for part in _parts(passages, epochs, chance):
        picked = [_picked(one, chance) for one in part]
        logits = pair_logits(
            model, [tokenizer.encode(one.question, text) for one, texts in picked for text, _ in texts]
        )
        loss, at = torch.zeros(()), 0
        for _, texts in picked:
            loss = loss + _loss(logits[at : at + len(texts)], torch.tensor([answers for _, answers in texts]), sure)
            at += len(texts)
        (loss / len(part)).backward()
        nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
    return model


def usable(file: Path) -> Iterator[ReadPassages]:
    """Yield what was read for questions without an answer, and for those whose answer was read."""
    for line in file.read_text(encoding="utf-8").splitlines():
        passages = ReadPassages(**json.loads(line))
        if passages.texts and (any(passages.answers) or not passages.answerable):
            yield passages


def _parts(passages: Sequence[ReadPassages], epochs: int, chance: random.Random) -> Iterator[list[ReadPassages]]:
    for _ in range(epochs):
        mixed = chance.sample(list(passages), len(passages))
        for start in range(0, len(mixed), _QUESTIONS):
            yield mixed[start : start + _QUESTIONS]


def _picked(passages: ReadPassages, chance: random.Random) -> tuple[ReadPassages, list[tuple[str, bool]]]:
    """Pick some texts that answer, and of the others those that the model took for answers most, with some noise."""
    answers = [text for text, right in zip(passages.texts, passages.answers, strict=True) if right]
    others = [
        (score + chance.gauss(0, 2), text)
        for text, score, right in zip(passages.texts, passages.scores, passages.answers, strict=True)
        if not right
    ]
    kept = chance.sample(answers, min(_MOST_ANSWERS, len(answers)))
    wrong = [text for _, text in sorted(others, reverse=True)][: _TEXTS - len(kept)]
    return passages, [*((text, True) for text in kept), *((text, False) for text in wrong)]


def pair_logits(model: Any, encodings: Sequence[Encoding]) -> Tensor:
    """Return the logit of each pair; pairs of similar length go together, so that little is padding."""
    order = sorted(range(len(encodings)), key=lambda index: len(encodings[index].ids))
    made: list[Tensor] = []
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for start in range(0, len(order), _BATCH):
            made.append(model(**_padded([encodings[at] for at in order[start : start + _BATCH]])).logits[:, 0].float())
    return torch.cat(made)[torch.tensor(order).argsort()]


def _padded(encodings: Sequence[Encoding]) -> dict[str, Tensor]:
    longest = max(len(one.ids) for one in encodings)
    kinds = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
    return {
        given: torch.tensor([[*getattr(one, kind), *[0] * (longest - len(one.ids))] for one in encodings])
        for given, kind in kinds.items()
    }


def _loss(logits: Tensor, answers: Tensor, sure: Tensor) -> Tensor:
    """Return how far answers are from coming first, and the best answer and all others from their chances, 1 and 0."""
    slope, intercept = sure
    loss = torch.zeros(())
    if answers.any():
        right = logits[answers]
        loss = loss + torch.logsumexp(logits, 0) - torch.logsumexp(right, 0)
        loss = loss + _OPEN * functional.softplus(-(slope * right.max() + intercept))
    if not answers.all():
        loss = loss + _OPEN * functional.softplus(slope * torch.logsumexp(logits[~answers], 0) + intercept)
    return loss
