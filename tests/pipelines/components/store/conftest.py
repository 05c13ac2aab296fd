"""Stores of every engine, for the suites that each engine must pass."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from store_engines import ENGINES, NODES, SERVER, SERVER_ENGINES, open_store, samples_in, section_of

from pipelines.components.store import collection as store_collection
from pipelines.components.store import dense_vectors
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.components.store.edge import collection as edge_collection
from tests.fakes.qdrant_servers import qdrant_server


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, ExitStack() as served:
        SERVER.clear()
        if request.param in SERVER_ENGINES:
            SERVER.update(served.enter_context(qdrant_server(request.param)))
        if request.param == "edge with a graph":  # 400 chunks would not get one, nor be optimised by another process
            patch.setattr(store_collection, "_EXACT_CHUNKS", 1)
            patch.setattr(dense_vectors, "SCANNED", 1)
            patch.setattr(edge_collection, "_AT_ONCE", 0)
        section_of(request.param)
        yield str(request.param)


@pytest.fixture(scope="module")
def template(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """A folder with the samples in it, to be copied: building one for each test takes longer than the tests."""
    if not engine.startswith("edge"):
        return None
    folder = tmp_path_factory.mktemp("template") / "vectors"
    store = open_store(section_of(engine), folder, "samples")
    store.add(NODES)
    if engine == "edge with a graph":
        store.optimize()
    store.close()
    return folder


@pytest.fixture(scope="module")
def filled(engine: str, template: Path | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChunkStore]:
    """A store that the tests read from only."""
    yield from samples_in(tmp_path_factory.mktemp("filled"), engine, template)


@pytest.fixture
def store(engine: str, template: Path | None, tmp_path: Path) -> Iterator[ChunkStore]:
    """A store of its own for a test that changes it."""
    yield from samples_in(tmp_path, engine, template)
