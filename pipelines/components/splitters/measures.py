"""How long a text is: in characters, or in the tokens of a model."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

_MOST_CHARACTERS_OF_A_TOKEN = 16  # tokenizers take any endless word (base64, say) for one unknown token


class Measure(Protocol):
    """Lengths of a text in some unit, as positions: both methods take and give character offsets."""

    def forward(self, position: int, amount: int) -> int:
        """Return the furthest position that lies at most ``amount`` units behind ``position``."""
        ...

    def back(self, position: int, amount: int) -> int:
        """Return the position ``amount`` units before ``position``."""
        ...


class CharacterMeasure:
    """Counts Unicode characters."""

    def __init__(self, text: str) -> None:
        self._length = len(text)

    def forward(self, position: int, amount: int) -> int:
        """See `Measure`."""
        return min(position + amount, self._length)

    def back(self, position: int, amount: int) -> int:
        """See `Measure`."""
        return max(position - amount, 0)


class TokenMeasure:
    """Counts tokens, given their spans ``(n, 2)`` in the text."""

    def __init__(self, text: str, spans: npt.NDArray[np.integer[Any]]) -> None:
        self._starts: list[int] = spans[:, 0].tolist()
        self._length = len(text)

    def forward(self, position: int, amount: int) -> int:
        """See `Measure`."""
        index = bisect_left(self._starts, position) + amount
        stop = self._starts[index] if index < len(self._starts) else self._length
        return min(stop, position + amount * _MOST_CHARACTERS_OF_A_TOKEN)

    def back(self, position: int, amount: int) -> int:
        """See `Measure`."""
        index = bisect_left(self._starts, position) - amount
        start = self._starts[index] if index > 0 else 0
        return max(start, position - amount * _MOST_CHARACTERS_OF_A_TOKEN)
