"""A tenant whose store and catalogue were made to disagree, in every way that the doctor knows."""

from __future__ import annotations

import pytest
import qdrant_edge
from qdrant_client import models

from pipelines import Engine
from pipelines.catalogue import NEVER
from pipelines.catalogue.tables import DocumentRow, VersionRow
from tests.pipelines.ingestion.damaged import (
    STACKS,
    Break,
    chunk,
    contents,
    few_at_once,
    findings_of,
    lose_version,
    offer,
    store_of,
    stray,
    text,
    update,
)


def test_a_tenant_with_a_past_is_healthy(engine: Engine) -> None:
    found = engine.doctor()
    assert (found.healthy, found.findings) == (True, ())
    assert (found.documents, found.versions) == (3, 5)
    assert found.chunks == store_of(engine).count() == sum(len(chunks) for chunks in contents(engine).values())
    assert found == engine.doctor(repair=True)


@pytest.mark.parametrize("repair", [False, True])
def test_checking_in_batches_gives_the_same_findings(
    embedded: Engine, monkeypatch: pytest.MonkeyPatch, repair: bool
) -> None:
    for number in range(5):
        stray(embedded, f"stray {number}", document_id=f"nobody {number}")
    store_of(embedded).remove(chunk("a", 1, 0))
    store_of(embedded).remove(chunk("c", 1, 0))
    whole = embedded.doctor()
    few_at_once(monkeypatch)
    assert (whole, len(whole.findings)) == (embedded.doctor(), 7)
    assert findings_of(embedded.doctor(repair)) == findings_of(whole)
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
def test_every_disagreement_is_found_and_repaired(embedded: Engine, name: str) -> None:
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
    assert (set(findings_of(found)), found.healthy) == (expected, False), name
    assert engine.doctor() == found  # looking changes nothing
    repaired = engine.doctor(repair=True)
    assert set(findings_of(repaired)) <= expected, name  # a chunk that is put in its place again is no orphan any more
    assert all(finding.repaired for finding in repaired.findings), name
    assert engine.doctor().findings == (), name
    if name not in LASTING:
        assert contents(engine) == before, name
        assert {hit.document_id for hit in engine.search("collie siamese", top_k=50)} == {"a", "c"}, name
        assert engine.document("a").version == 2, name


def test_findings_say_what_is_wrong_in_numbers(embedded: Engine) -> None:
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


def test_a_document_without_its_readable_version_asks_to_be_ingested_again(embedded: Engine) -> None:
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


@pytest.mark.parametrize("field", ["document_id", "valid_to", "version"])
def test_a_missing_index_is_created(embedded: Engine, field: str) -> None:
    store = store_of(embedded)
    store.client._change(store.collection_name, qdrant_edge.UpdateOperation.delete_field_index(field))
    found = embedded.doctor()
    assert [(finding.kind, finding.detail.split()[-1]) for finding in found.findings] == [("missing_index", field)]
    assert embedded.doctor(repair=True).findings[0].repaired
    assert embedded.doctor().findings == ()
