"""Reads passages beside a question: by a cross-encoder, or by the cosine of vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Read = Callable[[str, Sequence[str]], npt.NDArray[np.floating]]
"""How well each text answers a question."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads passages beside a question.

    Attributes:
        read: Gives raw scores.
        scale: What a raw score is multiplied by, so that a difference of 1 means about the same for each reader.
        terms: The weight of the share of the question's terms that a passage holds.
        sentences: The weight of a passage's best sentence against the passage as a whole, in 0..1.
        gap: How much worse than the best a further passage may be.
        excerpts: Whether only an excerpt of a long passage is read.
        prose: Of how many passages of prose the sentences are read, the best.
    """

    read: Read
    scale: float = 1.0
    terms: float = 1.0
    sentences: float = 0.5
    gap: float = 3.0
    excerpts: bool = False
    prose: int = 4


def cosine_reader(
    query_vector: Callable[[str], npt.NDArray[np.float32]],
    vectors: Callable[[Sequence[str]], npt.NDArray[np.float32]],
) -> Reader:
    """Reads by the cosine of unit vectors, one a row; words count for more, for vectors miss them.

    Texts that were never asked about have to be embedded, so excerpts are read, and fewer sentences.
    """

    def read(question: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        cosines: npt.NDArray[np.float32] = vectors(texts) @ query_vector(question)
        return cosines

    return Reader(read, scale=12.0, terms=3.0, sentences=0.5, gap=2.0, excerpts=True, prose=3)
