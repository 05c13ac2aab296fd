"""The legs of a search, on a real store and the bundled model."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import log
from pathlib import Path

import pytest
from llama_index.core.schema import TextNode
from qdrant_client import models

from pipelines.components.embedding import Embedder, build_embedding, models_folder
from pipelines.components.embedding.base import Vectors
from pipelines.components.hit_nodes import nodes_to_hits
from pipelines.components.search_query import SearchQuery
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.errors import EmbeddingUnavailable, StoreUnavailable
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from pipelines.profile.sections.retrieval import Retrieval, SparseSection
from pipelines.profile.sections.storage import EdgeStore
from pipelines.query.finder import Finder
from pipelines.types import Hit, Mode

TEXTS = (
    "Beagles need about an hour of exercise a day.",
    "Siamese cats talk a lot and like company.",
    "A collie herds sheep from morning to evening.",
    "Pugs snore, and they should not run in the heat.",
    "The Manx is a cat without a tail.",
    "Ida Holm, the founder of the kennel, kept spaniels.",
)
QUESTIONS = ("How much exercise does a beagle need?", "Which cat has no tail?", "Who herds sheep?", "snoring dogs")
QUERY = SearchQuery(query_str=QUESTIONS[0], top_k=5)


class Away:
    """A model that does not answer."""

    name, dimensions, fingerprint = "away", 384, "away"
    query_prefix = text_prefix = ""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        raise EmbeddingUnavailable("the model", "it is away")


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return build_embedding(HuggingFaceEmbedding(), models_folder())


@pytest.fixture
def store(tmp_path: Path, embedder: Embedder) -> Iterator[ChunkStore]:
    opened = build_vector_store(
        EdgeStore(),
        folder=tmp_path,
        collection="c",
        dimensions=embedder.dimensions,
        fields={},
        encoder=Bm25Encoder(SparseSection()),
    )
    opened.add([node(number, embedder) for number in range(len(TEXTS))])
    yield opened
    opened.close()


def node(number: int, embedder: Embedder) -> TextNode:
    metadata = {"document_id": f"d{number}", "version": 1, "title": "", "source": "", "metadata": {}, "start": 0}
    metadata |= {"end": len(TEXTS[number]), "page": None, "page_label": None, "headings": [], "index": 0}
    return TextNode(
        id_=f"00000000-0000-0000-0000-{number:012}",
        text=TEXTS[number],
        embedding=embedder.vectors([TEXTS[number]])[0].tolist(),
        metadata=metadata,
        excluded_embed_metadata_keys=list(metadata),
    )


def finder(store: ChunkStore, embedder: Embedder) -> Finder:
    return Finder(store, embedder, store.encoder, Retrieval())


def hits(searching: Finder, query: SearchQuery) -> list[Hit]:
    return nodes_to_hits(searching.candidates(query))


def test_a_hybrid_search_has_the_legs_that_each_mode_has_alone(store: ChunkStore, embedder: Embedder) -> None:
    searching = finder(store, embedder)
    where = models.Filter(
        must_not=[models.FieldCondition(key="document_id", match=models.MatchValue(value="d1"))],
    )
    for question in QUESTIONS:
        query = replace(QUERY, query_str=question, where=where)
        both = {hit.document_id: hit.scores for hit in hits(searching, query)}
        assert "d1" not in both
        for leg in ("dense", "sparse"):
            alone = {hit.document_id: hit.scores[leg] for hit in hits(searching, replace(query, mode=leg))}
            assert {name: scores[leg] for name, scores in both.items() if leg in scores} == alone != {}


def test_a_question_for_a_maker_finds_what_is_said_in_other_words(store: ChunkStore, embedder: Embedder) -> None:
    asked = replace(QUERY, query_str="Who created it?", mode="sparse")
    assert [hit.document_id for hit in hits(finder(store, embedder), asked)] == ["d5"]
    assert hits(finder(store, embedder), replace(asked, query_str="Who can create it?")) == []


def test_a_question_that_comes_as_a_vector_has_the_dense_leg_alone(store: ChunkStore, embedder: Embedder) -> None:
    searching = finder(store, embedder)
    query = replace(QUERY, query_str="", vector=embedder.query_vector(QUESTIONS[1]))
    assert hits(searching, query)[0].document_id == "d4"
    assert list(query.trace.legs) == ["dense"]
    assert searching.deeper(query, depth=100) == query.trace.legs


def test_questions_that_come_together_are_answered_as_one_by_one(store: ChunkStore, embedder: Embedder) -> None:
    searching = finder(store, embedder)
    queries = [replace(QUERY, query_str=question) for question in QUESTIONS * 10]
    with ThreadPoolExecutor(8) as callers:
        together = list(callers.map(lambda query: hits(searching, query), queries))
    assert together == [hits(searching, query) for query in queries]


@pytest.mark.parametrize("mode", ["hybrid", "dense"])
def test_an_unavailable_model_is_an_error_when_needed(store: ChunkStore, mode: Mode) -> None:
    searching = finder(store, Embedder(Away()))
    with pytest.raises(EmbeddingUnavailable, match="it is away"):
        searching.candidates(replace(QUERY, mode=mode))
    assert hits(searching, replace(QUERY, mode="sparse"))[0].document_id == "d0"


@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse"])
def test_a_store_that_is_closed_is_an_error_in_every_mode(store: ChunkStore, embedder: Embedder, mode: Mode) -> None:
    store.close()
    with pytest.raises(StoreUnavailable):
        finder(store, embedder).candidates(replace(QUERY, mode=mode))


def test_the_rarity_of_a_word_is_its_inverse_document_frequency(
    store: ChunkStore, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = Finder(store, embedder, store.encoder, Retrieval())
    assert finder.rarity("beagle", None) == pytest.approx(log(1 + 5.5 / 1.5))
    assert finder.rarity("cats", None) == pytest.approx(log(1 + 4.5 / 2.5))
    assert finder.rarity("tower", None) == finder.rarity("the", None) == 0.0
    brands = Finder(store, embedder, store.encoder, Retrieval(), explain=lambda word: f"{word} (beagle)")
    assert brands.rarity("Snoopy", None) == finder.rarity("beagle", None), "a word that stands for another one"
    assert brands.rarity("cats", None) == finder.rarity("cats", None)
    monkeypatch.setattr("pipelines.query.finder._COUNTED", 2)
    assert finder.rarity("cats", None) == pytest.approx(log(1 + 4.5 / 2.5), abs=0.5), "read off the best score"


def test_in_a_scope_a_word_is_as_rare_as_among_the_chunks_that_are_seen(
    store: ChunkStore, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = Finder(store, embedder, store.encoder, Retrieval())
    seen = models.FieldCondition(key="document_id", match=models.MatchAny(any=["d0", "d2"]))
    where = models.Filter(must=[seen])
    assert finder.rarity("beagle", where) == pytest.approx(log(1 + 1.5 / 1.5))
    monkeypatch.setattr("pipelines.query.finder._COUNTED", 1)
    assert finder.rarity("beagle", where, scoped=True) == pytest.approx(log(1 + 1.5 / 1.5))
    assert finder.rarity("beagle", where) == finder.rarity("beagle", None) > log(2), "read off the best score"


@pytest.mark.parametrize("mode", ["hybrid", "sparse", "dense"])
def test_asking_for_more_changes_no_first_hit_where_all_are_as_good(
    store: ChunkStore, embedder: Embedder, mode: Mode
) -> None:
    vector = embedder.vectors(["Whippets race."])[0].tolist()
    like = node(0, embedder)
    alike = [
        TextNode(
            id_=f"00000000-0000-0000-0001-{number * 7919 % 300:012}",
            text="Whippets race.",
            embedding=vector,
            metadata={**like.metadata, "document_id": f"w{number}"},
            excluded_embed_metadata_keys=like.excluded_embed_metadata_keys,
        )
        for number in range(300)
    ]
    store.add(alike)
    searching = Finder(store, embedder, store.encoder, Retrieval(candidates=100))
    query = SearchQuery(query_str="racing whippets", top_k=10, mode=mode)
    few = [hit.chunk_id for hit in hits(searching, query)]
    assert len(few) == 10
    for top_k in (100, 101, 150, 290):
        more = hits(searching, replace(query, top_k=top_k))
        assert [hit.chunk_id for hit in more[:10]] == few
        assert len({hit.chunk_id for hit in more}) == len(more) == top_k
