"""The stores that one suite is run on, filled with `chunk_samples`."""

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chunk_samples import DIMENSIONS, FIELDS, encoder, sample_nodes

from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.components.store.edge import collection as edge_collection
from pipelines.profile.sections.storage import EdgeStore, Hnsw, MemoryStore, ServerStore, StoreSection
from tests.fakes.qdrant_servers import REAL, SERVERS, STAND_INS

ENGINES = [
    "edge",
    "edge with a graph",
    "memory",
    *SERVERS,
]
SERVER_ENGINES = {*STAND_INS, *(one.values[0] for one in REAL)}
SERVER: dict[str, Any] = {}
"""What the section of the server at work says."""
NODES = sample_nodes()
QUESTIONS = ("reconciliation ledger", "hip dysplasia retriever ledger ledger", "violin")


def section_of(engine: str) -> StoreSection:
    if engine.startswith("edge"):
        return EdgeStore(hnsw=Hnsw(m=12, ef_construct=64))
    if engine == "memory":
        return MemoryStore(engine="memory")
    return ServerStore(**SERVER, timeout_s=100, hnsw=Hnsw(m=12, ef_construct=64))


def open_store(section: StoreSection, folder: Path, name: str, dimensions: int = DIMENSIONS) -> ChunkStore:
    return build_vector_store(
        section, folder=folder, collection=name, dimensions=dimensions, fields=FIELDS, encoder=encoder()
    )


def samples_in(folder: Path, engine: str, template: Path | None) -> Iterator[ChunkStore]:
    if template is not None:
        shutil.copytree(template, folder / "vectors", copy_function=edge_collection.copy_with_holes)
    store = open_store(
        section_of(engine),
        folder / "vectors",
        f"footnote_test_samples_{uuid.uuid4().hex}" if not template else "samples",
    )
    try:
        if template is None:
            store.add(NODES)
        yield store
    finally:
        removed(store)


def removed(store: ChunkStore) -> None:
    store.client.delete_collection(store.collection_name)
    store.close()


def question_vector(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=DIMENSIONS)


def agree(leg: list[tuple[str, float]], expected: list[tuple[str, float]]) -> None:
    """Same scores place by place, and same chunks but for neighbours that differ by rounding."""
    assert [score for _, score in leg] == pytest.approx([score for _, score in expected], abs=1e-4)
    if leg:
        worst = leg[-1][1] + 1e-4
        assert {key for key, score in leg if score > worst} == {key for key, score in expected if score > worst}
