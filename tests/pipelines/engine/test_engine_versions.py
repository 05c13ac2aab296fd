"""Versions as a tenant's users meet them: history, deletions, offers that overtake each other, and stale documents."""

import threading
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import models

from pipelines import Engine
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.errors import CatalogueMissing, DocumentNotFound, EmbeddingUnavailable, InvalidRequest, StoreUnavailable
from pipelines.ingestion.pipeline import _stamped
from pipelines.ingestion.prepare import Prepared
from pipelines.ingestion.visibility import retire, unended
from pipelines.types import DocumentInput, IngestResult
from tests.conftest import OpenTenant
from tests.fakes.embedding_server import embedding_server

PROFILE = "tenant: kennel\nmetadata: {fields: {year: {type: integer}}}\n"


def note(text: str, document_id: str = "a", **more: object) -> DocumentInput:
    return DocumentInput(content=text, document_id=document_id, **more)  # type: ignore[arg-type]


def ingest(engine: Engine, *documents: DocumentInput) -> IngestResult:
    return engine.ingest(documents)[-1]


def found(engine: Engine, query: str = "small hounds", as_of: int | None = None) -> set[str]:
    return {hit.content for hit in engine.search(query, top_k=10, as_of=as_of)}


def stored(engine: Engine) -> int:
    return engine._parts.indexes.current.store.count(None)


def test_every_read_answers_from_the_past_when_asked_to(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    first = ingest(engine, note("Beagles are small hounds.")).snapshot
    second = ingest(engine, note("Beagles are merry hounds.")).snapshot
    gone = engine.delete("a").snapshot
    assert [found(engine, as_of=moment) for moment in (0, first, second, gone)] == [
        set(),
        {"Beagles are small hounds."},
        {"Beagles are merry hounds."},
        set(),
    ]
    assert engine.content("a", as_of=first) == "Beagles are small hounds."
    assert [hit.version for hit in engine.chunks("a", as_of=second)] == [2]
    answer = engine.answer("What are beagles?", as_of=first)
    assert (answer.snapshot, answer.citations[0].quote) == (first, "Beagles are small hounds.")
    with pytest.raises(DocumentNotFound):
        engine.content("a")


@pytest.mark.parametrize("as_of", [-1, 2])
def test_a_point_that_is_not_in_history_is_refused(open_tenant: OpenTenant, as_of: int) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds."))
    with pytest.raises(InvalidRequest, match=f"as_of: {as_of} is not a snapshot; the newest is 1"):
        engine.search("hounds", as_of=as_of)


def test_versions_are_listed_with_what_is_known_of_each(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds.", metadata={"year": 2020}))
    ingest(engine, note("Beagles are small hounds.", metadata={"year": 2021}))
    newest, oldest = engine.versions("a")
    assert (newest.version, newest.current, newest.state, newest.metadata) == (2, True, "ready", {"year": 2021})
    assert (oldest.version, oldest.ended, oldest.state) == (1, newest.snapshot, "superseded")
    assert oldest.ended_at is not None
    assert oldest.sha256 != newest.sha256


def test_a_receipt_counts_what_was_removed_and_what_remains(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds."))
    ingest(engine, note("Beagles are merry hounds."))
    receipt = engine.delete("a")
    assert (receipt.versions_removed, receipt.chunks_removed, receipt.cache_entries_removed) == (1, 1, 2)
    assert (receipt.versions_left, receipt.chunks_left) == (2, 2)
    receipt = engine.delete("a", purge=True)
    assert (receipt.versions_removed, receipt.chunks_removed) == (2, 2)
    assert (receipt.versions_left, receipt.chunks_left) == (0, 0)
    assert stored(engine) == 0
    assert receipt.purge is not None
    assert receipt.purge.state == "erased"
    assert engine.delete("a", purge=True) == receipt
    with pytest.raises(DocumentNotFound):
        engine.delete("b", purge=True)


def test_purged_text_is_in_no_file_of_the_catalogue(open_tenant: OpenTenant, tmp_path: Path) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("The password is xylophone-7731."))
    engine.delete("a", purge=True)
    engine.close()
    for file in (tmp_path / "data" / "kennel").glob("catalogue*"):
        assert b"xylophone-7731" not in file.read_bytes(), file


def test_a_document_that_comes_back_right_after_its_deletion_is_readable(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    for number in range(10):
        assert ingest(engine, note(f"Beagles are hounds, number {number}.")).version == number + 1
        assert found(engine) == {f"Beagles are hounds, number {number}."}
        engine.delete("a")
        assert found(engine) == set()


def test_a_deletion_that_was_cut_off_is_finished_when_the_folder_is_opened_again(
    open_tenant: OpenTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds."))

    def killed(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine._parts.writing.cleaner, "run", killed)
    with pytest.raises(KeyboardInterrupt):
        engine.delete("a", purge=True)
    assert (stored(engine), found(engine)) == (1, set())
    engine.close()
    assert stored(open_tenant(PROFILE)) == 0


def test_a_cleanup_that_met_a_store_out_of_order_is_tried_again(
    open_tenant: OpenTenant, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds."))
    parts = engine._parts
    store, mark, failing = parts.indexes.current.store, ChunkStore.set_fields, iter([True, True, False])

    def sometimes(*given: Any) -> None:
        if next(failing):
            raise StoreUnavailable("the vector store", "it does not answer now")
        mark(*given)

    monkeypatch.setattr(ChunkStore, "set_fields", sometimes)
    engine.delete("a")
    parts.writing.cleaner._background.submit(lambda: None).result()
    assert parts.catalogue.cleanups() == []
    assert store.count(models.Filter(must=[unended()])) == 0
    assert caplog.text.count("not cleaned up yet") == 2


def test_of_two_offers_the_later_one_stays_and_both_are_kept(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are merry hounds.", accepted=2000))
    earlier = ingest(engine, note("Beagles are small hounds.", accepted=1000))
    assert (earlier.state, earlier.version) == ("unchanged", 1)
    assert "a newer change" in (earlier.reason or "")
    assert found(engine) == {"Beagles are merry hounds."}
    assert engine.content("a", version=2) == "Beagles are small hounds."
    assert engine.chunks("a", version=2) == ()


def test_an_offer_from_before_a_deletion_does_not_bring_the_document_back(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds.", accepted=1000))
    engine.delete("a")
    ingest(engine, note("Beagles are merry hounds.", accepted=2000))
    assert (found(engine), engine.documents().total) == (set(), 0)


def test_a_document_that_replaces_another_takes_its_place_in_one_commit(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    before = ingest(engine, note("Beagles are small hounds.", "old.md")).snapshot
    after = ingest(engine, note("Beagles are small hounds.", "new.md", replaces="old.md")).snapshot
    assert after == before + 1
    assert [document.document_id for document in engine.documents().documents] == ["new.md"]
    assert [hit.document_id for hit in engine.search("hounds", as_of=before)] == ["old.md"]
    assert [hit.document_id for hit in engine.search("hounds")] == ["new.md"]


def test_retention_purges_and_says_from_where_history_is_whole(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE + "retention: {versions: 2}\n")
    for number in range(4):
        ingest(engine, note(f"Beagles are hounds, number {number}."))
    purged = engine.purge()
    assert (purged.versions_removed, purged.chunks_removed, purged.horizon) == (2, 2, 3)
    assert found(engine, as_of=3) == {"Beagles are hounds, number 2."}
    with pytest.raises(InvalidRequest, match="history before snapshot 3 was purged"):
        found(engine, as_of=2)
    assert (engine.stats().horizon, engine.stats().versions) == (3, 2)
    assert engine.purge().versions_removed == 0


def test_documents_of_another_chunking_are_stale_until_reprocessed(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    text = " ".join(f"Sentence number {number} is about beagles." for number in range(60))
    before = ingest(engine, note(text)).snapshot
    engine.close()
    engine = open_tenant(PROFILE + "chunking: {size: 64, overlap: 16}\n")
    assert (engine.document("a").state, engine.stats().stale) == ("stale", 1)
    assert [document.document_id for document in engine.documents(state="stale").documents] == ["a"]
    (again,) = engine.reembed()
    assert (again.state, again.version, engine.document("a").state) == ("ready", 2, "ready")
    assert len(engine.chunks("a")) > len(engine.chunks("a", as_of=before))
    assert engine.content("a") == engine.content("a", version=1)
    assert engine.reembed() == []
    assert ingest(engine, note(text)).state == "unchanged"


def test_another_model_is_built_beside_the_one_in_use_and_history_goes_over(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    first = ingest(engine, note("Beagles are small hounds."), note("Siamese cats are vocal.", "b")).snapshot
    ingest(engine, note("Beagles are merry hounds."))
    engine.close()
    engine = open_tenant(PROFILE + "embedding: {quantize: none}\n")
    assert (engine.document("a").state, engine.stats().stale) == ("stale", 2)
    assert "Beagles are merry hounds." in found(engine)
    ingest(engine, note("Pugs are small as well.", "c"))
    former = engine._parts.indexes.current.space.generation
    engine.reembed()
    assert engine._parts.indexes.current.space.generation == former + 1
    assert (engine.stats().stale, engine.document("a").version) == (0, 2)
    assert found(engine, as_of=first) == {"Beagles are small hounds.", "Siamese cats are vocal."}
    assert "Pugs are small as well." in found(engine)
    engine.close()
    again = open_tenant(PROFILE + "embedding: {quantize: none}\n")
    assert again.stats().stale == 0
    assert again.search("merry hounds", top_k=1)[0].content == "Beagles are merry hounds."


def test_bm25_finds_the_same_in_a_store_that_was_built_beside_as_in_a_fresh_one(
    open_tenant: OpenTenant, tmp_path: Path
) -> None:
    documents = [note(f"{name} are small.", name, title=name, source=f"path/{name}.md") for name in ("Pugs", "Beagles")]
    engine = open_tenant(PROFILE)
    ingest(engine, *documents)
    engine.close()
    built = open_tenant(PROFILE + "embedding: {quantize: none}\n")
    built.reembed()
    fresh = open_tenant(PROFILE + "embedding: {quantize: none}\n", tmp_path / "fresh")
    ingest(fresh, *documents)
    scores = [
        [(hit.document_id, hit.scores["sparse"].score) for hit in tenant.search("small Pugs", mode="sparse")]
        for tenant in (built, fresh)
    ]
    assert scores[0] == scores[1]
    for tenant in (built, fresh):  # neither where a document is from nor what a commit stamps on it is its text
        assert tenant.search("path 1", mode="sparse").hits == ()


def test_an_interrupted_reembedding_resumes(open_tenant: OpenTenant, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest([note(f"Beagle number {number} is a hound.", f"{number}") for number in range(20)])
    engine.close()
    engine = open_tenant(PROFILE + "embedding: {quantize: none}\n")
    monkeypatch.setattr(engine._parts.catalogue, "flip", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        engine.reembed()
    assert len(engine.search("beagle", top_k=20)) == 20
    engine.close()
    engine = open_tenant(PROFILE + "embedding: {quantize: none}\n")
    engine.reembed()
    assert (len(engine.search("beagle", top_k=50)), stored(engine), engine.stats().stale) == (20, 20, 0)


def test_with_a_model_that_is_gone_documents_are_found_by_their_words(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds."))
    said = engine._parts.catalogue.claim("", {}).section
    engine._parts.catalogue.flip(0, "a model that nobody has", said, lambda _: None)
    engine.close()
    engine = open_tenant(PROFILE)
    assert found(engine) == {"Beagles are small hounds."}
    with pytest.raises(EmbeddingUnavailable, match="footnote reembed"):
        engine.search("hounds", mode="dense")
    with pytest.raises(EmbeddingUnavailable, match="footnote reembed"):
        ingest(engine, note("Pugs are small as well.", "b"))
    engine.reembed()
    assert ingest(engine, note("Pugs are small as well.", "b")).state == "ready"
    assert len(found(engine)) == 2


def test_a_server_takes_over_from_the_bundled_model_and_gives_back(open_tenant: OpenTenant) -> None:
    with embedding_server() as served:
        address = f"base_url: '{served.url}', dimensions: 4"
        remote = PROFILE + f"embedding: {{provider: ollama, model: m, {address}}}\n"
        engine = open_tenant(PROFILE)
        first = ingest(engine, note("Beagles are small hounds.")).snapshot
        for profile in (remote, PROFILE):
            engine.close()
            engine = open_tenant(profile)
            assert engine.stats().stale == 1
            engine.reembed()
            assert (engine.stats().stale, found(engine, as_of=first)) == (0, {"Beagles are small hounds."})


def test_a_load_that_embedded_for_the_store_that_was_left_is_embedded_again(
    open_tenant: OpenTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds."))
    engine.close()
    engine = open_tenant(PROFILE + "embedding: {quantize: none}\n")
    embedded, flipped = threading.Event(), threading.Event()
    committing = engine._parts.catalogue.committing

    def late(undo: object) -> object:
        if threading.current_thread() is loading and not embedded.is_set():
            embedded.set()
            flipped.wait(60)
        return committing(undo)  # type: ignore[arg-type]

    monkeypatch.setattr(engine._parts.catalogue, "committing", late)
    loading = threading.Thread(target=lambda: engine.ingest([note("Pugs are small as well.", "b")]))
    loading.start()
    embedded.wait(60)
    engine.reembed()
    flipped.set()
    loading.join()
    assert found(engine) == {"Beagles are small hounds.", "Pugs are small as well."}


def test_a_half_commit_is_undone_when_the_folder_is_opened_again(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds."))
    store, snapshot = engine._parts.indexes.current.store, engine._parts.catalogue.snapshot
    # What a process killed between its writes to the store and its commit in the catalogue leaves behind.
    retire(store, ["a"], snapshot + 1)
    prepared = engine._parts.writing.ingestor._prepare(note("Beagles are large hounds."))
    assert isinstance(prepared, Prepared)
    engine._parts.indexes.current.space.embed(list(prepared.nodes))
    store.add(_stamped(prepared, 2, snapshot + 1, engine.tenant))
    engine.close()
    again = open_tenant(PROFILE)
    ingest(again, note("Pugs are small as well.", "b"))
    assert found(again) == {"Beagles are small hounds.", "Pugs are small as well."}


def test_a_store_without_its_catalogue_is_untouched(open_tenant: OpenTenant, tmp_path: Path) -> None:
    engine = open_tenant(PROFILE)
    ingest(engine, note("Beagles are small hounds."))
    engine.close()
    folder = tmp_path / "data" / "kennel"
    kept = {file: file.read_bytes() for file in folder.glob("catalogue.sqlite*")}
    for _ in range(2):
        for file in folder.glob("catalogue.sqlite*"):
            file.unlink()
        with pytest.raises(CatalogueMissing, match="holds 1 chunks, and its catalogue is not there"):
            open_tenant(PROFILE)
    for file in folder.glob("catalogue.sqlite*"):
        file.unlink()
    for file, content in kept.items():
        file.write_bytes(content)
    assert found(open_tenant(PROFILE)) == {"Beagles are small hounds."}
