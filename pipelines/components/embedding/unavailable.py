"""Stand-in for an embedding model that is no longer available."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.components.embedding.base import Vectors
from pipelines.errors import EmbeddingUnavailable


class UnavailableEncoder:
    """Raises an error that says what to do."""

    def __init__(self, fingerprint: str, dimensions: int) -> None:
        self.name = fingerprint
        self.fingerprint = fingerprint
        self.dimensions = dimensions
        self.query_prefix = self.text_prefix = ""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Raise `EmbeddingUnavailable`.

        Raises:
            EmbeddingUnavailable: Always.
        """
        raise EmbeddingUnavailable(
            "the embedding model of the tenant's documents",
            "run `footnote reembed` to embed them with the profile's model, or restore the former profile",
        )
