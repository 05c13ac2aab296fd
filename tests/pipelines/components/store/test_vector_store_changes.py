"""Changes of a store and the shape of its collection: each engine must do as `chunk_samples` works out."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chunk_samples import COUNT, DIMENSIONS, FILTERS, chunk_id, encoder, equals, field, payload_of
from llama_index.core.schema import TextNode
from qdrant_client import models
from store_engines import NODES, QUESTIONS, agree, open_store, question_vector, removed, section_of

from pipelines.components.store.chunk_store import ChunkStore
from pipelines.components.store.payload_indexes import OWN_INDEXES, SCANNED_CHUNKS
from pipelines.errors import EmbeddingChanged, InvalidDocument
from pipelines.ingestion.metadata import MOST_LEVELS, checked_metadata
from pipelines.profile.sections.documents import MetadataSection

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


@pytest.mark.parametrize("within", [lambda value: {"k": value}, lambda value: [value]])
def test_metadata_as_deep_as_a_document_may_have_comes_back(store: ChunkStore, within: Callable[[Any], Any]) -> None:
    deep: Any = "x"
    for _ in range(MOST_LEVELS - 1):
        deep = within(deep)
    metadata = checked_metadata({"deep": deep}, MetadataSection())
    with pytest.raises(InvalidDocument, match=f"nests deeper than {MOST_LEVELS} levels"):
        checked_metadata({"deep": within(deep)}, MetadataSection())
    node = TextNode(text="zebra", embedding=[1.0] * DIMENSIONS, metadata={"metadata": metadata})
    (added,) = store.add([node])
    assert store.fetch([added])[added]["metadata"] == metadata


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


def _indexed(store: ChunkStore) -> dict[str, Any]:
    schema: dict[str, Any] = store.client.get_collection(store.collection_name).payload_schema
    return schema


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
    schema = _indexed(store)
    of_servers = {} if engine.startswith("edge") else {"start": "integer", "end": "integer", "facts.source": "keyword"}
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
    } | of_servers


def test_an_edge_collection_has_indexes_of_fields_from_the_size_on_that_is_slow_to_scan(tmp_path: Path) -> None:
    store = open_store(section_of("edge"), tmp_path, "small")
    try:
        store.add(NODES[:SCANNED_CHUNKS])
        assert set(_indexed(store)) == set(OWN_INDEXES)
        for where, predicate in FILTERS.values():
            matched = {n.node_id for n in NODES[:SCANNED_CHUNKS] if predicate(n.node_id, payload_of(n))}
            assert {key for key, _ in store.scan(where)} == matched
            legs = store.legs(question_vector(1), encoder().query(QUESTIONS[0]), where=where, depth=COUNT)
            assert {key for key, _ in legs["dense"]} == matched
        assert store.missing_indexes() == []
        store.add(NODES[SCANNED_CHUNKS : SCANNED_CHUNKS + 1])
        assert set(_indexed(store)) > set(OWN_INDEXES)
        assert store.missing_indexes() == []
    finally:
        store.close()


def test_an_index_that_the_profile_has_come_to_want_is_missing_until_it_is_made(engine: str, tmp_path: Path) -> None:
    if engine == "memory":
        pytest.skip("the memory mode has no indexes")
    section, name = section_of(engine), f"footnote_test_indexes_{uuid.uuid4().hex}"
    store = open_store(section, tmp_path, name)
    try:
        store.add(NODES[: SCANNED_CHUNKS + 1])
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
