"""Token spans of a text, by which chunks are measured."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import tokenizers


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
    """Token spans by a tokenizer file, which the first text loads: questions cut none. Thread-safe."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        return load_tokenizer(self._file)

    def spans(self, text: str) -> npt.NDArray[np.int64]:
        """Character spans of the tokens of ``text``, shape ``(n, 2)``, without special tokens."""
        encoding = self._tokenizer.encode(encodable(text), add_special_tokens=False)
        return np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
