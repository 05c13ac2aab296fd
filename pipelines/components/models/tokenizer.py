"""Token spans of a text, by which chunks are measured."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pipelines.components.models.exported import ExportedModel, damaged

if TYPE_CHECKING:
    import tokenizers

_PART_CHARACTERS = 65_536
"""How much of a long text is cut into tokens at once: its parts are, on all processors."""


def load_tokenizer(file: Path, most_tokens: int | None = None) -> tokenizers.Tokenizer:
    """Load a tokenizer without padding; it truncates to ``most_tokens``, special tokens included."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    if most_tokens is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(most_tokens)
    return tokenizer


def encodable(text: str) -> str:
    """Replace each lone surrogate, which cannot be encoded, by a question mark; the length stays."""
    return text.encode("utf-8", "replace").decode("utf-8")


class TokenSpans:
    """Token spans by a model's tokenizer, which the first text loads: questions cut none. Thread-safe."""

    def __init__(self, model: ExportedModel) -> None:
        self._model = model

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        try:
            return load_tokenizer(self._model.tokenizer)
        except Exception as error:  # tokenizers raises no class of its own
            raise damaged(self._model) from error

    def spans(self, text: str) -> npt.NDArray[np.int64]:
        """Character spans of the tokens of ``text``, shape ``(n, 2)``, without special tokens.

        Raises:
            ModelDamaged: The tokenizer's file cannot be read.
        """
        whole = encodable(text)
        starts, parts = zip(*_parts(whole), strict=True)
        encodings = self._tokenizer.encode_batch(parts, add_special_tokens=False)
        offsets = (np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2) for encoding in encodings)
        return np.concatenate([start + each for start, each in zip(starts, offsets, strict=True)])


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text with their places; they begin at line breaks, which no token crosses."""
    start = 0
    while len(text) - start > _PART_CHARACTERS:
        end = text.rfind("\n", start + 1, start + _PART_CHARACTERS)
        if end < 0:
            break
        yield start, text[start:end]
        start = end
    yield start, text[start:]
