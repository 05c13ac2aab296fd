"""Whether a tenant is whole: its store holds exactly the chunks that its catalogue promises, and readers see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import undefer

from pipelines.catalogue import NEVER
from pipelines.catalogue.tables import DocumentRow, VersionRow
from pipelines.engine import Engine
from pipelines.errors import DocumentNotFound
from pipelines.types import Hit

Stored = dict[tuple[str, int], list[dict[str, Any]]]


def settle(engine: Engine) -> None:
    """Waits until what a deletion leaves for later is done."""
    engine._parts.writing.cleaner._background.submit(lambda: None).result()
    engine._parts.writing.cleaner.finish()


def problems_of(engine: Engine) -> list[str]:
    """What is wrong with a tenant that nobody writes to; nothing, when every version is there once, and whole."""
    with sa.orm.Session(engine._parts.catalogue.engine) as session:
        mine = sa.select(VersionRow).where(VersionRow.tenant == engine.tenant)
        versions = session.scalars(mine.options(undefer(VersionRow.text))).all()
        documents = session.scalars(sa.select(DocumentRow).where(DocumentRow.tenant == engine.tenant)).all()
    stored: Stored = defaultdict(list)
    for _, payload in engine._parts.indexes.current.store.scan():
        stored[payload["document_id"], payload["version"]].append(payload)
    return [
        *_of_documents(documents, versions),
        *_of_versions(versions, stored),
        *(f"orphans: {len(chunks)} chunks of {key}" for key, chunks in stored.items()),
        *(f"the doctor says: {finding}" for finding in engine.doctor().findings if finding.kind != "stale"),
    ]


def texts_of(engine: Engine) -> dict[str, tuple[int, str]]:
    """The readable version of every document, and its text, as the catalogue has them."""
    query = sa.select(VersionRow.document_id, VersionRow.version, VersionRow.text)
    with engine._parts.catalogue.engine.connect() as connection:
        rows = connection.execute(query.where(VersionRow.tenant == engine.tenant, VersionRow.valid_to == NEVER))
        return {document_id: (version, text) for document_id, version, text in rows}


def problems_of_reading(text: str, chunks: Sequence[Hit], version: int | None = None) -> list[str]:
    """What is wrong with the ``chunks`` that were read of one document, if they are to be the whole of ``text``."""
    numbers = {chunk.version for chunk in chunks}
    if len(numbers) != 1:
        return [f"versions {sorted(numbers)} at once"]
    found = [] if version is None or numbers == {version} else [f"version {numbers} instead of {version}"]
    spans = [(chunk.span.start, chunk.span.end, chunk.content) for chunk in chunks]
    return found + list(_of_spans(text, spans))


def readable(engine: Engine, document_id: str, as_of: int | None = None) -> tuple[int, str] | None:
    """The version of a document that every kind of read gives, and its text; None where none does.

    Raises:
        AssertionError: They do not agree, or one of them gives less or more than one whole version.
    """
    hits = engine.search("sentence", top_k=100, filters={"name": document_id}, as_of=as_of).hits
    try:
        text = engine.content(document_id, as_of=as_of)
    except DocumentNotFound:
        assert not hits, f"{document_id} is found at {as_of}, and has no content"
        return None
    chunks = engine.chunks(document_id, as_of=as_of)
    version = chunks[0].version
    assert not problems_of_reading(text, chunks)
    assert not problems_of_reading(text, hits, version)
    assert {chunk.chunk_id for chunk in chunks} == {hit.chunk_id for hit in hits}
    return version, text


def _of_documents(documents: Iterable[DocumentRow], versions: Iterable[VersionRow]) -> Iterator[str]:
    by_document = defaultdict(list)
    for version in versions:
        by_document[version.document_id].append(version)
    for document in documents:
        intervals = sorted(
            (version.valid_from, version.valid_to, version.version)
            for version in by_document[document.document_id]
            if version.valid_from < version.valid_to
        )
        current = [number for _, end, number in intervals if end == NEVER]
        if current != ([document.version] if document.version else []):
            yield f"{document.document_id}: {current} are readable, its version is {document.version}"
        if any(following[0] < before[1] for before, following in pairwise(intervals)):
            yield f"{document.document_id}: versions at the same time: {intervals}"


def _of_versions(versions: Iterable[VersionRow], stored: Stored) -> Iterator[str]:
    for row in versions:
        key = (row.document_id, row.version)
        chunks = stored.pop(key, [])
        if [chunk["index"] for chunk in sorted(chunks, key=lambda chunk: chunk["index"])] != list(range(row.chunks)):
            yield f"{key}: {len(chunks)} chunks are stored instead of {row.chunks}"
        if any((chunk["valid_from"], chunk["valid_to"]) != (row.valid_from, row.valid_to) for chunk in chunks):
            yield f"{key}: readable {row.valid_from}-{row.valid_to}, which its chunks deny"
        if chunks:
            spans = [(chunk["start"], chunk["end"], chunk["text"]) for chunk in chunks]
            yield from (f"{key}: {problem}" for problem in _of_spans(row.text, spans))


def _of_spans(text: str, spans: Iterable[tuple[int, int, str]]) -> Iterator[str]:
    uncovered = {place for place, character in enumerate(text) if not character.isspace()}
    for start, end, content in spans:
        if text[start:end] != content:
            yield f"{start}-{end} of the text is not {content!r}"
        uncovered.difference_update(range(start, end))
    if uncovered:
        yield f"{len(uncovered)} characters of the text are in no chunk"
