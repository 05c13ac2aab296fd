"""Word vectors for late interaction: the token states from which the model pools a text's vector.

Khattab and Zaharia, "ColBERT" (SIGIR 2020), compare a question and a text word by word with a model trained to that
end. Here it is the sentence encoder's own states, which cost nothing beside its vector, and need no other model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt
from llama_index.core.bridge.pydantic import PrivateAttr

from pipelines.components.embedding.base import Adapter, Embedder, Vectors, normalised
from pipelines.components.embedding.onnx import EncodedText, OnnxEncoder
from pipelines.events import Observe, embedding, ignore_event

_KIND = "+tokens1"
"""Version of the word vectors; increase it on a change, so that stored ones are not compared with new ones."""
_QUESTIONS_KEPT = 8


Tokens = npt.NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class EmbeddedTexts:
    """Texts as the store takes them.

    ``vectors`` has one row for each text; ``tokens`` has, for each, a matrix of unit vectors in 16 bits, half as many
    as the text has words, and no rows where it has no words.
    """

    vectors: Vectors
    tokens: list[Tokens]


class TokenEmbedder(Embedder):
    """An embedder that returns word vectors with a text's vector, by one run of the model.

    Where they are ``stored``, the fingerprint is another than the plain embedder's of the same model, so that a store
    without them is seen to be of another kind.
    """

    _encoder: OnnxEncoder = PrivateAttr()
    _stored: bool = PrivateAttr()
    _question: Callable[[str], EncodedText] = PrivateAttr()

    def __init__(
        self,
        encoder: OnnxEncoder,
        stored: bool,
        observe: Observe = ignore_event,
        *,
        query_prefix: str | None = None,
        text_prefix: str | None = None,
        adapter: Adapter | None = None,
    ) -> None:
        super().__init__(encoder, observe, query_prefix=query_prefix, text_prefix=text_prefix, adapter=adapter)
        self._stored = stored
        self._question = lru_cache(_QUESTIONS_KEPT)(partial(encoder.encoded, prefix=self._query_prefix))

    @property
    def stored(self) -> bool:
        """Whether word vectors are stored."""
        return self._stored

    @property
    def fingerprint(self) -> str:
        """See `Encoder`."""
        return super().fingerprint + (_KIND if self._stored else "")

    def query_vector(self, text: str) -> Vectors:
        """See `Embedder`."""
        with embedding(self._observe, 1):
            vector: Vectors = self._adapted(self._question(text).vector[np.newaxis])[0]
        vector.flags.writeable = False  # it may be a view of the one that is kept
        return vector

    def question(self, text: str) -> Vectors:
        """Return the tokens of a question, as `question_tokens` gives them; its vector was asked for just before.

        An adapter does not change them: it was learned for whole vectors.
        """
        return question_tokens(self._question(text))

    def embedded(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Return the vectors of ``texts`` and of their words."""
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        tokens: dict[int, Tokens] = {}
        with embedding(self._observe, len(texts)):
            for index, (vector, words) in self._encoder.spread(self._made, texts):
                vectors[index], tokens[index] = vector, words
        return EmbeddedTexts(vectors, [tokens[index] for index in range(len(texts))])

    def _made(self, text: str) -> tuple[Vectors, Tokens]:
        encoded = self._encoder.encoded(text, self._text_prefix)
        return encoded.vector, chunk_tokens(encoded).astype(np.float16)


def question_tokens(encoded: EncodedText) -> Vectors:
    """Return the states of a question's tokens, scaled so that their lengths sum to 1, without the model's own
    marks.

    A state's length is its share in the vector that the model pools of them: with texts' unit vectors, the sum of the
    best products is a mean of cosines weighted by it, in -1..1. Weights by the tokens' rarity found less.
    """
    states = encoded.states[encoded.words >= 0]
    total = np.linalg.norm(states, axis=1).sum()
    return states / total if total else states


def chunk_tokens(encoded: EncodedText) -> Vectors:
    """Return unit vectors of a text's words, the most similar merged until half remain; no rows without words."""
    words = encoded.words[encoded.words >= 0]
    if not len(words):
        return np.empty((0, encoded.states.shape[1]), np.float32)
    states = normalised(encoded.states[encoded.words >= 0])
    starts = np.flatnonzero(np.diff(words, prepend=-1))
    return _merged(normalised(np.add.reduceat(states, starts, axis=0)))


def _merged(vectors: Vectors) -> Vectors:
    """Half as many unit vectors: those most alike become their mean.

    Bolya et al., "Token Merging" (ICLR 2023): every second vector looks for its nearest among the others, and in each
    round the better half of these pairs is merged. Clavié et al., "Reducing the Footprint of Multi-Vector Retrieval
    with Minimal Performance Impact via Token Pooling" (2024), find that half as many lose nothing.
    """
    left = (len(vectors) + 1) // 2
    sums: npt.NDArray[np.float32] = vectors
    while len(sums) > left:
        movers, stayers = sums[0::2], sums[1::2].copy()
        # Not by `@`: BLAS would spread so small a product over threads, which takes ten times as long.
        alike = np.einsum("ik,jk->ij", normalised(movers), normalised(stayers))
        few = min(len(sums) - left, max(len(movers) // 2, 1))
        going = np.argsort(-alike.max(axis=1), kind="stable")[:few]
        np.add.at(stayers, alike.argmax(axis=1)[going], movers[going])
        sums = np.concatenate([np.delete(movers, going, axis=0), stayers])
    return normalised(sums)
