from pathlib import Path
from typing import Any

import pytest
from llama_index.core import VectorStoreIndex

from pipelines import open_engine
from pipelines.errors import (
    DataFolderHeld,
    DocumentNotFound,
    InvalidFilter,
    InvalidRequest,
    StoreUnavailable,
)
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

PROFILE = """
tenant: kennel
metadata:
  fields:
    species: {type: keyword, values: [dog, cat]}
    topics: {type: keywords}
    year: {type: integer}
chunking: {size: 64, overlap: 16}
limits: {question_chars: [3, 200], file_bytes: 20000, content_chars: [10, 5000], top_k: 20}
"""

BEAGLE = """---
species: dog
topics: [exercise]
year: 2021
shelf: B4
---
# Beagle

## Exercise
Beagles need about an hour of exercise a day. A bored beagle howls.

## Food
Beagles gain weight easily, so meals must be measured.
"""
SIAMESE = "---\nspecies: cat\nyear: 2023\n---\n# Siamese\n\nSiamese cats talk a lot and like company.\n"


@pytest.fixture
def knowledge(tmp_path: Path) -> Path:
    folder = tmp_path / "knowledge"
    (folder / "dogs").mkdir(parents=True)
    (folder / "dogs" / "beagle.md").write_text(BEAGLE)
    (folder / "siamese.md").write_text(SIAMESE)
    return folder


def test_a_folder_is_ingested_and_found(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    results = engine.ingest_path(knowledge)
    assert [(result.document_id, result.state) for result in results] == [
        ("dogs/beagle.md", "ready"),
        ("siamese.md", "ready"),
    ]
    hit = engine.search("How long should a beagle walk each day?")[0]
    assert hit.document_id == "dogs/beagle.md"
    assert set(hit.scores) == {"dense", "sparse", "fused"}
    assert hit.metadata == {"species": "dog", "topics": ["exercise"], "year": 2021, "shelf": "B4"}
    assert hit.content == engine.content(hit.document_id)[hit.span.start : hit.span.end]


def test_every_quote_of_an_answer_is_verbatim_in_the_stored_text(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    answer = engine.answer("How much exercise does a beagle need?")
    assert "an hour of exercise a day" in answer.text
    assert (answer.model, answer.llm_generated, answer.degraded) == ("extractive", False, False)
    first = answer.citations[0]
    assert first.headings == ("Beagle", "Exercise")
    for citation in answer.citations:
        text = engine.content(citation.document_id, citation.version)
        assert text[citation.span.start : citation.span.end] == citation.quote
        assert f"[{citation.number}]" in answer.text


def test_a_footnote_names_the_line_where_its_block_begins(open_tenant: OpenTenant) -> None:
    text = "# Dogs\n\nDogs are kept.\n\n## Beagles\n\nBeagles need sixty minutes of exercise a day.\n"
    engine = open_tenant("tenant: t\n")
    engine.ingest([DocumentInput(text, "dogs.md")])
    (note,) = engine.answer("How much exercise does a beagle need?").citations
    assert text.splitlines()[(note.line or 0) - 1] == note.quote


def test_the_same_content_again_changes_nothing(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    before = engine.stats()
    again = engine.ingest_path(knowledge)
    assert {(result.state, result.snapshot) for result in again} == {("unchanged", before.snapshot)}
    after = engine.stats()
    assert (after.chunks, after.versions, after.snapshot) == (before.chunks, before.versions, before.snapshot)


def test_changed_content_replaces_the_old(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    (knowledge / "siamese.md").write_text(SIAMESE.replace("talk a lot", "sing opera"))
    (result,) = [result for result in engine.ingest_path(knowledge) if result.state == "ready"]
    assert (result.document_id, result.version) == ("siamese.md", 2)
    contents = [hit.content for hit in engine.search("What do Siamese cats do?", top_k=10)]
    assert any("sing opera" in content for content in contents)
    assert not any("talk a lot" in content for content in contents)
    assert "talk a lot" in engine.content("siamese.md", 1)
    for version in (0, 3, 2**64):
        with pytest.raises(DocumentNotFound):
            engine.content("siamese.md", version)


def test_filters_hold_on_every_leg(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    for mode in ("hybrid", "dense", "sparse"):
        found = engine.search("beagle exercise", filters={"species": "cat"}, mode=mode, top_k=10)
        assert {hit.document_id for hit in found} <= {"siamese.md"}
    assert len(engine.search("beagle exercise", filters={"year": {"gte": 2022}})) == 1


def test_undeclared_metadata_is_kept_but_cannot_be_filtered_on(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    with pytest.raises(InvalidFilter, match="shelf"):
        engine.search("beagle", filters={"shelf": "B4"})


def test_a_senseless_question_scores_clearly_lower(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    good = engine.search("How much exercise do beagles need?")[0].score
    senseless = engine.search("quarterly derivative tax filing in Liechtenstein")[0].score
    assert good > 2 * senseless


def test_scores_fall_and_the_first_hits_do_not_depend_on_how_many_are_asked(
    open_tenant: OpenTenant, knowledge: Path
) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    few, many = engine.search("beagle food", top_k=2), engine.search("beagle food", top_k=20)
    assert [hit.chunk_id for hit in few] == [hit.chunk_id for hit in many][:2]
    scores = [hit.score for hit in many]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_an_empty_result_says_why(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    empty = engine.answer("How much exercise does a beagle need?")
    assert (empty.abstained, empty.reason, empty.citations) == (True, "no_hits", ())
    engine.ingest_path(knowledge)
    filtered = engine.answer("How much exercise does a beagle need?", filters={"year": 1999})
    assert (filtered.abstained, filtered.reason) == (True, "filtered_out")
    too_weak = engine.answer("How much exercise does a beagle need?", filters={"year": 1999}, min_score=1.0)
    assert (too_weak.abstained, too_weak.reason) == (True, "no_hits")


def test_a_deleted_document_leaves_no_trace(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    chunks = len(engine.chunks("dogs/beagle.md"))
    gone = engine.delete("dogs/beagle.md")
    assert (gone.versions_removed, gone.chunks_removed, gone.cache_entries_removed) == (1, chunks, chunks)
    assert {hit.document_id for hit in engine.search("beagle exercise", top_k=20)} == {"siamese.md"}
    for read in (engine.document, engine.content, engine.chunks, engine.delete):
        with pytest.raises(DocumentNotFound):
            read("dogs/beagle.md")


def test_one_bad_document_fails_alone_and_says_why(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    good = DocumentInput(content="Beagles are small hounds.", document_id="good")
    bad = {
        "empty": DocumentInput(content="", document_id="empty"),
        "blank": DocumentInput(content=" \n ", document_id="blank"),
        "nul": DocumentInput(content=b"\x00\x01\x02" * 100, document_id="nul", source="nul.md"),
        "surrogate": DocumentInput(content="half \ud800 a character", document_id="surrogate"),
        "latin": DocumentInput(content=b"\xff\xfe\xfa broken \xc3\x28", document_id="latin", source="x.md"),
        "frontmatter": DocumentInput(
            content="---\na: [1\n---\nBody of text.", document_id="frontmatter", source="f.md"
        ),
        "species": DocumentInput(
            content="Hamsters run at night.", document_id="species", metadata={"species": "hamster"}
        ),
        "large": DocumentInput(content="x" * 20_001, document_id="large"),
        "long": DocumentInput(content="word " * 1_500, document_id="long"),
        "short": DocumentInput(content="Short.", document_id="short"),
        "nan": DocumentInput(content="A number of sorts.", document_id="nan", metadata={"n": float("nan")}),
        "object": DocumentInput(content="An object of sorts.", document_id="object", metadata={"o": object()}),
        "pdf": DocumentInput(content=b"%PDF-1.4 and nothing more", document_id="pdf", source="a.pdf"),
        "folder": DocumentInput(content=Path("/nonexistent/file.md"), document_id="folder"),
    }
    results = {result.document_id: result for result in engine.ingest([*bad.values(), good])}
    assert results["good"].state == "ready"
    for name in bad:
        assert results[name].state == "failed", name
        assert results[name].reason, name
        assert engine.document(name).state == "failed"
        assert "Traceback" not in str(results[name].reason)
    assert engine.stats().documents == 1
    assert engine.stats().failed == len(bad)


def test_a_changed_document_that_cannot_be_read_keeps_its_old_version(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest([DocumentInput(content="Beagles are small hounds.", document_id="a", source="a.md")])
    (failed,) = engine.ingest([DocumentInput(content=b"\x00" * 50, document_id="a", source="a.md")])
    assert failed.state == "failed"
    assert engine.search("small hounds")[0].content == "Beagles are small hounds."
    assert engine.document("a").reason


def test_the_same_document_twice_in_one_load_ends_with_the_last(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    first, second = (
        DocumentInput(content=f"The beagle is called {name}.", document_id="a") for name in ("Rex", "Bello")
    )
    results = engine.ingest([first, second])
    assert [result.version for result in results] == [1, 2]
    assert [hit.content for hit in engine.search("What is the beagle called?", top_k=5)] == [
        "The beagle is called Bello."
    ]


@pytest.mark.parametrize(
    ("query", "top_k"),
    [("", None), ("  ", None), ("x" * 100_000, None), ("beagle", 0), ("beagle", 10_000), ("\ud800abc", 1)],
)
def test_a_question_out_of_bounds_is_refused(open_tenant: OpenTenant, query: str, top_k: int | None) -> None:
    with pytest.raises(InvalidRequest):
        open_tenant(PROFILE).search(query, top_k=top_k)


def test_a_question_of_stop_words_alone_still_answers(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    assert engine.search("and the of", mode="sparse").hits == ()
    assert len(engine.search("and the of")) > 0


def test_data_survives_closing(open_tenant: OpenTenant, knowledge: Path, tmp_path: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    before = [hit.chunk_id for hit in engine.search("beagle exercise")]
    engine.close()
    again = open_tenant(PROFILE)
    assert [hit.chunk_id for hit in again.search("beagle exercise")] == before
    assert {result.state for result in again.ingest_path(knowledge)} == {"unchanged"}


def test_sync_follows_the_folder_and_leaves_other_documents_alone(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE + f"knowledge: {{path: {knowledge}}}\n")
    engine.ingest([DocumentInput(content="Pugs snore in their sleep.", document_id="given")])
    assert {result.state for result in engine.sync().results} == {"ready"}
    (knowledge / "siamese.md").unlink()
    (knowledge / "pug.md").write_text("Pugs have flat faces.")
    synced = engine.sync()
    assert {result.document_id: result.state for result in synced.results} == {
        "dogs/beagle.md": "unchanged",
        "pug.md": "ready",
    }
    assert [gone.document_id for gone in synced.removed] == ["siamese.md"]
    assert engine.stats().documents == 3


def test_a_file_that_was_ingested_by_hand_follows_its_folder_after_a_sync(
    open_tenant: OpenTenant, knowledge: Path
) -> None:
    engine = open_tenant(PROFILE + f"knowledge: {{path: {knowledge}}}\n")
    engine.ingest_path(knowledge)
    engine.sync()
    (knowledge / "siamese.md").unlink()
    assert [gone.document_id for gone in engine.sync().removed] == ["siamese.md"]


def test_a_tenant_that_is_open_is_shared_until_its_last_close(tmp_path: Path) -> None:
    profile = {"tenant": "kennel"}
    first = open_engine(profile, tmp_path)
    with open_engine(profile, tmp_path) as second:
        assert second is first
        second.ingest([DocumentInput(content="Pugs sleep long.", document_id="a")])
    assert len(first.search("pugs")) == 1
    first.close()
    with open_engine(profile, tmp_path) as again:
        assert again is not first
        assert again.stats().documents == 1


def test_a_folder_that_is_open_cannot_be_opened_with_another_profile(tmp_path: Path) -> None:
    with open_engine({"tenant": "kennel"}, tmp_path) as engine:
        with pytest.raises(DataFolderHeld, match=r"this process has opened .* close that engine first"):
            open_engine({"tenant": "kennel", "sparse": {"language": "german"}}, tmp_path)
        assert engine.stats().documents == 0


def test_a_profile_with_other_indexing_reprocesses_every_document(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    document = DocumentInput(content="Die Hunde schlafen in den Häusern.", document_id="a")
    engine.ingest([document])
    engine.close()
    german = open_tenant(PROFILE + "sparse: {language: german}\n")
    assert [result.state for result in german.ingest([document])] == ["ready"]
    assert len(german.search("Haus", mode="sparse")) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "hybird"}, 'mode: "hybird" is not one of hybrid, dense, sparse, did you mean "hybrid"?'),
        ({"top_k": "3"}, "top_k: must be a whole number"),
        ({"top_k": True}, "top_k: must be a whole number"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_refused(
    open_tenant: OpenTenant, arguments: dict[str, Any], message: str
) -> None:
    engine = open_tenant(PROFILE)
    with pytest.raises(InvalidRequest) as caught:
        engine.search("beagle", **arguments)
    assert str(caught.value) == message
    with pytest.raises(InvalidRequest, match="question: must be text"):
        engine.answer(3)  # type: ignore[arg-type]


def test_a_lone_surrogate_is_refused_as_document_and_cursor(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    for read in (engine.document, engine.content, engine.chunks, engine.delete):
        with pytest.raises(DocumentNotFound):
            read("\udcff")
    with pytest.raises(InvalidRequest):
        engine.documents(cursor="\udcff")


def test_a_catalogue_that_is_not_a_database_is_named(open_tenant: OpenTenant, tmp_path: Path) -> None:
    open_tenant(PROFILE).close()
    for file in (tmp_path / "data" / "kennel").glob("catalogue.sqlite*"):
        file.write_bytes(b"rubbish" * 1000)
    with pytest.raises(StoreUnavailable, match="not a database"):
        open_tenant(PROFILE)


def test_a_data_folder_that_cannot_be_made_is_named(open_tenant: OpenTenant, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable, match="the data folder"):
        open_tenant(PROFILE, data=tmp_path / "file")


def test_the_memory_engine_keeps_nothing(open_tenant: OpenTenant, knowledge: Path, tmp_path: Path) -> None:
    engine = open_tenant(PROFILE + "store: {engine: memory}\n")
    engine.ingest_path(knowledge)
    assert engine.search("beagle exercise")[0].document_id == "dogs/beagle.md"
    engine.close()
    assert not (tmp_path / "data").exists()
    assert open_tenant(PROFILE + "store: {engine: memory}\n").documents().total == 0


def test_tenants_with_equal_ids_in_one_folder_do_not_meet(open_tenant: OpenTenant) -> None:
    kennel, cattery = open_tenant(PROFILE), open_tenant(PROFILE.replace("kennel", "cattery"))
    kennel.ingest([DocumentInput(content="The secret of the kennel is Rex.", document_id="a")])
    cattery.ingest([DocumentInput(content="The secret of the cattery is Mia.", document_id="a")])
    assert [hit.content for hit in kennel.search("secret", top_k=10)] == ["The secret of the kennel is Rex."]
    kennel.delete("a")
    assert [hit.content for hit in cattery.search("secret", top_k=10)] == ["The secret of the cattery is Mia."]


def test_as_a_llama_index_query_engine_it_answers_with_citations(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    response = engine.query_engine(filters={"species": "dog"}).query("How much exercise does a beagle need?")
    assert "an hour of exercise" in str(response)
    assert response.metadata is not None
    quote = response.metadata["citations"][0]
    assert engine.content(quote["document_id"])[quote["span"]["start"] : quote["span"]["end"]] == quote["quote"]
    nodes = engine.retriever(top_k=2).retrieve("beagle")
    assert [node.node.node_id for node in nodes] == [hit.chunk_id for hit in engine.search("beagle", top_k=2)]


def test_llama_index_builds_an_index_on_the_tenants_parts(open_tenant: OpenTenant, knowledge: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest_path(knowledge)
    assert engine.llm is None
    index = VectorStoreIndex.from_vector_store(engine.vector_store, embed_model=engine.embedding)
    found = index.as_retriever(similarity_top_k=2).retrieve("How much exercise does a beagle need?")
    assert "exercise" in engine.synthesizer().synthesize("How much exercise does a beagle need?", found).response
