"""One suite for every engine: each must give what `chunk_samples` works out in plain Python."""

import uuid
from pathlib import Path

import numpy as np
import pytest
from chunk_samples import (
    COUNT,
    DIMENSIONS,
    FILTERS,
    best,
    bm25,
    chunk_id,
    cosines,
    encoder,
    field,
    payload_of,
)
from llama_index.core.schema import TextNode
from qdrant_client import models
from store_engines import NODES, QUESTIONS, agree, open_store, question_vector, removed, section_of

from pipelines.components.store.chunk_store import ChunkStore
from tests.fakes.qdrant_servers import SHARDED


def matched(name: str) -> set[str]:
    _, predicate = FILTERS[name]
    return {node.node_id for node in NODES if predicate(node.node_id, payload_of(node))}


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


def test_an_id_in_another_spelling_gives_the_payload_under_the_stored_one(filled: ChunkStore) -> None:
    wanted = chunk_id(9)
    for spelling in (wanted.upper(), wanted.replace("-", "")):
        assert filled.fetch([spelling, chunk_id(2)]) == filled.fetch([wanted, chunk_id(2)])


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
