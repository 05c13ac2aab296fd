"""Vectors by text, so that the same text is embedded once per model."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.catalogue.content_cache import ContentCache
from pipelines.catalogue.tables import EmbeddingRow

Vector = npt.NDArray[np.float32]


class EmbeddingCache(ContentCache[Vector]):
    """A tenant's vectors, kept as float32."""

    row = EmbeddingRow
    column = "vector"

    def stored(self, value: Vector) -> bytes:
        """See `ContentCache`."""
        return value.tobytes()

    def read(self, stored: Any) -> Vector:
        """See `ContentCache`."""
        return np.frombuffer(stored, dtype=np.float32)
