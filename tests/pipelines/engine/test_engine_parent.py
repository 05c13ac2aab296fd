"""Small chunks found and larger texts returned, in whole searches on Qdrant Edge and the bundled model."""

from pathlib import Path

import pytest

from pipelines.engine import Engine
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

HIERARCHICAL = """
tenant: kennel
chunking: {splitter: hierarchical, size: 24, overlap: 8, parents: [96]}
rerank: [{type: parent}]
"""
FLAT = "tenant: kennel\nchunking: {size: 24, overlap: 8}\nrerank: [{type: parent, sentences: 1}]\n"
BEAGLE = """# Beagle

## Exercise

Beagles need about an hour of exercise a day. A bored beagle howls at the neighbours. Long walks on a lead are best.
A beagle off the lead follows its nose. Older beagles are content with half an hour of exercise.

## Food

Beagles gain weight easily, so meals must be measured. Treats count as food too. A beagle steals whatever it smells.

## Health

The ears of a beagle need cleaning every week. Epilepsy is more frequent in beagles than in other dogs.
"""
QUESTION = "How much exercise does a beagle need in a day?"


def opened(open_tenant: OpenTenant, profile: str, text: str = BEAGLE) -> Engine:
    engine = open_tenant(profile)
    engine.ingest([offered(text), DocumentInput("Siamese cats talk a lot and like company.", "siamese")])
    return engine


def offered(text: str) -> DocumentInput:
    return DocumentInput(text, "beagle", title="Beagle", media_type="text/markdown")


def check_places(engine: Engine, as_of: int | None = None) -> None:
    for hit in engine.search(QUESTION, top_k=20, as_of=as_of):
        text = engine.content(hit.document_id, hit.version)
        assert hit.content == text[hit.span.start : hit.span.end]
    answer = engine.answer(QUESTION, as_of=as_of)
    assert answer.citations
    for citation in answer.citations:
        text = engine.content(citation.document_id, citation.version)
        assert citation.quote == text[citation.span.start : citation.span.end]


def test_a_merged_hit_holds_its_parent_and_is_known_by_its_best_chunk(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, HIERARCHICAL)
    best = engine.search(QUESTION)[0]
    chunk = next(chunk for chunk in engine.chunks("beagle") if chunk.chunk_id == best.chunk_id)
    assert best.span == chunk.parents[0] != chunk.span
    assert chunk.content in best.content
    assert (best.headings, best.scores["parent"].rank) == (("Beagle",), 1)
    found = engine.search(QUESTION, top_k=20)
    inside = [one for one in found if one.document_id == "beagle" and best.span.start <= one.span.start < best.span.end]
    assert inside == [best]
    check_places(engine)


def test_a_window_holds_the_sentences_around_the_chunk_in_its_section(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, FLAT)
    best = engine.search("Do treats count as food?")[0]
    chunk = next(chunk for chunk in engine.chunks("beagle") if chunk.chunk_id == best.chunk_id)
    assert len(best.content) > len(chunk.content)
    assert best.headings == ("Beagle", "Food")
    assert "Health" not in best.content
    check_places(engine)


@pytest.mark.parametrize("profile", [HIERARCHICAL, FLAT])
def test_what_was_read_in_the_past_is_enlarged_by_what_stood_there_then(open_tenant: OpenTenant, profile: str) -> None:
    engine = opened(open_tenant, profile)
    past = engine.stats().snapshot
    engine.ingest(
        [offered(BEAGLE.replace("A bored beagle howls at the neighbours.", "A tired beagle sleeps all night."))]
    )
    then, now = engine.search(QUESTION, as_of=past)[0], engine.search(QUESTION)[0]
    assert (then.version, now.version) == (1, 2)
    assert "howls" in then.content
    assert "sleeps" in now.content
    check_places(engine)
    check_places(engine, past)


@pytest.mark.parametrize("profile", [HIERARCHICAL, FLAT])
def test_the_first_hits_do_not_depend_on_how_many_are_asked(open_tenant: OpenTenant, profile: str) -> None:
    engine = opened(open_tenant, profile)
    many = engine.search(QUESTION, top_k=20).hits
    assert engine.search(QUESTION, top_k=2).hits == many[:2]
    scores = [hit.score for hit in many]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(("extractors", "said"), [("[headings]", ("Beagle", "Exercise")), ("[]", ())])
def test_a_citation_has_the_headings_above_its_sentence(
    open_tenant: OpenTenant, extractors: str, said: tuple[str, ...]
) -> None:
    engine = opened(open_tenant, f"{HIERARCHICAL}extractors: {extractors}", f"All about a breed.\n\n{BEAGLE}")
    assert engine.search(QUESTION)[0].headings == ()  # the parent begins before the first heading
    citation = engine.answer(QUESTION).citations[0]
    assert "an hour of exercise" in citation.quote
    assert citation.headings == said


def test_chunks_know_their_parents_in_the_store_of_the_next_model_too(open_tenant: OpenTenant) -> None:
    before = opened(open_tenant, HIERARCHICAL)
    parents = [chunk.parents for chunk in before.chunks("beagle")]
    before.close()
    engine = open_tenant(f"{HIERARCHICAL}embedding: {{quantize: none}}\n")
    engine.reembed()
    assert [chunk.parents for chunk in engine.chunks("beagle")] == parents
    assert any(parents)
    assert engine.document("beagle").version == 1


def test_the_query_engine_of_llama_index_quotes_inside_the_parent(open_tenant: OpenTenant) -> None:
    engine = opened(open_tenant, HIERARCHICAL)
    response = engine.query_engine().query(QUESTION)
    text = engine.content("beagle")
    for citation in response.metadata["citations"]:
        assert text[citation["span"]["start"] : citation["span"]["end"]] == citation["quote"]


@pytest.mark.parametrize("splitter", ["hierarchical", "semantic"])
def test_another_splitter_makes_documents_stale_and_splits_them_again(
    open_tenant: OpenTenant, tmp_path: Path, splitter: str
) -> None:
    plain = "tenant: kennel\nchunking: {size: 24, overlap: 8}\n"
    with_stage = (
        f"tenant: kennel\nchunking: {{splitter: {splitter}, size: 24, overlap: 8}}\nrerank: [{{type: parent}}]\n"
    )
    opened(open_tenant, plain).close()
    engine = open_tenant(with_stage)
    assert engine.stats().stale == 2
    assert not any(hit.parents for hit in engine.search(QUESTION))  # chunks of the former cut are returned as they are
    engine.reembed()
    assert engine.stats().stale == 0
    assert any(chunk.parents for chunk in engine.chunks("beagle")) is (splitter == "hierarchical")
    assert engine.doctor().healthy
    check_places(engine)


def test_another_model_sees_other_topics_so_semantic_documents_become_stale(open_tenant: OpenTenant) -> None:
    profile = "tenant: kennel\nchunking: {splitter: semantic, size: 24, overlap: 8}\n"
    opened(open_tenant, profile).close()
    engine = open_tenant(profile + "embedding: {quantize: none}\n")
    engine.reembed()
    assert (engine.stats().stale, {document.version for document in engine.documents().documents}) == (0, {2})
    engine.close()
    assert (
        open_tenant(profile.replace("overlap: 8", "overlap: 8, percentile: 70") + "embedding: {quantize: none}\n")
        .stats()
        .stale
        == 2
    )


def test_keys_a_splitter_ignores_make_no_document_stale(open_tenant: OpenTenant) -> None:
    plain = "tenant: kennel\nchunking: {size: 24, overlap: 8}\n"
    opened(open_tenant, plain).close()
    assert open_tenant(plain.replace("overlap: 8", "overlap: 8, percentile: 70")).stats().stale == 0
