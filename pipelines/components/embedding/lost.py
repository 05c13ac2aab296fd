"""The place of a model that vectors were made with, and that cannot be had any more."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.components.embedding.base import Vectors
from pipelines.errors import EmbeddingUnavailable


class LostEncoder:
    """Embeds nothing, and says what to do about it."""

    def __init__(self, fingerprint: str, dimensions: int) -> None:
        self.name = fingerprint
        self.fingerprint = fingerprint
        self.dimensions = dimensions
        self.query_prefix = ""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Never any vectors.

        Raises:
            EmbeddingUnavailable: Always.
        """
        raise EmbeddingUnavailable(
            "the embedding model that the tenant's documents were made with",
            "run `footnote reembed` to make them anew with the profile's, or go back to the former profile",
        )
