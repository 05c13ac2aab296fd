"""Keeps vectors of texts in memory: answers weigh the same sentences of the same documents again and again."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Hashable, Sequence

import numpy as np
from cachetools import LRUCache

from pipelines.components.embedding.base import Embedder, Vectors

_MOST_BYTES = 16 * 2**20  # of the vectors: 10,900 of 384 dimensions


class VectorCache:
    """Unit vectors of texts, made once and kept by a hash of the text, as many as have room; the latest used stay.

    They are of one model and one position in the tenant's history. When either moves, all of them go with the next
    call, so that nothing made of a purged document is kept for long.

    Args:
        embedder: The model in use now.
        position: Where the tenant's history is now.
        most_bytes: Room for vectors.
    """

    def __init__(
        self, embedder: Callable[[], Embedder], position: Callable[[], Hashable], most_bytes: int = _MOST_BYTES
    ) -> None:
        self._embedder = embedder
        self._position = position
        self._lock = threading.Lock()
        self._kept: LRUCache[bytes, Vectors] = LRUCache(most_bytes, getsizeof=lambda vector: vector.nbytes)
        self._made_for: Hashable = None

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of ``texts``, shape ``(len(texts), dimensions)``, in their order; see `Embedder.vectors`."""
        embedder = self._embedder()
        if not texts:
            return embedder.vectors(texts)
        made_for = (embedder.fingerprint, self._position())
        keys = [_key(text) for text in texts]
        vectors = self._known(keys, made_for)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
        if missing:
            made = dict(zip(missing, embedder.vectors(list(missing.values())), strict=True))
            self._keep(made, made_for)
            vectors |= made
        return np.stack([vectors[key] for key in keys])

    def _known(self, keys: Sequence[bytes], made_for: Hashable) -> dict[bytes, Vectors]:
        with self._lock:
            if made_for != self._made_for:
                self._kept.clear()
                self._made_for = made_for
            return {key: self._kept[key] for key in keys if key in self._kept}

    def _keep(self, made: dict[bytes, Vectors], made_for: Hashable) -> None:
        with self._lock:
            if made_for != self._made_for:  # it moved while these were made
                return
            # Copies, because a view would hold on to all rows of its call.
            self._kept.update((key, vector.copy()) for key, vector in made.items())


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
