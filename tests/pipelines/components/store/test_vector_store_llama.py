"""`ChunkStore` as LlamaIndex's own code uses it."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from chunk_samples import DIMENSIONS, FIELDS, NEVER, chunk_id, encoder, equals, payload_of, sample_nodes
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.indices.vector_store import VectorIndexRetriever
from llama_index.core.schema import MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryResult,
)
from llama_index.core.vector_stores.types import VectorStoreQueryMode
from qdrant_client import models

from pipelines.components.store.chunk_nodes import convex_fusion
from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.errors import InvalidRequest
from pipelines.profile.sections.storage import EdgeStore, MemoryStore

NODES = sample_nodes(60)
FEDSUITE = MetadataFilters(filters=[MetadataFilter(key="suite", value="fedsuite")])


class HashedWords(BaseEmbedding):
    """The sum of a vector for each word: texts that share words are near each other."""

    def _get_text_embedding(self, text: str) -> list[float]:
        words = [int(hashlib.sha256(word.encode()).hexdigest()[:8], 16) for word in text.lower().split()]
        vectors = [np.random.default_rng(seed).normal(size=DIMENSIONS) for seed in words] or [np.ones(DIMENSIONS)]
        total = np.sum(vectors, axis=0)
        return [float(number) for number in total / np.linalg.norm(total)]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


@pytest.fixture(params=["edge", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChunkStore]:
    section = EdgeStore() if request.param == "edge" else MemoryStore(engine="memory")
    made = build_vector_store(
        section, folder=tmp_path, collection="c", dimensions=DIMENSIONS, fields=FIELDS, encoder=encoder()
    )
    made.add(NODES)
    yield made
    made.close()


def ask(store: ChunkStore, mode: VectorStoreQueryMode = VectorStoreQueryMode.DEFAULT, **query: object) -> list[str]:
    given = {"query_embedding": NODES[3].embedding, "query_str": "reconciliation ledger", "similarity_top_k": 5}
    return list(store.query(VectorStoreQuery(mode=mode, **(given | query))).ids)


# ---------------------------------------------------------------------------------------------------------------------
# Index and retriever


def test_an_index_over_the_store_retrieves_what_was_inserted(store: ChunkStore) -> None:
    index = VectorStoreIndex.from_vector_store(store, embed_model=HashedWords(model_name="hashed"))
    index.insert_nodes([TextNode(id_=chunk_id(900), text="the quick zebra crosses a savanna")])
    for mode in ("default", "sparse", "hybrid"):
        hits = index.as_retriever(similarity_top_k=2, vector_store_query_mode=mode).retrieve("zebra savanna crosses")
        assert hits[0].node.node_id == chunk_id(900)
        assert hits[0].node.text == "the quick zebra crosses a savanna"


def test_a_retriever_filters_by_declared_fields_and_by_ids(store: ChunkStore) -> None:
    index = VectorStoreIndex.from_vector_store(store, embed_model=HashedWords(model_name="hashed"))
    hits = index.as_retriever(similarity_top_k=50, filters=FEDSUITE).retrieve("ledger")
    suites = [node.metadata["metadata"].get("suite") for node in NODES]
    assert len(hits) == suites.count("fedsuite") > 0
    assert {hit.node.metadata["metadata"]["suite"] for hit in hits} == {"fedsuite"}
    some = [NODES[1].node_id, NODES[2].node_id]
    hits = VectorIndexRetriever(index, similarity_top_k=50, node_ids=some).retrieve("ledger")
    assert {hit.node.node_id for hit in hits} == set(some)
    hits = index.as_retriever(similarity_top_k=50, doc_ids=["doc/2"]).retrieve("ledger")
    assert {hit.node.metadata["document_id"] for hit in hits} == {"doc/2"}
    assert len(hits) == 8


def test_an_asynchronous_retriever_answers_too(store: ChunkStore) -> None:
    index = VectorStoreIndex.from_vector_store(store, embed_model=HashedWords(model_name="hashed"))
    retriever = index.as_retriever(similarity_top_k=3)
    assert [hit.node.node_id for hit in asyncio.run(retriever.aretrieve("ledger"))] == [
        hit.node.node_id for hit in retriever.retrieve("ledger")
    ]


def test_asynchronous_methods_do_what_the_others_do(store: ChunkStore) -> None:
    async def use() -> int:
        await store.async_add([TextNode(id_=chunk_id(900), text="x", embedding=[1.0] * DIMENSIONS)])
        nodes = len(await store.aget_nodes())
        await store.adelete("doc/0")
        await store.adelete_nodes([chunk_id(900)])
        return nodes

    assert asyncio.run(use()) == 61
    assert store.count() == 52
    asyncio.run(store.aclear())
    assert store.count() == 0


# ---------------------------------------------------------------------------------------------------------------------
# Nodes


def test_a_node_comes_back_with_its_text_metadata_span_and_document(store: ChunkStore) -> None:
    (node,) = store.get_nodes([NODES[9].node_id])
    assert isinstance(node, TextNode)
    assert payload_of(node) == payload_of(NODES[9])
    assert (node.start_char_idx, node.end_char_idx) == (90, 99)
    assert node.ref_doc_id == "doc/1"
    assert node.embedding == pytest.approx(NODES[9].embedding, abs=1e-6)


def test_machine_readable_fields_are_hidden_from_language_models(store: ChunkStore) -> None:
    (node,) = store.get_nodes([NODES[9].node_id])
    reported = node.get_content(MetadataMode.LLM)
    assert "Title 1" in reported
    assert str(NEVER) not in reported
    assert "undeclared" not in reported


def test_a_plain_llamaindex_node_belongs_to_its_document(store: ChunkStore) -> None:
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="their document")}
    store.add([TextNode(id_=chunk_id(900), text="x", embedding=[1.0] * DIMENSIONS, relationships=source)])
    (node,) = store.get_nodes([chunk_id(900)])
    assert node.ref_doc_id == "their document"
    store.delete("their document")
    assert store.get_nodes([chunk_id(900)]) == []
    assert store.count() == 60


def test_nodes_are_stored_once_and_not_as_json_again(store: ChunkStore) -> None:
    payload = store.fetch([NODES[0].node_id])[NODES[0].node_id]
    assert not any(key.startswith("_node") for key in payload)
    assert payload == payload_of(NODES[0])


def test_the_title_is_found_by_words_when_it_is_embedded(store: ChunkStore) -> None:
    node = TextNode(id_=chunk_id(900), text="body", embedding=[1.0] * DIMENSIONS, metadata={"title": "Zebra"})
    hidden = TextNode(
        id_=chunk_id(901),
        text="body",
        embedding=[1.0] * DIMENSIONS,
        metadata={"title": "Zebra"},
        excluded_embed_metadata_keys=["title"],
    )
    store.add([node, hidden])
    assert ask(store, VectorStoreQueryMode.SPARSE, query_str="zebra") == [chunk_id(900)]


# ---------------------------------------------------------------------------------------------------------------------
# Getting and deleting


def test_ids_and_filters_together_mean_both(store: ChunkStore) -> None:
    some = [node.node_id for node in NODES[:8]]
    either = MetadataFilters(
        filters=[MetadataFilter(key="suite", value="fedsuite"), MetadataFilter(key="year", value=2001)],
        condition=FilterCondition.OR,
    )
    fitting = {
        node.node_id
        for node in NODES[:8]
        if node.metadata["metadata"].get("suite") == "fedsuite" or node.metadata["metadata"]["year"] == 2001
    }
    assert {node.node_id for node in store.get_nodes(some, either)} == fitting != set()
    store.delete_nodes(some, either)
    assert store.count() == 60 - len(fitting)


def test_filters_nest_and_name_undeclared_keys_as_they_are(store: ChunkStore) -> None:
    filters = MetadataFilters(
        filters=[
            MetadataFilter(key="valid_from", value=2, operator=FilterOperator.GTE),
            MetadataFilters(
                filters=[
                    MetadataFilter(key="tags", value=["red", "green"], operator=FilterOperator.IN),
                    MetadataFilter(key="rating", value=4.0, operator=FilterOperator.GT),
                ],
                condition=FilterCondition.OR,
            ),
        ]
    )
    expected = {
        node.node_id
        for node in NODES
        if node.metadata["valid_from"] >= 2
        and (
            {"red", "green"} & set(node.metadata["metadata"].get("tags", []))
            or node.metadata["metadata"].get("rating", 0) > 4.0
        )
    }
    assert {node.node_id for node in store.get_nodes(filters=filters)} == expected != set()


def test_a_limit_cuts_and_no_limit_does_not(store: ChunkStore) -> None:
    assert len(store.get_nodes(limit=7)) == 7
    assert len(store.get_nodes()) == 60


def test_deleting_nothing_in_particular_is_refused(store: ChunkStore) -> None:
    with pytest.raises(InvalidRequest, match=r"clear\(\) removes everything"):
        store.delete_nodes()
    assert store.count() == 60


def test_deleting_a_document_takes_all_its_versions(store: ChunkStore) -> None:
    store.delete("doc/2")
    assert store.count(models.Filter(must=[equals("document_id", "doc/2")])) == 0
    assert store.count() == 52


# ---------------------------------------------------------------------------------------------------------------------
# Modes


def test_each_mode_asks_what_it_says(store: ChunkStore) -> None:
    legs = store.legs(NODES[3].embedding, encoder().query("reconciliation ledger"), where=None, depth=5)
    assert ask(store) == [key for key, _ in legs["dense"]]
    assert ask(store, VectorStoreQueryMode.SPARSE) == [key for key, _ in legs["sparse"]]
    assert ask(store, VectorStoreQueryMode.SPARSE, query_embedding=None) == [key for key, _ in legs["sparse"]]
    hybrid = set(ask(store, VectorStoreQueryMode.HYBRID, hybrid_top_k=10))
    assert hybrid == {key for leg in legs.values() for key, _ in leg}


def test_alpha_is_the_dense_legs_share(store: ChunkStore) -> None:
    assert ask(store, VectorStoreQueryMode.HYBRID, alpha=1.0)[0] == ask(store)[0]
    assert ask(store, VectorStoreQueryMode.HYBRID, alpha=0.0)[0] == ask(store, VectorStoreQueryMode.SPARSE)[0]


def test_a_mode_that_lacks_what_it_needs_is_refused_and_not_answered_otherwise(store: ChunkStore) -> None:
    for mode in (VectorStoreQueryMode.SPARSE, VectorStoreQueryMode.HYBRID):
        with pytest.raises(InvalidRequest, match="query_str"):
            ask(store, mode, query_str=None)
    for mode in (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.HYBRID):
        with pytest.raises(InvalidRequest, match="query_embedding"):
            ask(store, mode, query_embedding=None)
    with pytest.raises(InvalidRequest, match="mmr is not one of default, sparse, hybrid"):
        ask(store, VectorStoreQueryMode.MMR)


def test_qdrants_own_filters_may_be_given(store: ChunkStore) -> None:
    where = models.Filter(must=[equals("document_id", "doc/1")])
    query = VectorStoreQuery(query_embedding=NODES[3].embedding, similarity_top_k=50)
    assert len(store.query(query, qdrant_filters=where).ids) == 8
    with pytest.raises(InvalidRequest, match="shard_identifier"):
        store.query(query, shard_identifier="x")


# ---------------------------------------------------------------------------------------------------------------------
# Fusion


def result(**scores: float) -> VectorStoreQueryResult:
    nodes = [TextNode(id_=name, text=name) for name in scores]
    return VectorStoreQueryResult(nodes=nodes, similarities=list(scores.values()), ids=list(scores))


def fused(dense: VectorStoreQueryResult, sparse: VectorStoreQueryResult, **given: float) -> dict[str, float]:
    both = convex_fusion(dense, sparse, **({"alpha": 0.5, "top_k": 10} | given))
    assert [node.node_id for node in both.nodes] == both.ids
    return dict(zip(both.ids, both.similarities, strict=True))


def test_fusion_adds_the_legs_shares() -> None:
    assert fused(result(a=0.9, b=0.5, c=0.1), result(c=12.0, a=4.0), alpha=0.75) == pytest.approx(
        {"a": 0.75, "b": 0.375, "c": 0.25}
    )


def test_a_single_hit_of_words_does_not_bring_its_raw_score() -> None:
    assert fused(result(a=0.9, b=0.5), result(b=12.0)) == pytest.approx({"a": 0.5, "b": 0.5})


def test_an_empty_leg_contributes_nothing_and_leaves_the_other_its_full_scale() -> None:
    assert fused(result(a=0.9, b=0.5), result()) == pytest.approx({"a": 1.0, "b": 0.0})
    assert fused(result(), result()) == {}


def test_fusion_cuts_to_the_number_asked_and_ties_fall_in_the_order_of_ids() -> None:
    assert list(fused(result(b=0.5, a=0.5), result(), top_k=1)) == ["a"]
