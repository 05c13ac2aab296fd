"""One suite for every engine: each must give what `chunk_samples` works out in plain Python."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chunk_samples import (
    COUNT,
    DIMENSIONS,
    FIELDS,
    FILTERS,
    best,
    bm25,
    chunk_id,
    cosines,
    encoder,
    equals,
    field,
    payload_of,
    sample_nodes,
)
from llama_index.core.schema import TextNode
from qdrant_client import models

from pipelines.components.store import collection as store_collection
from pipelines.components.store import dense_vectors
from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.components.store.edge import collection as edge_collection
from pipelines.errors import EmbeddingChanged
from pipelines.profile.sections.storage import EdgeStore, Hnsw, MemoryStore, ServerStore, StoreSection
from tests.fakes.qdrant_servers import REAL, SERVERS, SHARDED, STAND_INS, qdrant_server

ENGINES = [
    "edge",
    "edge with a graph",
    "memory",
    *SERVERS,
]
_SERVERS = {*STAND_INS, *(one.values[0] for one in REAL)}
_SERVER: dict[str, Any] = {}
"""What the section of the server at work says."""
NODES = sample_nodes()
QUESTIONS = ("reconciliation ledger", "hip dysplasia retriever ledger ledger", "violin")


def section_of(engine: str) -> StoreSection:
    if engine.startswith("edge"):
        return EdgeStore(hnsw=Hnsw(m=12, ef_construct=64))
    if engine == "memory":
        return MemoryStore(engine="memory")
    return ServerStore(**_SERVER, timeout_s=100, hnsw=Hnsw(m=12, ef_construct=64))


def open_store(section: StoreSection, folder: Path, name: str, dimensions: int = DIMENSIONS) -> ChunkStore:
    return build_vector_store(
        section, folder=folder, collection=name, dimensions=dimensions, fields=FIELDS, encoder=encoder()
    )


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, ExitStack() as served:
        _SERVER.clear()
        if request.param in _SERVERS:
            _SERVER.update(served.enter_context(qdrant_server(request.param)))
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


@pytest.fixture(scope="module")
def filled(engine: str, template: Path | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChunkStore]:
    """A store that the tests read from only."""
    yield from samples_in(tmp_path_factory.mktemp("filled"), engine, template)


@pytest.fixture
def store(engine: str, template: Path | None, tmp_path: Path) -> Iterator[ChunkStore]:
    """A store of its own for a test that changes it."""
    yield from samples_in(tmp_path, engine, template)


def matched(name: str) -> set[str]:
    _, predicate = FILTERS[name]
    return {node.node_id for node in NODES if predicate(node.node_id, payload_of(node))}


def question_vector(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=DIMENSIONS)


def agree(leg: list[tuple[str, float]], expected: list[tuple[str, float]]) -> None:
    """Same scores place by place, and same chunks but for neighbours that differ by rounding."""
    assert [score for _, score in leg] == pytest.approx([score for _, score in expected], abs=1e-4)
    if leg:
        worst = leg[-1][1] + 1e-4
        assert {key for key, score in leg if score > worst} == {key for key, score in expected if score > worst}


def agree_in_words(engine: str, leg: list[tuple[str, float]], expected: list[tuple[str, float]], depth: int) -> None:
    """As `agree`; where each shard weighs words by its own chunks, only which chunks have a word is the same."""
    if engine not in SHARDED:
        agree(leg, expected)
        return
    assert len(leg) == len(expected)
    assert [score for _, score in leg] == sorted((score for _, score in leg), reverse=True)
    if len(expected) < depth:
        assert {key for key, _ in leg} == {key for key, _ in expected}


def nearly_agree(leg: list[tuple[str, float]], expected: dict[str, float]) -> None:
    """As `agree`, but a walk through a graph of which a filter hides most may miss one chunk in fifty."""
    assert [score for _, score in leg] == sorted((score for _, score in leg), reverse=True)
    assert dict(leg) == pytest.approx({key: expected[key] for key, _ in leg}, abs=1e-4)
    assert len(leg) >= 0.98 * len(expected)


# ---------------------------------------------------------------------------------------------------------------------
# Filters


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_matches_the_chunks_it_should(filled: ChunkStore, name: str) -> None:
    where, _ = FILTERS[name]
    expected = matched(name)
    assert {found for found, _ in filled.scan(where)} == expected
    assert filled.count(where) == len(expected)


@pytest.mark.parametrize("name", FILTERS)
def test_both_legs_rank_what_the_filter_matches_and_nothing_else(engine: str, filled: ChunkStore, name: str) -> None:
    where, _ = FILTERS[name]
    chosen = matched(name)
    question = question_vector(3)
    legs = filled.legs(question, encoder().query(QUESTIONS[0]), where=where, depth=COUNT)
    cosine = {key: score for key, score in cosines(NODES, question).items() if key in chosen}
    if engine == "edge with a graph":
        nearly_agree(legs["dense"], cosine)
    else:
        agree(legs["dense"], best(cosine, COUNT))
    agree_in_words(engine, legs["sparse"], best(bm25(NODES, QUESTIONS[0], chosen), COUNT), COUNT)


def test_the_samples_try_every_filter_on_both_sides() -> None:
    one_sided = {name for name in FILTERS if len(matched(name)) in (0, COUNT)}
    assert one_sided == {"a field nobody has", "not a field nobody has", "no conditions", "null"} | {
        "an empty list of alternatives"
    }


# ---------------------------------------------------------------------------------------------------------------------
# Legs


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("depth", [1, 10, 100])
def test_the_dense_leg_ranks_by_cosine(filled: ChunkStore, seed: int, depth: int) -> None:
    question = question_vector(seed)
    legs = filled.legs(question, None, where=None, depth=depth)
    agree(legs["dense"], best(cosines(NODES, question), depth))
    assert legs["sparse"] == []


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_sparse_leg_ranks_by_bm25(engine: str, filled: ChunkStore, question: str) -> None:
    legs = filled.legs(None, encoder().query(question), where=None, depth=50)
    agree_in_words(engine, legs["sparse"], best(bm25(NODES, question, {node.node_id for node in NODES}), 50), 50)
    assert legs["dense"] == []


@pytest.mark.parametrize("question", ["the of and", "", "zeppelin"])
def test_a_question_without_known_terms_leaves_the_sparse_leg_empty(filled: ChunkStore, question: str) -> None:
    legs = filled.legs(question_vector(1), encoder().query(question), where=None, depth=5)
    assert legs["sparse"] == []
    assert len(legs["dense"]) == 5


def test_a_question_may_be_a_plain_list(filled: ChunkStore) -> None:
    question = question_vector(5)
    plain = filled.legs([float(number) for number in question], None, where=None, depth=7)
    assert plain == filled.legs(question, None, where=None, depth=7)


def test_equal_scores_stand_in_the_order_of_ids(engine: str, store: ChunkStore) -> None:
    twins = [
        TextNode(
            id_=chunk_id(number), text="zebra crossing", embedding=[1.0] * DIMENSIONS, metadata={"document_id": "t"}
        )
        for number in range(1000, 1020)
    ]
    store.add(twins)
    legs = store.legs(np.ones(DIMENSIONS), encoder().query("zebra"), where=None, depth=20)
    ids = sorted(node.node_id for node in twins)
    assert [key for key, _ in legs["dense"]] == ids
    if engine in SHARDED:  # one word weighs otherwise in another shard
        assert sorted(key for key, _ in legs["sparse"]) == ids
        assert legs["sparse"] == sorted(legs["sparse"], key=lambda hit: (-hit[1], hit[0]))
    else:
        assert [key for key, _ in legs["sparse"]] == ids


def test_a_chunk_without_terms_is_found_by_its_vector_alone(store: ChunkStore) -> None:
    before = store.legs(None, encoder().query("violin"), where=None, depth=5)
    store.add([TextNode(id_=chunk_id(1000), text="the of and", embedding=[1.0] * DIMENSIONS)])
    legs = store.legs(np.ones(DIMENSIONS), encoder().query("violin"), where=None, depth=5)
    assert legs["dense"][0][0] == chunk_id(1000)
    assert chunk_id(1000) not in dict(legs["sparse"])
    assert [score for _, score in legs["sparse"]] == [score for _, score in before["sparse"]]  # several have one score


# ---------------------------------------------------------------------------------------------------------------------
# Reading


def test_payloads_keep_the_requested_order_and_omit_missing_ones(filled: ChunkStore) -> None:
    wanted = [chunk_id(9), chunk_id(99_999), chunk_id(2)]
    found = filled.fetch(wanted)
    assert list(found) == [chunk_id(9), chunk_id(2)]
    assert found[chunk_id(9)] == payload_of(NODES[9])


def test_a_scan_gives_every_chunk_once_in_the_order_of_ids(filled: ChunkStore) -> None:
    scanned = list(filled.scan())
    assert [key for key, _ in scanned] == sorted(node.node_id for node in NODES)
    assert dict(scanned) == {node.node_id: payload_of(node) for node in NODES}


def test_dense_vectors_are_given_by_id_without_those_that_are_missing(filled: ChunkStore) -> None:
    found = filled.vectors([chunk_id(9), chunk_id(99_999), chunk_id(2)])
    assert found.keys() == {chunk_id(9), chunk_id(2)}
    assert found[chunk_id(9)] == pytest.approx(NODES[9].embedding, abs=1e-6)


def test_asking_for_nothing_gives_nothing(filled: ChunkStore) -> None:
    assert filled.vectors([]) == {}
    assert filled.fetch([]) == {}
    assert filled.legs(None, None, where=None, depth=5) == {"dense": [], "sparse": []}


def test_values_of_a_field_are_counted(filled: ChunkStore) -> None:
    where = models.Filter(must=[field("metadata.year", range=models.Range(gte=2010))])
    answer = filled.client.facet(filled.collection_name, key="metadata.suite", facet_filter=where, limit=10, exact=True)
    suites = [node.metadata["metadata"].get("suite") for node in NODES if node.metadata["metadata"]["year"] >= 2010]
    assert {hit.value: hit.count for hit in answer.hits} == {
        suite: suites.count(suite) for suite in set(suites) - {None}
    }


def test_nothing_is_cut_off_beyond_ten_thousand_chunks(engine: str, tmp_path: Path) -> None:
    name = f"footnote_test_many_{uuid.uuid4().hex}"
    store = open_store(section_of(engine), tmp_path, name, dimensions=4)
    count = 10_050
    try:
        store.add([TextNode(id_=chunk_id(number), text="", embedding=[1.0, 0.0, 0.0, 1.0]) for number in range(count)])
        assert sum(1 for _ in store.scan()) == count
        assert len({node.node_id for node in store.get_nodes()}) == count
    finally:
        removed(store)


# ---------------------------------------------------------------------------------------------------------------------
# Changing


def test_a_chunk_of_the_same_id_is_replaced(store: ChunkStore) -> None:
    other = TextNode(id_=chunk_id(5), text="zebra", embedding=[1.0] * DIMENSIONS, metadata={"document_id": "new"})
    store.add([other])
    assert store.count() == COUNT
    assert store.fetch([chunk_id(5)]) == {chunk_id(5): {"document_id": "new", "text": "zebra"}}
    legs = store.legs(np.ones(DIMENSIONS), encoder().query("zebra"), where=None, depth=1)
    assert legs["dense"][0][0] == legs["sparse"][0][0] == chunk_id(5)


def test_removing_by_filter_says_how_many_went_and_leaves_the_rest(store: ChunkStore) -> None:
    where = models.Filter(must=[field("document_id", match=models.MatchAny(any=["doc/3", "doc/4"]))])
    assert store.remove(where) == 16
    assert store.remove(where) == 0
    gone = {node.node_id for node in NODES if node.metadata["document_id"] in ("doc/3", "doc/4")}
    assert {key for key, _ in store.scan()} == {node.node_id for node in NODES} - gone
    found = store.legs(question_vector(1), encoder().query(QUESTIONS[0]), where=None, depth=COUNT)
    assert not gone & {key for leg in found.values() for key, _ in leg}


def test_setting_fields_by_filter_touches_what_matches_and_keeps_other_keys(store: ChunkStore) -> None:
    where = models.Filter(must=[equals("document_id", "doc/6"), field("valid_from", range=models.Range(gte=2))])
    chosen = {key for key, _ in store.scan(where)}
    store.set_fields({"valid_to": 9}, where)
    stamped = {key: payload for key, payload in store.scan() if payload["valid_to"] == 9}
    assert set(stamped) == chosen != set()
    originals = {node.node_id: payload_of(node) for node in NODES}
    assert stamped == {key: {**originals[key], "valid_to": 9} for key in chosen}
    assert store.count(models.Filter(must=[field("valid_to", range=models.Range(gt=8, lt=10))])) == len(chosen)


def test_clearing_leaves_an_empty_collection_that_takes_chunks(store: ChunkStore) -> None:
    store.clear()
    assert store.count() == 0
    store.add(NODES[:3])
    assert store.count() == 3


def test_optimising_changes_no_answer(store: ChunkStore) -> None:
    def ask() -> dict[str, list[tuple[str, float]]]:
        return store.legs(question_vector(1), encoder().query(QUESTIONS[0]), where=FILTERS["either"][0], depth=30)

    before = ask()
    store.optimize()
    after = ask()
    agree(after["dense"], before["dense"])
    agree(after["sparse"], before["sparse"])
    assert store.unoptimized == 0


# ---------------------------------------------------------------------------------------------------------------------
# The collection


def test_the_graph_has_the_shape_that_the_profile_asks_for(engine: str, store: ChunkStore) -> None:
    if engine == "memory":
        pytest.skip("the memory mode has no graph")
    hnsw = store.client.get_collection(store.collection_name).config.hnsw_config
    assert (hnsw.m, hnsw.ef_construct) == (12, 64)


def test_enough_chunks_get_a_graph_when_the_collection_is_optimised(engine: str, filled: ChunkStore) -> None:
    if engine != "edge with a graph":
        pytest.skip("not asked for")
    info = filled.client.get_collection(filled.collection_name)
    assert info.indexed_vectors_count == 2 * COUNT  # of the dense and of the sparse vector
    assert filled.unoptimized == 0


def test_declared_fields_are_indexed_by_their_types(engine: str, store: ChunkStore) -> None:
    if engine == "memory":
        pytest.skip("the memory mode has no indexes")
    schema = store.client.get_collection(store.collection_name).payload_schema
    assert {name: info.data_type.value for name, info in schema.items()} == {
        "document_id": "keyword",
        "version": "integer",
        "valid_from": "integer",
        "valid_to": "integer",
        "metadata.suite": "keyword",
        "metadata.tags": "keyword",
        "metadata.year": "integer",
        "metadata.rating": "float",
        "metadata.public": "bool",
        "metadata.published": "datetime",
    }


def test_an_index_that_the_profile_has_come_to_want_is_missing_until_it_is_made(engine: str, tmp_path: Path) -> None:
    if engine == "memory":
        pytest.skip("the memory mode has no indexes")
    section, name = section_of(engine), f"footnote_test_indexes_{uuid.uuid4().hex}"
    store = open_store(section, tmp_path, name)
    try:
        assert store.missing_indexes() == []
        wanted = store._chunks._indexes
        others = {"metadata.shelf": wanted["metadata.suite"], "version": wanted["metadata.rating"]}
        store._chunks._indexes = wanted | others
        assert store.missing_indexes() == ["version", "metadata.shelf"]
        store.prepare()
        assert store.missing_indexes() == []
    finally:
        removed(store)


def test_vectors_of_another_length_are_refused_at_the_door(engine: str, tmp_path: Path) -> None:
    if engine == "memory":
        pytest.skip("the memory mode begins empty")
    name = f"footnote_test_lengths_{uuid.uuid4().hex}"
    open_store(section_of(engine), tmp_path, name).close()
    try:
        with pytest.raises(EmbeddingChanged, match="of 24 dimensions"):
            open_store(section_of(engine), tmp_path, name, dimensions=32)
    finally:
        removed(open_store(section_of(engine), tmp_path, name))
