"""Reads passages beside a question: by the cosine of vectors, with a cross-encoder or without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Read = Callable[[str, Sequence[str]], npt.NDArray[np.floating]]
"""How well each text answers a question."""


_COSINE = 12.0
"""What a cosine is multiplied by to weigh as much as a logit."""
_MIDDLE = 0.5
"""About the cosine of a passage that answers. Above it a cosine adds to a logit, so that the sum is still one."""
_PROMISING = 10
"""How many texts a cross-encoder reads at most: each takes some 25 ms of processor time."""


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
        cosines: Gives cosines, if the best sentence of what answers counts for the confidence: its cosine like the
            score of a hit, its raw score like that of the whole. None: of prose only the whole counts.
    """

    read: Read
    scale: float = 1.0
    terms: float = 1.0
    sentences: float = 0.5
    gap: float = 2.4
    excerpts: bool = False
    prose: int = 4
    cosines: Read | None = None


def cosines(
    query_vector: Callable[[str], npt.NDArray[np.float32]],
    vectors: Callable[[Sequence[str]], npt.NDArray[np.float32]],
) -> Read:
    """Return what reads by the cosine of unit vectors, one a row."""

    def read(question: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        scores: npt.NDArray[np.float32] = vectors(texts) @ query_vector(question)
        return scores

    return read


def cosine_reader(read: Read) -> Reader:
    """Reads by cosines alone; words count for more, for vectors miss them.

    Texts that were never asked about have to be embedded, so excerpts are read, and fewer sentences.
    """
    return Reader(read, scale=_COSINE, terms=3.0, sentences=0.5, gap=2.0, excerpts=True, prose=3)


def cross_encoder_reader(logits: Read, read_cosines: Read) -> Reader:
    """Reads by the logits of a cross-encoder, with cosines for half of what they count alone.

    It reads the ten texts of the highest cosines; the others get the lowest of its logits. See
    docs/decisions/0082-two-readers.md.
    """

    def read(question: str, texts: Sequence[str]) -> npt.NDArray[np.floating]:
        near = read_cosines(question, texts)
        promising = np.argsort(-near, kind="stable")[:_PROMISING]
        read = logits(question, [texts[index] for index in promising])
        scores = np.full(len(texts), read.min(initial=np.inf), np.float64)
        scores[promising] = read
        scores += 0.5 * _COSINE * (near - _MIDDLE)
        return scores

    return Reader(read, cosines=read_cosines)
