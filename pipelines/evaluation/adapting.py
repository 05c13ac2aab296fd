"""Fits a linear map of question vectors to judged questions.

The loss is the softmax cross-entropy of "Dense Passage Retrieval" (Karpukhin et al., EMNLP 2020): the chunks of a
question's documents against the hard negatives that the index found for it, and those of the other questions. A
document has several chunks and nobody said which one answers, so their probabilities are added. The map begins at the
identity and moves away from it only as long as that helps questions that it does not learn from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipelines.components.embedding.base import Vectors

TEMPERATURE = 0.05
_PRIOR = 1.0
"""Weight of the squared matrix, against the sum of the questions' losses."""
_STEPS = 120
_LOOK = 5
_RATE = 0.002
_BATCH = 256
_DECAYS = (0.9, 0.999)
_SEED = 13
_FOLDS = 5


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question to learn from.

    Attributes:
        vector: Its unit vector, shape ``(dimensions,)``.
        chunks: Ids of what it is compared with: the chunks of its documents, and hard negatives.
        relevant: Ids of the chunks of its documents.
    """

    vector: Vectors
    chunks: frozenset[str]
    relevant: frozenset[str]

    @property
    def fold(self) -> int:
        """One of five parts, always the same for the same question."""
        return hashlib.blake2b(self.vector.tobytes(), digest_size=1).digest()[0] % _FOLDS


class Fitting:
    """Fits matrices to some of the questions of a data set.

    Args:
        chunk_ids: The ids of all chunks that its lessons name.
        chunks: Their unit vectors, shape ``(n, dimensions)``.
    """

    def __init__(self, chunk_ids: Sequence[str], chunks: Vectors) -> None:
        self._rows = {chunk_id: row for row, chunk_id in enumerate(chunk_ids)}
        self._chunks = chunks

    def fit(self, lessons: Sequence[Lesson]) -> Vectors:
        """Return the matrix ``m`` for which ``normalised(question + question @ m)`` is closest to the right chunks.

        A fifth of the questions says after how many steps a fit to the others knows them best; the matrix is what as
        many steps make of all. Where every step makes it worse, it is 0.

        Returns:
            Shape ``(dimensions, dimensions)``; the same for the same questions.
        """
        judges = [lesson for lesson in lessons if lesson.fold == 0]
        others = [lesson for lesson in lessons if lesson.fold != 0]
        if not judges or not others:
            return self._start()
        losses = [self._loss(matrix, judges) for matrix in self._steps(others, _STEPS)]
        *_, matrix = self._steps(lessons, _LOOK * int(np.argmin(losses)))
        return matrix

    def _start(self) -> Vectors:
        return np.zeros((self._chunks.shape[1],) * 2, np.float32)

    def _steps(self, lessons: Sequence[Lesson], most: int) -> Iterator[Vectors]:
        """Yield the matrix at the start, and after every few steps of Adam (Kingma and Ba, ICLR 2015)."""
        matrix: Vectors = self._start()
        slope: Vectors = self._start()
        spread: Vectors = self._start()
        random = np.random.default_rng(_SEED)
        yield matrix
        for step in range(1, most + 1):
            batch = [lessons[index] for index in random.permutation(len(lessons))[:_BATCH]]
            gradient = self._gradient(matrix, batch) + _PRIOR / len(lessons) * matrix
            slope += (1 - _DECAYS[0]) * (gradient - slope)
            spread += (1 - _DECAYS[1]) * (gradient**2 - spread)
            scale = np.sqrt(spread / (1 - _DECAYS[1] ** step)) + 1e-8
            matrix = matrix - np.float32(_RATE) * slope / (1 - _DECAYS[0] ** step) / scale
            if step % _LOOK == 0:
                yield matrix

    def _loss(self, matrix: Vectors, batch: Sequence[Lesson]) -> float:
        """Return the mean loss of some questions."""
        scores, right, *_ = self._scores(matrix, batch)
        shares = (_softmax(scores) * right).sum(axis=1)
        return float(-np.log(shares + 1e-9).mean())

    def _scores(self, matrix: Vectors, batch: Sequence[Lesson]) -> tuple[Vectors, NDArray[np.bool_], _Moved]:
        """Return the scores of all chunks that the questions name, which of them are right, and the vectors."""
        rows = sorted({self._rows[chunk_id] for lesson in batch for chunk_id in lesson.chunks})
        column = {row: number for number, row in enumerate(rows)}
        right = np.zeros((len(batch), len(rows)), bool)
        for number, lesson in enumerate(batch):
            right[number, [column[self._rows[chunk_id]] for chunk_id in lesson.relevant]] = True
        asked, texts = np.stack([lesson.vector for lesson in batch]), self._chunks[rows]
        moved = asked + asked @ matrix
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        unit = moved / lengths
        return unit @ texts.T / np.float32(TEMPERATURE), right, _Moved(asked, unit, lengths, texts)

    def _gradient(self, matrix: Vectors, batch: Sequence[Lesson]) -> Vectors:
        """Return the gradient of the mean loss of some questions."""
        scores, right, moved = self._scores(matrix, batch)
        # How much each chunk pulls: its share among all chunks, less its share among the right ones.
        shares = _softmax(scores) - _softmax(np.where(right, scores, np.float32(-np.inf)))
        pull = shares @ moved.texts / np.float32(TEMPERATURE * len(batch))
        along = (pull - (pull * moved.unit).sum(axis=1, keepdims=True) * moved.unit) / moved.lengths
        gradient: Vectors = moved.asked.T @ along
        return gradient


@dataclass(frozen=True, slots=True)
class _Moved:
    """The vectors of questions before and after, the lengths of the latter before they became unit vectors, and the
    texts that they are compared with.
    """

    asked: Vectors
    unit: Vectors
    lengths: Vectors
    texts: Vectors


def _softmax(scores: Vectors) -> Vectors:
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Vectors = grown / grown.sum(axis=1, keepdims=True)
    return shares
