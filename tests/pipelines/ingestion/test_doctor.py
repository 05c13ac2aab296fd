"""A tenant whose store and catalogue were made to disagree, in every way that the doctor knows."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import qdrant_edge
import sqlalchemy as sa
from llama_index.core.schema import TextNode
from qdrant_client import models

from pipelines import Engine
from pipelines.catalogue import NEVER, census
from pipelines.catalogue.tables import DocumentRow, VersionRow
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.ingestion import doctor as doctors
from pipelines.ingestion.chunk_ids import chunk_id
from pipelines.types import DocumentInput, Examination
from tests.conftest import OpenTenant
from tests.congruence.backends import catalogue_of

PROFILE = """
tenant: kennel
metadata: {fields: {year: {type: integer}}}
chunking: {size: 64, overlap: 0}
"""
RECUT = PROFILE.replace("size: 64", "size: 90")
STACKS = [
    "edge, sqlite",
    "memory, sqlite",
    pytest.param("edge, postgres", marks=pytest.mark.postgres),
]
Break = Callable[[Engine], None]


def told(examination: Examination) -> list[tuple[str, str | None, int | None]]:
    return [(finding.kind, finding.document_id, finding.version) for finding in examination.findings]


def text(subject: str, sentences: int = 24) -> str:
    return " ".join(f"Sentence number {number} is about the {subject}." for number in range(sentences))


def offer(engine: Engine, document_id: str, content: str, accepted: int | None = None) -> None:
    engine.ingest([DocumentInput(content, document_id=document_id, accepted=accepted)])


def populate(engine: Engine) -> None:
    """``a`` has a past and a present, ``b`` a past, ``c`` a present and an offer that it overtook; one failed."""
    offer(engine, "a", text("beagle"))
    offer(engine, "b", text("pug"))
    offer(engine, "a", text("collie"))
    engine.delete("b")
    offer(engine, "c", text("siamese"))
    offer(engine, "c", text("manx"), accepted=1)
    offer(engine, "empty", " ")
    offer(engine, "gone", text("dodo"))
    engine.delete("gone", purge=True)
    engine._parts.writing.cleaner.finish()


@pytest.fixture(params=STACKS)
def engine(request: pytest.FixtureRequest, open_tenant: OpenTenant) -> Iterator[Engine]:
    store, database = request.param.split(", ")
    with catalogue_of(database) as lines:
        opened = open_tenant(f"{PROFILE}store: {{engine: {store}}}\n{lines}")
        populate(opened)
        yield opened
        opened.close()


@pytest.fixture
def embedded(open_tenant: OpenTenant) -> Engine:
    engine = open_tenant(PROFILE)
    populate(engine)
    return engine


def store_of(engine: Engine) -> ChunkStore:
    return engine._parts.indexes.current.store


def only(*chunk_ids: str) -> models.Filter:
    return models.Filter(must=[models.HasIdCondition(has_id=list(chunk_ids))])


def chunk(document_id: str, version: int, index: int) -> models.Filter:
    return only(chunk_id("kennel", document_id, version, index))


def stray(engine: Engine, name: str = "stray", **payload: Any) -> None:
    store = store_of(engine)
    _, like = next(store.scan(chunk("a", 2, 0)))
    metadata = {key: value for key, value in (like | payload).items() if key != "text"}
    node = TextNode(id_=chunk_id("kennel", name, 0, 0), text=like["text"], metadata=metadata)
    store.add(engine._parts.indexes.current.space.embed([node]))


def update(
    engine: Engine, row: type[DocumentRow | VersionRow], document_id: str, number: int = 0, **values: Any
) -> None:
    query = sa.update(row).where(row.document_id == document_id)
    if row is VersionRow:
        query = query.where(VersionRow.version == number)
    with engine._parts.catalogue.engine.begin() as connection:
        connection.execute(query.values(**values))


def lose_version(engine: Engine, document_id: str, version: int) -> None:
    query = sa.delete(VersionRow).where(VersionRow.document_id == document_id, VersionRow.version == version)
    with engine._parts.catalogue.engine.begin() as connection:
        connection.execute(query)


def contents(engine: Engine) -> dict[tuple[str, int], list[tuple[str, int, int, int]]]:
    """Of every version the texts, places and snapshots of its chunks, in their order, as the store has them."""
    found: dict[tuple[str, int], list[tuple[str, int, int, int]]] = {}
    for _, said in sorted(store_of(engine).scan(), key=lambda found: found[1]["index"]):
        chunks = found.setdefault((said["document_id"], said["version"]), [])
        chunks.append((said["text"], said["start"], said["valid_from"], said["valid_to"]))
    return found


def test_a_tenant_with_a_past_is_healthy(engine: Engine) -> None:
    found = engine.doctor()
    assert (found.healthy, found.findings) == (True, ())
    assert (found.documents, found.versions) == (3, 5)
    assert found.chunks == store_of(engine).count() == sum(len(chunks) for chunks in contents(engine).values())
    assert found == engine.doctor(repair=True)


def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is looked at in small parts, as where there is much of it."""
    monkeypatch.setattr(census, "_DOCUMENTS_AT_ONCE", 2)
    monkeypatch.setattr(doctors, "_CHUNKS_AT_ONCE", 3)
    monkeypatch.setattr(doctors, "_ASKED_AT_ONCE", 3)


@pytest.mark.parametrize("repair", [False, True])
def test_what_is_looked_at_in_parts_is_looked_at_as_a_whole(
    embedded: Engine, monkeypatch: pytest.MonkeyPatch, repair: bool
) -> None:
    for number in range(5):
        stray(embedded, f"stray {number}", document_id=f"nobody {number}")
    store_of(embedded).remove(chunk("a", 1, 0))
    store_of(embedded).remove(chunk("c", 1, 0))
    whole = embedded.doctor()
    few_at_once(monkeypatch)
    assert (whole, len(whole.findings)) == (embedded.doctor(), 7)
    assert told(embedded.doctor(repair)) == told(whole)
    assert embedded.doctor().healthy == repair


BREAKS: dict[str, tuple[Break, set[tuple[str, str | None, int | None]]]] = {
    "a chunk is gone": (
        lambda engine: store_of(engine).remove(chunk("a", 2, 1)) and None,
        {("missing_chunks", "a", 2)},
    ),
    "a chunk of the past is gone": (
        lambda engine: store_of(engine).remove(chunk("b", 1, 0)) and None,
        {("missing_chunks", "b", 1)},
    ),
    "the whole store is gone": (
        lambda engine: store_of(engine).clear(),
        {("missing_chunks", document_id, version) for document_id, version in (("a", 1), ("a", 2), ("b", 1), ("c", 1))},
    ),
    "a text is another": (
        lambda engine: store_of(engine).set_fields({"text": "Cats."}, chunk("a", 2, 1)),
        {("wrong_span", "a", 2)},
    ),
    "a place is another": (
        lambda engine: store_of(engine).set_fields({"start": 3}, chunk("a", 1, 1)),
        {("wrong_span", "a", 1)},
    ),
    "a place is none": (
        lambda engine: store_of(engine).set_fields({"end": None}, chunk("a", 1, 1)),
        {("wrong_span", "a", 1)},
    ),
    "what is readable was ended": (
        lambda engine: store_of(engine).set_fields({"valid_to": 4}, chunk("a", 2, 0)),
        {("wrong_validity", "a", 2)},
    ),
    "what is past was not ended": (
        lambda engine: store_of(engine).set_fields({"valid_to": NEVER}, chunk("a", 1, 0)),
        {("wrong_validity", "a", 1)},
    ),
    "a number is another": (
        lambda engine: store_of(engine).set_fields({"index": 7}, chunk("a", 2, 0)),
        {("orphan_chunks", "a", 2), ("missing_chunks", "a", 2)},
    ),
    "a number is a word": (
        lambda engine: store_of(engine).set_fields({"index": "0"}, chunk("a", 2, 0)),
        {("orphan_chunks", "a", 2), ("missing_chunks", "a", 2)},
    ),
    "a chunk went over to another document": (
        lambda engine: store_of(engine).set_fields({"document_id": "c", "version": 1}, chunk("a", 2, 0)),
        {("orphan_chunks", "c", 1), ("missing_chunks", "a", 2)},
    ),
    "a chunk went over to no document": (
        lambda engine: store_of(engine).set_fields({"document_id": "nobody"}, chunk("c", 1, 0)),
        {("orphan_chunks", "nobody", None), ("missing_chunks", "c", 1)},
    ),
    "chunks of an unknown document": (
        lambda engine: stray(engine, document_id="nobody"),
        {("orphan_chunks", "nobody", None)},
    ),
    "chunks of an erased document": (
        lambda engine: stray(engine, document_id="gone"),
        {("orphan_chunks", "gone", None)},
    ),
    "chunks of a failed document": (
        lambda engine: stray(engine, document_id="empty"),
        {("orphan_chunks", "empty", None)},
    ),
    "chunks of an unknown version": (lambda engine: stray(engine, version=9), {("orphan_chunks", "a", 9)}),
    "chunks of no version": (lambda engine: stray(engine, version=None), {("orphan_chunks", "a", None)}),
    "chunks of no document": (lambda engine: stray(engine, document_id=7), {("orphan_chunks", None, None)}),
    "chunks under an id of their own": (stray, {("orphan_chunks", "a", 2)}),
    "chunks of a version that was overtaken": (
        lambda engine: stray(engine, document_id="c", version=2),
        {("orphan_chunks", "c", 2)},
    ),
    "too many are counted": (
        lambda engine: update(engine, VersionRow, "a", 2, chunks=50),
        {("missing_chunks", "a", 2)},
    ),
    "too few are counted": (
        lambda engine: update(engine, VersionRow, "a", 2, chunks=1),
        {("orphan_chunks", "a", 2)},
    ),
    "another version is named": (
        lambda engine: update(engine, DocumentRow, "a", version=1),
        {("broken_document", "a", None)},
    ),
    "no version is named": (
        lambda engine: update(engine, DocumentRow, "a", version=0, state="failed"),
        {("broken_document", "a", None)},
    ),
    "the state is another": (
        lambda engine: update(engine, DocumentRow, "a", state="failed"),
        {("broken_document", "a", None)},
    ),
    "the next number was given": (
        lambda engine: update(engine, DocumentRow, "a", last_version=1),
        {("broken_document", "a", None)},
    ),
    "the readable version was ended": (
        lambda engine: update(engine, VersionRow, "a", 2, valid_to=4),
        {("broken_document", "a", None)},
    ),
    "two versions are readable": (
        lambda engine: update(engine, VersionRow, "a", 1, valid_to=NEVER),
        {("broken_document", "a", None)},
    ),
    "a version ends before it begins": (
        lambda engine: update(engine, VersionRow, "c", 2, valid_to=1),
        {("broken_document", "c", None)},
    ),
    "a deleted document is readable": (
        lambda engine: update(engine, VersionRow, "b", 1, valid_to=NEVER),
        {("broken_document", "b", None), ("wrong_validity", "b", 1)},
    ),
    "the readable version is lost": (
        lambda engine: lose_version(engine, "a", 2),
        {("broken_document", "a", None), ("orphan_chunks", "a", 2)},
    ),
}
LASTING = {"a deleted document is readable", "the readable version is lost"}
"""After these, something is not as it was before."""


@pytest.mark.parametrize("name", BREAKS)
def test_what_does_not_agree_is_told_and_repaired(embedded: Engine, name: str) -> None:
    break_and_repair(embedded, name)
    offer(embedded, "a", text("whippet"))
    assert embedded.search("whippet")[0].version == 3
    assert embedded.doctor().findings == ()


@pytest.mark.parametrize("engine", STACKS[1:], indirect=True)
def test_every_store_and_database_is_repaired_alike(engine: Engine) -> None:
    for name in BREAKS:
        if name not in LASTING:
            break_and_repair(engine, name)
    for name in LASTING:
        break_and_repair(engine, name)


def break_and_repair(engine: Engine, name: str) -> None:
    before = contents(engine)
    damage, expected = BREAKS[name]
    damage(engine)
    found = engine.doctor()
    assert (set(told(found)), found.healthy) == (expected, False), name
    assert engine.doctor() == found  # looking changes nothing
    repaired = engine.doctor(repair=True)
    assert set(told(repaired)) <= expected, name  # a chunk that is put in its place again is no orphan any more
    assert all(finding.repaired for finding in repaired.findings), name
    assert engine.doctor().findings == (), name
    if name not in LASTING:
        assert contents(engine) == before, name
        assert {hit.document_id for hit in engine.search("collie siamese", top_k=50)} == {"a", "c"}, name
        assert engine.document("a").version == 2, name


def test_what_is_told_can_be_acted_upon(embedded: Engine) -> None:
    chunks = embedded.document("a").chunks
    store_of(embedded).remove(chunk("a", 2, 1))
    stray(embedded, document_id="nobody")
    update(embedded, VersionRow, "c", 1, chunks=50)
    update(embedded, VersionRow, "a", 1, valid_to=NEVER)
    assert {finding.detail for finding in embedded.doctor().findings} == {
        f"1 of its {chunks} chunks are not in the store",
        "1 in the store of a document of which the catalogue has no version",
        f"{50 - len(embedded.chunks('c'))} of its 50 chunks are not in the store",
        "version 1 goes on after snapshot 3, where version 2 begins",
    }


def test_a_document_whose_readable_version_is_lost_asks_for_itself(embedded: Engine) -> None:
    lose_version(embedded, "a", 2)
    embedded.doctor(repair=True)
    document = embedded.document("a")
    assert (document.state, document.reason) == ("failed", "its readable version was lost; bring it in again")
    assert [version.version for version in embedded.versions("a")] == [1]
    assert not [hit for hit in embedded.search("collie", top_k=50) if hit.document_id == "a"]


def test_a_deleted_document_stays_deleted(embedded: Engine) -> None:
    update(embedded, VersionRow, "b", 1, valid_to=NEVER)
    store_of(embedded).set_fields(
        {"valid_to": NEVER},
        models.Filter(must=[models.FieldCondition(key="document_id", match=models.MatchValue(value="b"))]),
    )
    assert any(hit.document_id == "b" for hit in embedded.search("pug"))
    embedded.doctor(repair=True)
    assert not any(hit.document_id == "b" for hit in embedded.search("pug"))
    assert embedded.doctor().healthy


@pytest.mark.parametrize("field", ["document_id", "valid_to", "metadata.year"])
def test_an_index_that_is_missing_is_made(embedded: Engine, field: str) -> None:
    store = store_of(embedded)
    store.client._change(store.collection_name, qdrant_edge.UpdateOperation.delete_field_index(field))
    found = embedded.doctor()
    assert [(finding.kind, finding.detail.split()[-1]) for finding in found.findings] == [("missing_index", field)]
    assert embedded.doctor(repair=True).findings[0].repaired
    assert embedded.doctor().findings == ()


def test_stale_documents_are_told_and_are_no_fault(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    for number in range(5):
        offer(engine, f"{number}", text("beagle", 3))
    engine.close()
    engine = open_tenant(RECUT + "embedding: {quantize: none}\n")
    for repair in (False, True):
        found = engine.doctor(repair)
        assert (found.healthy, [finding.kind for finding in found.findings]) == (True, ["stale", "stale"])
        assert [finding.detail for finding in found.findings] == [
            "every document was embedded by another model than the profile names; `footnote reembed` reprocesses them",
            "cut with another profile than the present one: 0, 1, 2 and 2 more; `footnote reembed` reprocesses them",
        ]
    engine.reembed()
    assert engine.doctor().findings == ()


def test_a_stale_version_is_cut_as_the_profile_says_by_now(embedded: Engine, open_tenant: OpenTenant) -> None:
    store_of(embedded).remove(chunk("a", 1, 1))
    before = embedded.document("a").chunks
    embedded.close()
    engine = open_tenant(RECUT)
    (finding, stale) = engine.doctor(repair=True).findings
    now = engine.versions("a")[1].chunks
    assert now < before
    assert finding.detail == (
        f"1 of its {before} chunks are not in the store; "
        f"split with the current profile, it has {now} chunks, where {before} were counted"
    )
    assert stale.detail.startswith("cut with another profile than the present one: a, c;")
    assert engine.doctor().findings == (stale,)
    assert [(version.version, version.state) for version in engine.versions("a")] == [(2, "stale"), (1, "superseded")]
    assert len(engine.chunks("a", version=1)) == now


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.slow
@pytest.mark.parametrize("profile", [PROFILE, RECUT], ids=["as it was cut", "stale"])
def test_a_repair_that_is_cut_off_anywhere_is_finished_by_the_next(
    embedded: Engine, open_tenant: OpenTenant, tmp_path: Path, profile: str
) -> None:
    tear(embedded)
    embedded.close()
    whole = open_tenant(profile, data=tmp_path / "whole")
    populate(whole)
    for steps in range(100):
        data = shutil.copytree(tmp_path / "data", tmp_path / f"data-{steps}")
        engine = open_tenant(profile, data=data)
        survived = repaired_before(engine, steps)
        assert engine.doctor(repair=True).healthy
        assert {finding.kind for finding in engine.doctor().findings} <= {"stale"}
        assert contents(engine)["a", 1] == contents(whole)["a", 1]
        assert set(contents(engine)) == set(contents(whole))
        engine.close()
        if survived:
            break
    assert steps >= 5


def tear(engine: Engine) -> None:
    """Several faults at once."""
    store = store_of(engine)
    store.remove(chunk("a", 1, len(engine.chunks("a", version=1)) - 1))
    store.set_fields({"text": "Cats."}, chunk("a", 1, 0))
    store.set_fields({"valid_to": NEVER}, chunk("a", 1, 1))
    stray(engine, document_id="nobody")
    update(engine, DocumentRow, "a", version=1)


def repaired_before(engine: Engine, steps: int) -> bool:
    """Repairs until so much was written, and is killed then; whether it was done before."""
    census_of = engine._parts.writing.doctor._census
    left = steps

    def mortal(change: Callable[..., Any]) -> Callable[..., Any]:
        def changed(*arguments: Any) -> Any:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            return change(*arguments)

        return changed

    with pytest.MonkeyPatch.context() as patch:
        chunks = store_of(engine)._chunks
        for name in ("remove", "set_fields"):
            patch.setattr(chunks, name, mortal(getattr(chunks, name)))
        patch.setattr(chunks, "write", point_by_point(mortal(chunks.write)))
        for name in ("correct", "recount"):
            patch.setattr(census_of, name, mortal(getattr(census_of, name)))
        try:
            engine.doctor(repair=True)
        except Killed:
            return False
    return True


def point_by_point(write: Callable[[list[Any]], None]) -> Callable[[list[Any]], None]:
    def written(points: list[Any]) -> None:
        for point in points:
            write([point])

    return written


def test_what_cannot_be_embedded_any_more_is_told_and_left(embedded: Engine, open_tenant: OpenTenant) -> None:
    store_of(embedded).remove(chunk("a", 2, 1))
    update(embedded, DocumentRow, "c", version=0)
    said = embedded._parts.catalogue.claim("", {}).section
    embedded._parts.catalogue.flip(0, "a model that nobody has", said, lambda _: None)
    with embedded._parts.catalogue.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM embeddings"))
    embedded.close()
    engine = open_tenant(PROFILE)
    found = engine.doctor(repair=True)
    assert [(finding.kind, finding.repaired) for finding in found.findings] == [
        ("missing_chunks", False),
        ("broken_document", True),
        ("stale", False),
    ]
    assert "not repaired: the embedding model of the tenant's documents" in found.findings[0].detail
    assert not found.healthy


@pytest.mark.parametrize("repair", [False, True])
def test_a_busy_tenant_gives_no_false_alarm(engine: Engine, repair: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    few_at_once(monkeypatch)
    over = threading.Event()
    rounds = 0

    def busy() -> None:
        nonlocal rounds
        while not over.is_set():
            rounds += 1
            for name in ("a", "b", "x", "y"):
                offer(engine, name, text(f"hound of round {rounds}", 6))
            engine.delete("x", purge=True)
            engine.delete("b")
            offer(engine, "z", text("late", 3), accepted=rounds)
            engine.delete("y", purge=True)

    working = threading.Thread(target=busy)
    working.start()
    try:
        examined = 0
        while examined < 10 or rounds < 3:
            assert engine.doctor(repair).findings == ()
            examined += 1
    finally:
        over.set()
        working.join()
    assert engine.doctor().findings == ()


def test_a_fault_is_found_while_the_tenant_is_busy(embedded: Engine) -> None:
    over = threading.Event()

    def busy() -> None:
        number = 0
        while not over.is_set():
            number += 1
            offer(embedded, "busy", f"This is number {number}.")

    working = threading.Thread(target=busy)
    working.start()
    try:
        store_of(embedded).remove(chunk("c", 1, 0))
        stray(embedded, document_id="nobody")
        expected = [("missing_chunks", "c", 1), ("orphan_chunks", "nobody", None)]
        assert told(embedded.doctor()) == expected
        assert told(embedded.doctor(repair=True)) == expected
        assert embedded.doctor().findings == ()
    finally:
        over.set()
        working.join()


def test_a_deletion_that_is_still_to_be_cleaned_up_is_no_fault(
    embedded: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded._parts.writing.cleaner, "later", lambda cleanup: None)
    embedded.delete("c")
    assert embedded.doctor().findings == ()
