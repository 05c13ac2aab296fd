"""The vectors of words in every engine: the store's MaxSim is that of plain numpy, but for what four bits lose."""

import signal
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chunk_samples import chunk_id, encoder
from edge_points import run
from llama_index.core.schema import TextNode
from qdrant_client import models

from pipelines.components.store import collection as store_collection
from pipelines.components.store.chunk_nodes import give_tokens
from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.components.store.edge import collection as edge_collection
from pipelines.profile.sections.storage import EdgeStore, MemoryStore, ServerStore, StoreSection
from tests.fakes.qdrant_servers import REAL, SERVERS, SHARDED, STAND_INS, qdrant_server

DIMENSIONS = 64
COUNT = 60
WITHOUT_WORDS = 7
EXACT = 1e-5
FOUR_BITS = 0.03
ENGINES = [
    "edge",
    "edge with a graph",
    "memory",
    *SERVERS,
]
_SERVERS = {*STAND_INS, *(one.values[0] for one in REAL)}
_SERVER: dict[str, Any] = {}
"""What the section of the server at work says."""


def tokens_of(number: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(1000 * seed + number)
    rows = 0 if number == WITHOUT_WORDS else 1 + number % 9
    made = random.normal(size=(rows, DIMENSIONS))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float16)


def node(number: int, seed: int = 0) -> TextNode:
    made = TextNode(
        id_=chunk_id(number),
        text=f"ledger number {number}",
        embedding=np.random.default_rng(number).normal(size=DIMENSIONS).tolist(),
        metadata={"document_id": f"doc/{number // 8}", "valid_to": 9},
    )
    give_tokens(made, tokens_of(number, seed))
    return made


def question() -> np.ndarray:
    made = np.random.default_rng(3).normal(size=(5, DIMENSIONS)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1).sum()


def maxsim(number: int, seed: int = 0) -> float:
    return float((question() @ tokens_of(number, seed).astype(np.float32).T).max(axis=1).sum())


def section_of(engine: str) -> StoreSection:
    if engine.startswith("edge"):
        return EdgeStore()
    if engine == "memory":
        return MemoryStore(engine="memory")
    return ServerStore(**_SERVER, timeout_s=100)


def opened(section: StoreSection, folder: Path, name: str, tokens: bool = True) -> ChunkStore:
    return build_vector_store(
        section,
        folder=folder,
        collection=name,
        dimensions=DIMENSIONS,
        fields={},
        encoder=encoder(),
        tokens=tokens,
    )


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with ExitStack() as served:
        _SERVER.clear()
        if request.param in _SERVERS:
            _SERVER.update(served.enter_context(qdrant_server(request.param)))
        if request.param == "edge with a graph":
            monkeypatch.setattr(store_collection, "_EXACT_CHUNKS", 1)
            monkeypatch.setattr(edge_collection, "_AT_ONCE", 0)
        yield str(request.param)


@pytest.fixture
def store(engine: str, tmp_path: Path) -> Iterator[ChunkStore]:
    made = opened(section_of(engine), tmp_path / "vectors", f"footnote_test_tokens_{uuid.uuid4().hex}")
    try:
        made.add([node(number) for number in range(COUNT)])
        if engine == "edge with a graph":
            made.optimize()
        yield made
    finally:
        made.client.delete_collection(made.collection_name)
        made.close()


def check(store: ChunkStore, engine: str, expected: dict[int, float]) -> None:
    found = store.alike(question(), [chunk_id(number) for number in range(COUNT)])
    assert found.keys() == {chunk_id(number) for number in expected}
    off = EXACT if engine == "memory" or engine in STAND_INS else FOUR_BITS
    for number, score in expected.items():
        assert found[chunk_id(number)] == pytest.approx(score, abs=off)


def test_the_score_is_the_sum_of_the_best_products(store: ChunkStore, engine: str) -> None:
    check(store, engine, {number: maxsim(number) for number in range(COUNT) if number != WITHOUT_WORDS})


def test_only_the_chunks_that_are_asked_for_are_scored(store: ChunkStore) -> None:
    asked = [chunk_id(number) for number in (5, 40, WITHOUT_WORDS, 12)]
    assert store.alike(question(), [*asked, str(uuid.uuid4())]).keys() == {asked[0], asked[1], asked[3]}
    assert store.alike(question(), []) == {}
    assert store.alike(question()[:0], asked) == {}


def test_a_chunk_that_is_written_again_has_its_new_words(store: ChunkStore, engine: str) -> None:
    store.add([node(number, seed=1) for number in range(20)])
    worded = [number for number in range(COUNT) if number != WITHOUT_WORDS]
    check(store, engine, {number: maxsim(number, seed=1 if number < 20 else 0) for number in worded})


def test_the_words_go_with_their_chunks_and_stay_when_the_payload_changes(store: ChunkStore, engine: str) -> None:
    everything = models.Filter(must=[models.FieldCondition(key="valid_to", range=models.Range(gte=0))])
    store.set_fields({"valid_to": 3}, everything)
    store.remove(models.Filter(must=[models.FieldCondition(key="document_id", match=models.MatchValue(value="doc/1"))]))
    gone = set(range(8, 16))
    check(store, engine, {n: maxsim(n) for n in range(COUNT) if n not in gone and n != WITHOUT_WORDS})


def test_the_legs_and_the_payloads_are_those_of_a_store_without_words(
    store: ChunkStore, engine: str, tmp_path: Path
) -> None:
    plain = opened(MemoryStore(engine="memory"), tmp_path / "plain", "plain", tokens=False)
    plain.add([node(number) for number in range(COUNT)])
    vector = np.random.default_rng(5).normal(size=DIMENSIONS)
    asked = [one.legs(vector, one.encoder.query("number 12 ledger"), where=None, depth=COUNT) for one in (store, plain)]
    for leg in ("dense", "sparse"):
        off = 10.0 if leg == "sparse" and engine in SHARDED else 1e-4  # each shard weighs words by its own chunks
        assert dict(asked[0][leg]) == pytest.approx(dict(asked[1][leg]), abs=off)
    ids = [chunk_id(number) for number in range(COUNT)]
    assert store.fetch(ids) == plain.fetch(ids)
    assert (store.holds_tokens, plain.holds_tokens) == (True, False)
    plain.close()


@pytest.mark.parametrize("optimised", [False, True])
def test_words_outlive_the_process(tmp_path: Path, optimised: bool) -> None:
    store = opened(EdgeStore(), tmp_path, "kept")
    store.add([node(number) for number in range(COUNT)])
    if optimised:
        store.optimize()
    store.close()
    store = opened(EdgeStore(), tmp_path, "kept")
    check(store, "edge", {number: maxsim(number) for number in range(COUNT) if number != WITHOUT_WORDS})
    store.close()


def test_words_that_were_written_outlive_a_kill(tmp_path: Path) -> None:
    script = """
        from test_vector_store_tokens import COUNT, EdgeStore, node, opened

        opened(EdgeStore(), Path(sys.argv[1]), "kept").add([node(number) for number in range(COUNT)])
        os.kill(os.getpid(), signal.SIGKILL)
    """
    assert run(script, tmp_path).returncode == -signal.SIGKILL
    store = opened(EdgeStore(), tmp_path, "kept")
    check(store, "edge", {number: maxsim(number) for number in range(COUNT) if number != WITHOUT_WORDS})
    store.close()
