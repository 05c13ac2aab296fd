"""A tenant with a past, and what damages its store or its catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from llama_index.core.schema import TextNode
from qdrant_client import models

from pipelines import Engine
from pipelines.catalogue import census
from pipelines.catalogue.tables import DocumentRow, VersionRow
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.ingestion import doctor as doctors
from pipelines.ingestion.chunk_ids import chunk_id
from pipelines.types import DocumentInput, Examination

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


def findings_of(examination: Examination) -> list[tuple[str, str | None, int | None]]:
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


def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is looked at in small parts, as where there is much of it."""
    monkeypatch.setattr(census, "_DOCUMENTS_AT_ONCE", 2)
    monkeypatch.setattr(doctors, "_CHUNKS_AT_ONCE", 3)
    monkeypatch.setattr(doctors, "_ASKED_AT_ONCE", 3)
