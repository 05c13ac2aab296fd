"""Reranker stages in whole searches, on the bundled model."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from llama_index.core.schema import NodeWithScore, QueryBundle

from pipelines.components.hit_nodes import node_to_hit
from pipelines.components.store.collection import StoreCollection
from pipelines.engine import Engine
from pipelines.errors import RerankerUnavailable, StoreUnavailable
from pipelines.types import DocumentInput, Hit, Mode, Note
from tests.conftest import OpenTenant

PROFILE = """
tenant: kennel
metadata:
  fields:
    species: {type: keyword, values: [dog, cat, bird]}
    topics: {type: keywords}
    published: {type: datetime}
chunking: {splitter: markdown, size: 32, overlap: 8}
"""
ALL = """
  - {type: mmr, diversity: 0.3, depth: 9}
  - {type: recency, field: published, half_life_days: 700, depth: 7}
  - {type: field_boost, field: section, weights: {Food: 0.5}, depth: 4}
  - {type: field_boost, field: species, weights: {cat: 1.5}}
"""
QUERY = "How much exercise does a beagle need?"
ANIMALS = {"beagle": "dog", "siamese": "cat", "parrot": "bird", "collie": "dog", "manx": "cat", "budgie": "bird"}


def documents() -> Iterator[DocumentInput]:
    """Documents of two sections each; no two are equally long, so that no two scores are equal."""
    for number, (name, species) in enumerate(ANIMALS.items()):
        exercise = f"## Exercise\n\nA {name} needs exercise every day" + " and play" * number
        food = f"## Food\n\nA {name} eats well" + " and drinks" * number
        text = f"# {name}\n\n{exercise}.\n\n{food}."
        metadata = {"species": species, "published": f"20{10 + number}-05-01"}
        yield DocumentInput(content=text, document_id=name, title=name, metadata=metadata, media_type="text/markdown")


def opened(open_tenant: OpenTenant, rerank: str, more: str = "", data: Path | None = None) -> Engine:
    engine = open_tenant(f"{PROFILE}{more}\nrerank: {rerank}\n", data)
    engine.ingest(documents())
    return engine


def names(hits: Iterable[Hit]) -> list[str]:
    return [hit.document_id for hit in hits]


def check_scores(hits: tuple[Hit, ...]) -> None:
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def check_same(nodes: Iterable[NodeWithScore], hits: tuple[Hit, ...]) -> None:
    """Compare hits but for the last bits of their scores, which a server need not give twice alike."""
    found = list(map(node_to_hit, nodes))
    assert [replace(hit, score=0.0, scores={}) for hit in found] == [replace(hit, score=0.0, scores={}) for hit in hits]
    for one, other in zip(found, hits, strict=True):
        assert one.score == pytest.approx(other.score)
        assert {name: stage.rank for name, stage in one.scores.items()} == {
            name: stage.rank for name, stage in other.scores.items()
        }


@pytest.mark.embedded  # two tenants of one name, each with its own folder
@pytest.mark.parametrize("engine", ["edge", "memory"])
@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse"])
def test_a_boosted_value_comes_first_and_the_scores_still_fall(
    open_tenant: OpenTenant, tmp_path: Path, engine: str, mode: str
) -> None:
    store = f"store: {{engine: {engine}}}\nretrieval: {{mode: {mode}}}"
    plain = opened(open_tenant, "[]", store, tmp_path / "plain").search(QUERY)
    boosted = opened(
        open_tenant, "[{type: field_boost, field: species, weights: {bird: 50}}]", store, tmp_path / "boosted"
    ).search(QUERY)
    assert plain[0].document_id == "beagle"
    assert boosted[0].metadata["species"] == "bird"
    assert boosted[0].score == pytest.approx(plain[0].score)  # the first place keeps its score
    assert [hit.scores["field_boost"].rank for hit in boosted] == [1, 2, 3, 4, 5]
    check_scores(boosted.hits)


@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse"])
@pytest.mark.parametrize("candidates", [3, 10, 100])
def test_the_first_hits_do_not_depend_on_how_many_are_asked_for(
    open_tenant: OpenTenant, mode: Mode, candidates: int
) -> None:
    rerank = ALL if candidates > 9 else "[{type: mmr}, {type: recency, field: published}]"
    engine = opened(open_tenant, rerank, f"retrieval: {{candidates: {candidates}, top_k: 3}}")
    deepest = engine.search(QUERY, top_k=30, mode=mode)
    check_scores(deepest.hits)
    assert len({hit.chunk_id for hit in deepest}) == len(deepest) >= 6
    for top_k in (1, 2, 3, 5, 10):
        found = engine.search(QUERY, top_k=top_k, mode=mode)
        assert [hit.chunk_id for hit in found] == [hit.chunk_id for hit in deepest][:top_k]
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in deepest][:top_k])


def test_every_stage_leaves_its_rank_and_score(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, ALL)
    found = engine.search(QUERY)
    stages = {"mmr", "recency", "field_boost", "field_boost_2"}
    assert set(found[0].scores) == {"dense", "sparse", "fused"} | stages
    assert found[0].scores["field_boost_2"].rank == 1
    assert [run.name for run in found.trace.stages] == ["mmr", "recency", "field_boost", "field_boost_2"]
    assert {len(run.before) for run in found.trace.stages} == {len(engine.search(QUERY, top_k=50))}


def test_the_newest_comes_first_where_age_weighs_enough(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, "[{type: recency, field: published, half_life_days: 30}]")
    found = engine.search("exercise every day", top_k=20)
    assert list(dict.fromkeys(names(found))) == ["budgie", "manx", "collie", "parrot", "siamese", "beagle"]


def test_what_is_read_of_the_past_is_ordered_as_it_was(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, ALL)
    before = engine.search(QUERY)
    metadata = {"species": "dog", "published": "2031-01-01"}
    engine.ingest([DocumentInput(content="Exercise for every beagle.", document_id="new", metadata=metadata)])
    assert engine.search(QUERY).hits != before.hits
    assert names(engine.search(QUERY, as_of=before.snapshot)) == names(before)  # BM25's rarities are those of now


def test_filters_hold_for_what_stages_read(open_tenant: OpenTenant) -> None:
    found = opened(open_tenant, ALL).search(QUERY, filters={"species": "cat"}, top_k=20)
    assert {hit.metadata["species"] for hit in found} == {"cat"}
    assert all(hit.metadata["species"] == "cat" for run in found.trace.stages for hit in run.before)


def test_an_empty_tenant_and_an_empty_leg_work(open_tenant: OpenTenant) -> None:
    engine = open_tenant(f"{PROFILE}\nrerank: {ALL}")
    assert engine.search(QUERY).hits == ()
    engine.ingest(documents())
    found = engine.search("zzzz")
    assert found.notes == (Note("sparse", "found nothing"),)
    assert len(found) == 5


def test_a_stage_that_fails_is_left_out_of_the_search_and_named(
    open_tenant: OpenTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(self: StoreCollection, ids: object) -> object:
        raise StoreUnavailable("the vector store", "it is away")

    plain = opened(open_tenant, "[]").search(QUERY)
    engine = open_tenant(f"{PROFILE.replace('kennel', 'other')}\nrerank: [{{type: mmr, diversity: 0.9}}]")
    engine.ingest(documents())
    monkeypatch.setattr(StoreCollection, "vectors", away)
    found = engine.search(QUERY)
    assert names(found) == names(plain)
    assert found.notes == (Note("mmr", "the vector store is not available: it is away"),)
    assert engine.answer(QUERY).citations


def test_llama_index_gets_the_hits_of_the_search(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, ALL)
    hits = engine.search(QUERY, top_k=6).hits
    check_same(engine.query_engine(top_k=6).retrieve(QueryBundle(QUERY)), hits)
    check_same(engine.query_engine(top_k=6).query(QUERY).source_nodes, hits)


def test_the_parts_one_by_one_give_the_hits_of_the_search(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, ALL)
    nodes = engine.retriever().retrieve(QUERY)
    assert len(nodes) > len(engine.search(QUERY))
    for postprocessor in engine.postprocessors():
        nodes = postprocessor.postprocess_nodes(nodes, query_str=QUERY)
    check_same(nodes, engine.search(QUERY).hits)


def test_a_retriever_returns_the_requested_number_of_nodes(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, "[{type: mmr, diversity: 0.5, depth: 3}]")
    asked = {count: len(engine.retriever(top_k=count).retrieve(QUERY)) for count in (1, 3, 7)}
    assert asked == {1: 3, 3: 3, 7: 7}


@pytest.mark.embedded  # two tenants of one name, each with its own folder
def test_the_stages_can_be_had_as_postprocessors(open_tenant: OpenTenant, tmp_path: Path) -> None:
    plain = opened(open_tenant, "[]", data=tmp_path / "plain")
    engine = opened(open_tenant, "[{type: mmr, diversity: 0.5, depth: 12}]", data=tmp_path / "mmr")
    diverse, _ = engine.postprocessors()
    nodes = diverse.postprocess_nodes(plain.retriever(top_k=12).retrieve(QUERY), query_str=QUERY)
    expected = engine.search(QUERY, top_k=12)
    assert [node_to_hit(node).content for node in nodes] == [hit.content for hit in expected]
    assert [node.score for node in nodes] == pytest.approx([hit.score for hit in expected])


def test_a_model_beside_the_profile_is_found_and_a_wrong_one_refused(open_tenant: OpenTenant, tmp_path: Path) -> None:
    (tmp_path / "models" / "ce").mkdir(parents=True)
    with pytest.raises(RerankerUnavailable, match="models/ce"):
        open_tenant(f"{PROFILE}\nrerank: [{{type: cross_encoder, model: models/ce}}]")
    with pytest.raises(RerankerUnavailable, match="no such folder"):
        open_tenant(f"{PROFILE}\nrerank: [{{type: cross_encoder, model: ./models/nowhere}}]")
