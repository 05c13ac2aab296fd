"""What documents are written into: a vector store, and the embedding model that its vectors are made with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipelines.components.store.chunk_store import ChunkStore
from pipelines.ingestion.transforms import Embed

_SCANNED_CHUNKS = 10_000
"""Chunks written since the index was last put in order that are searched one by one: about 3 ms."""


@dataclass(frozen=True, slots=True)
class Space:
    """A store and its model; ``generation`` numbers the stores of a tenant, of which one is in use."""

    generation: int
    store: ChunkStore
    embed: Embed

    def optimize_if_needed(self) -> None:
        """Put the index in order where so much was written since that searching it one by one would be felt."""
        if self.store.unoptimized >= _SCANNED_CHUNKS:
            self.store.optimize()


CurrentSpace = Callable[[], Space]
