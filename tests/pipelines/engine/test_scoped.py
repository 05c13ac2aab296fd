"""An engine that is held to a scope: what it shows, what it lets be written, and what it does not let on."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import Engine
from pipelines.engine.scoped import ScopedEngine
from pipelines.errors import (
    DocumentNotFound,
    InvalidRequest,
    InvalidScope,
    JobNotFound,
    KeyReused,
    NeedsWholeTenant,
    OutsideScope,
)
from pipelines.jobs.runner import run_jobs
from pipelines.types import DocumentInput, IngestResult
from tests.conftest import OpenTenant

PROFILE = """
tenant: cortx
metadata:
  fields:
    level:     {type: keyword, values: [platform, suite, entity], required: true}
    suite:     {type: keyword}
    entity_id: {type: keyword}
  hierarchy: {level: level, path: [suite, entity_id]}
store: {engine: memory}
"""
PLATFORM = {"level": "platform"}
FED, CORP = {"level": "suite", "suite": "fed"}, {"level": "suite", "suite": "corp"}
ACME = {"level": "entity", "suite": "fed", "entity_id": "acme"}
CANARY = "CANARY-5513"
OF_A_SIBLING = f"The {CANARY} ledger of corp is reconciled on Mondays."
QUESTION = "When is the ledger reconciled?"


@pytest.fixture
def engine(open_tenant: OpenTenant) -> Engine:
    opened = open_tenant(PROFILE)
    bring(opened, "policy", PLATFORM, "Every ledger is reconciled daily.")
    bring(opened, "fed", FED, "The ledger of fed is reconciled on Fridays.")
    bring(opened, f"{CANARY}/corp", CORP, OF_A_SIBLING)
    return opened


@pytest.fixture
def fed(engine: Engine) -> ScopedEngine:
    return engine.within({"suite": "fed"})


def bring(
    engine: Engine | ScopedEngine, name: str | None, metadata: dict[str, Any], text: str, **said: Any
) -> IngestResult:
    (result,) = engine.ingest([DocumentInput(text, name, metadata=metadata, **said)])
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Reading


def test_documents_of_a_sibling_are_invisible(fed: ScopedEngine) -> None:
    for mode in ("hybrid", "dense", "sparse"):
        found = fed.search(f"{CANARY} ledger of corp on Mondays", top_k=50, mode=mode)
        assert {hit.document_id for hit in found} == {"policy", "fed"}
    shown: tuple[Any, ...] = (
        fed.search("ledger", filters={"or": [{"suite": "corp"}, {"not": {"suite": "fed"}}]}),
        fed.search("ledger", scope={"suite": "corp"}),
        fed.answer(QUESTION, filters={"suite": {"ne": "fed"}}),
        fed.documents(filters={"not": {"suite": "fed"}}),
        fed.documents(scope={"suite": "corp"}),
        fed.facets(),
        fed.stats(),
    )
    for one in shown:
        assert not [word for word in (CANARY, "corp") if word in json.dumps(asdict(one), default=str)]


@pytest.mark.parametrize("as_of", [None, 3])
def test_a_document_of_a_sibling_is_as_one_that_never_was(fed: ScopedEngine, as_of: int | None) -> None:
    def refused(document_id: str) -> list[tuple[type[Exception], str]]:
        found = []
        for ask in (
            lambda: fed.document(document_id),
            lambda: fed.versions(document_id),
            lambda: fed.content(document_id, as_of=as_of),
            lambda: fed.content(document_id, version=1),
            lambda: fed.chunks(document_id, as_of=as_of),
            lambda: fed.delete(document_id),
            lambda: fed.delete(document_id, purge=True),
        ):
            with pytest.raises((DocumentNotFound, NeedsWholeTenant)) as caught:
                ask()
            found.append((caught.type, str(caught.value).replace(document_id, "ID")))
        return found

    assert refused(f"{CANARY}/corp") == refused("never there")


def test_figures_are_of_what_is_seen(engine: Engine, fed: ScopedEngine) -> None:
    stats = fed.stats()
    assert (stats.documents, stats.versions, stats.failed) == (2, 2, 0)
    assert stats.bytes == sum(document.bytes for document in fed.documents().documents)
    assert fed.documents().total == 2
    assert fed.facets().documents == 2
    bring(engine, f"{CANARY}/corp", CORP, OF_A_SIBLING + " More.")
    bring(engine, "broken", CORP, "")
    assert replace(fed.stats(), snapshot=0) == replace(stats, snapshot=0)


def test_an_abstention_does_not_reveal_answers_in_other_scopes(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    bring(engine, "corp", CORP, OF_A_SIBLING)
    fed = engine.within({"suite": "fed"})
    assert fed.answer(QUESTION).reason == "no_hits"
    assert fed.answer(QUESTION, filters={"suite": "corp"}).reason == "no_hits"
    assert fed.answer(QUESTION, scope={"suite": "corp"}).reason == "no_hits"
    assert fed.query_engine().query(QUESTION).source_nodes == []


def test_a_version_from_another_place_stays_there(engine: Engine, fed: ScopedEngine) -> None:
    moved = f"{CANARY}/corp"
    before = engine.stats().snapshot
    bring(engine, moved, FED, "The ledger came to fed.")
    assert fed.content(moved) == "The ledger came to fed."
    assert [version.version for version in fed.versions(moved)] == [2]
    for ask in (
        lambda: fed.content(moved, version=1),
        lambda: fed.content(moved, as_of=before),
        lambda: fed.chunks(moved, version=1),
        lambda: fed.chunks(moved, as_of=before),
    ):
        with pytest.raises(DocumentNotFound):
            ask()
    assert moved not in {hit.document_id for hit in fed.search(QUESTION, as_of=before, top_k=50)}
    assert fed.stats().versions == 3


def test_a_version_moved_to_another_place_looks_deleted(engine: Engine, fed: ScopedEngine) -> None:
    bring(engine, "gone", FED, "This one will be deleted.")
    bring(engine, "moves", FED, "This one will move.")
    before = engine.stats().snapshot
    engine.delete("gone")
    bring(engine, "moves", CORP, OF_A_SIBLING)
    shown = {}
    for name in ("gone", "moves"):
        with pytest.raises(DocumentNotFound):
            fed.document(name)
        (version,) = fed.versions(name)
        shown[name] = (version.state, version.current, version.version)
        assert fed.content(name, as_of=before).startswith("This one")
    assert shown["gone"] == shown["moves"] == ("deleted", False, 1)
    corp = engine.within({"suite": "corp"})
    assert [version.version for version in corp.versions("moves")] == [2]
    with pytest.raises(DocumentNotFound):
        corp.content("moves", version=1)


# ---------------------------------------------------------------------------------------------------------------------
# Writing


@pytest.mark.parametrize(
    "metadata",
    [
        CORP,
        PLATFORM,
        ACME,
        {"level": "entity", "entity_id": "acme"},
    ],
)
def test_only_documents_of_the_own_place_are_accepted(fed: ScopedEngine, metadata: dict[str, str]) -> None:
    refused = bring(fed, "new", metadata, "Ledgers, again.")
    assert (refused.state, refused.code, refused.version) == ("failed", "outside_scope", 0)
    assert refused.reason is not None
    assert refused.reason.startswith('this key may write only documents of level suite (suite "fed")')
    with pytest.raises(DocumentNotFound):
        fed.document("new")


def test_visibility_below_includes_writing_below(open_tenant: OpenTenant) -> None:
    fed = open_tenant(PROFILE.replace("entity_id]}", "entity_id], below: true}")).within({"suite": "fed"})
    assert bring(fed, "a", ACME, "Ledgers of acme.").state == "ready"
    assert bring(fed, "b", {"level": "entity", "entity_id": "acme"}, "Of no suite.").code == "outside_scope"
    assert fed.document("a").metadata == ACME


def test_frontmatter_cannot_lead_out_of_the_place(fed: ScopedEngine, engine: Engine) -> None:
    smuggled = "---\nlevel: suite\nsuite: corp\n---\nLedgers.\n"
    assert bring(fed, "a.md", {}, smuggled, source="a.md").code == "outside_scope"
    assert bring(fed, "b.md", {"level": "platform"}, smuggled, source="b.md").code == "outside_scope"
    kept = bring(fed, "c.md", FED, smuggled, source="c.md")
    assert (kept.state, engine.document("c.md").metadata) == ("ready", FED)


def test_documents_of_others_are_neither_replaced_nor_revealed(engine: Engine, fed: ScopedEngine) -> None:
    taken, free = f"{CANARY}/corp", "free"
    before = engine.document(taken), engine.versions(taken), engine.content(taken)
    attempts: list[tuple[dict[str, str], str, dict[str, Any]]] = [
        (FED, "Ledgers.", {}),
        (CORP, OF_A_SIBLING, {}),  # the very same
        ({}, OF_A_SIBLING, {}),
        (FED, "", {}),
        (FED, "Ledgers.", {"media_type": "application/pdf"}),
        ({"level": "suite"}, "Ledgers.", {}),
    ]
    for metadata, text, said in attempts:
        result = bring(fed, taken, metadata, text, **said)
        assert (result.state, result.version, result.snapshot) == ("failed", 0, 0)
        assert "corp" not in (result.reason or "").replace(taken, "")
    same = bring(fed, taken, FED, "Ledgers.")
    outside = bring(fed, free, CORP, "Ledgers.")
    assert (same.reason, same.code) == (outside.reason, outside.code)
    assert (engine.document(taken), engine.versions(taken), engine.content(taken)) == before
    assert engine.stats().failed == 0


def test_an_id_that_is_taken_while_a_document_is_prepared_is_not_replaced(engine: Engine, fed: ScopedEngine) -> None:
    def offers() -> Iterator[DocumentInput]:
        yield DocumentInput("Ledgers of fed.", "raced", metadata=FED)
        bring(engine, "raced", CORP, OF_A_SIBLING)

    writing = engine._parts.writing
    (result,) = writing.ingestor.ingest(replace(offer, scope={"suite": "fed"}) for offer in offers())
    assert (result.state, result.code) == ("failed", "outside_scope")
    assert engine.content("raced") == OF_A_SIBLING
    with pytest.raises(OutsideScope):  # likewise where it is taken between a look and the deletion
        writing.deleter.delete("raced", scope={"suite": "fed"})
    with pytest.raises(DocumentNotFound):
        writing.deleter.delete("never there", scope={"suite": "fed"})
    assert engine.content("raced") == OF_A_SIBLING
    assert fed.documents().total == 2


def test_own_documents_are_added_changed_and_deleted(engine: Engine, fed: ScopedEngine) -> None:
    assert bring(fed, "own", FED, "First.").state == "ready"
    assert bring(fed, "own", FED, "First.").state == "unchanged"
    assert bring(fed, "own", FED, "Second.").version == 2
    assert bring(fed, "own", CORP, "Away with it.").code == "outside_scope"
    assert bring(fed, "own", FED, "").state == "failed"
    assert engine.document("own").reason is not None
    receipt = fed.delete("own")
    assert (receipt.versions_removed, receipt.versions_left) == (1, 2)
    with pytest.raises(DocumentNotFound):
        fed.document("own")
    assert bring(fed, "own", FED, "Back again.").version == 3


def test_inherited_documents_can_be_read_and_not_deleted(engine: Engine, fed: ScopedEngine) -> None:
    with pytest.raises(OutsideScope):
        fed.delete("policy")
    with pytest.raises(NeedsWholeTenant):
        fed.delete("fed", purge=True)
    assert engine.document("policy").state == "ready"
    assert fed.delete("fed").versions_removed == 1


def test_a_receipt_does_not_count_history_in_other_scopes(engine: Engine, fed: ScopedEngine) -> None:
    moved = f"{CANARY}/corp"
    bring(engine, moved, FED, "The ledger came to fed.")
    receipt = fed.delete(moved)
    assert (receipt.versions_removed, receipt.versions_left, receipt.chunks_left) == (1, 1, 1)
    assert receipt.cache_entries_removed <= 1


def test_two_places_may_bring_in_files_of_one_name(engine: Engine, fed: ScopedEngine) -> None:
    corp = engine.within({"suite": "corp"})
    names = [
        bring(fed, None, FED, "Handbook of fed.", source="handbook.md").document_id,
        bring(corp, None, CORP, "Handbook of corp.", source="handbook.md").document_id,
        bring(engine, None, PLATFORM, "Handbook of all.", source="handbook.md").document_id,
    ]
    assert names == ["fed/handbook.md", "corp/handbook.md", "handbook.md"]
    assert bring(fed, None, FED, "Handbook of fed.", source="handbook.md").state == "unchanged"
    assert bring(fed, None, FED, OF_A_SIBLING).state == "ready"  # the same text as another's says nothing of that one


def test_a_folder_is_ingested_into_the_place(fed: ScopedEngine, tmp_path: Path) -> None:
    folder = tmp_path / "brought"
    folder.mkdir()
    (folder / "rules.md").write_text("Rules of fed.\n")
    (result,) = fed.ingest_path(folder, FED)
    assert (result.document_id, result.state) == ("fed/rules.md", "ready")


def test_a_removed_scope_is_read_only(engine: Engine) -> None:
    held = DocumentInput("Rules.", "a", metadata=FED, scope={"team": "x"})
    free = DocumentInput("Rules.", "b", metadata=FED)
    assert [(result.state, result.code) for result in engine.ingest([held, free])] == [
        ("failed", "outside_scope"),
        ("ready", None),
    ]


def test_operations_on_the_whole_tenant_are_refused(fed: ScopedEngine) -> None:
    with pytest.raises(NeedsWholeTenant, match="the doctor affects the whole tenant"):
        fed.whole("the doctor")
    assert not hasattr(fed.settings, "put")
    assert not hasattr(fed.storage, "keep_below")
    for kind in ("sync", "reembed", "optimize", "purge"):
        with pytest.raises(NeedsWholeTenant):
            fed.jobs.submit(kind)
    with pytest.raises(InvalidRequest, match="there is no job"):
        fed.jobs.submit("nonsense")  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------------------------
# Jobs


def test_a_job_stays_in_the_scope_that_it_was_asked_for_in(open_tenant: OpenTenant, tmp_path: Path) -> None:
    engine = open_tenant(PROFILE.replace("store: {engine: memory}", ""))
    bring(engine, "corp", CORP, OF_A_SIBLING)
    fed = engine.within({"suite": "fed"})
    offered = [
        DocumentInput("Ledgers of fed.", "new", metadata=FED),
        DocumentInput("Ledgers, overwritten.", "corp", metadata=FED),
        DocumentInput("Ledgers of corp.", "other", metadata=CORP),
    ]
    job = fed.jobs.submit("ingest", offered)
    with run_jobs([engine.work], tmp_path / "data"):
        while fed.jobs.job(job.job_id).state in ("queued", "running"):
            pass
    states = [(file.path, file.state) for file in fed.jobs.job(job.job_id).files]
    assert states == [("new", "ready"), ("corp", "failed"), ("other", "failed")]
    assert engine.content("corp") == OF_A_SIBLING
    assert {document.document_id for document in fed.documents().documents} == {"new"}
    with pytest.raises(DocumentNotFound):
        engine.document("other")


def test_jobs_of_other_scopes_are_not_found(engine: Engine, fed: ScopedEngine) -> None:
    corp = engine.within({"suite": "corp"})
    theirs = corp.jobs.submit("ingest", [DocumentInput("x", f"{CANARY}.md", metadata=CORP)], idempotency_key="one")
    whole = engine.jobs.submit("rebuild")
    for job_id in (theirs.job_id, whole.job_id, "never there"):
        with pytest.raises(JobNotFound):
            fed.jobs.job(job_id)
        with pytest.raises(JobNotFound):
            fed.jobs.cancel(job_id)
        with pytest.raises(InvalidRequest, match="cursor: is not a cursor issued by this API"):
            fed.jobs.list(cursor=job_id)
    assert fed.jobs.list().jobs == ()
    mine = fed.jobs.submit("ingest", [DocumentInput("y", "mine.md", metadata=FED)], idempotency_key="one")
    assert mine.job_id != theirs.job_id  # a key of a sibling is no key of mine
    assert [job.job_id for job in fed.jobs.list().jobs] == [mine.job_id]
    again = fed.jobs.submit("ingest", [DocumentInput("y", "mine.md", metadata=FED)], idempotency_key="one")
    assert again.job_id == mine.job_id
    with pytest.raises(KeyReused, match='the idempotency key "one" named another request'):
        fed.jobs.submit("ingest", [DocumentInput("z", "mine.md", metadata=FED)], idempotency_key="one")
    assert {job.job_id for job in engine.jobs.list().jobs} == {theirs.job_id, whole.job_id, mine.job_id}
    assert fed.jobs.cancel(mine.job_id).state == "cancelled"
    assert corp.jobs.job(theirs.job_id).state == "queued"


@pytest.mark.parametrize("scope", [{}, {"suit": "fed"}, {"suite": ""}])
def test_an_engine_scope_must_be_a_place(engine: Engine, scope: dict[str, str]) -> None:
    with pytest.raises(InvalidScope):
        engine.within(scope)


def test_a_version_that_came_too_late_does_not_make_a_document_look_deleted(engine: Engine, fed: ScopedEngine) -> None:
    bring(engine, "late", FED, "The ledger closes at noon.", accepted=10**18)
    bring(engine, "late", FED, "The ledger closes at one.", accepted=10**18 - 1)
    told = [(version.version, version.state, version.current) for version in engine.versions("late")]
    assert [(version.version, version.state, version.current) for version in fed.versions("late")] == told
    assert [version for version, _, current in told if current] == [1]
    engine.delete("late")
    assert {version.state for version in fed.versions("late")} == {"deleted"}
