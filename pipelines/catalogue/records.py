"""What goes into the catalogue and comes out of it, and how that stands in its rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from pipelines.catalogue.tables import DocumentRow, VersionRow
from pipelines.filters.facts import DescribedMetadata, facts_of, moments_of
from pipelines.types import (
    Block,
    ChunkSize,
    Document,
    DocumentState,
    Heading,
    Metadata,
    Origin,
    Page,
    PlacedPicture,
    Span,
    VersionInfo,
    read_pictures,
    written_pictures,
)

NEVER = 2**40
"""``valid_to`` of what is current: beyond any snapshot, and exact as a float, which Qdrant's ranges are."""


CleanupKind = Literal["retire", "erase", "trim"]


@dataclass(frozen=True, slots=True)
class VersionContent:
    """What a version consists of; see `VersionRow` for its hashes and ``accepted``."""

    document_id: str
    title: str
    source: str
    media_type: str
    origin: Origin
    sha256: str
    pipeline: str
    accepted: int
    text: str
    pages: tuple[Page, ...]
    headings: tuple[Heading, ...]
    metadata: Metadata
    chunks: int
    bytes: int
    chunking: ChunkSize | None = None
    blocks: tuple[Block, ...] = ()
    pictures: tuple[PlacedPicture, ...] = ()
    language: str | None = None
    reader: int | None = None


@dataclass(frozen=True, slots=True)
class NewVersion(VersionContent):
    """A version about to be committed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(VersionContent):
    """A committed version, readable at ``valid_from <= snapshot < valid_to``."""

    metadata: DescribedMetadata
    version: int
    valid_from: int
    valid_to: int


@dataclass(frozen=True, slots=True)
class Current:
    """What a commit or a reader needs to know of a document's readable version."""

    version: int
    sha256: str
    pipeline: str
    media_type: str
    reader: int | None = None


CURRENT_COLUMNS = (
    VersionRow.version,
    VersionRow.sha256,
    VersionRow.pipeline,
    VersionRow.media_type,
    VersionRow.reader,
)
"""What a `Current` is made of, in its order."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a tenant's vectors were made with, and which of its vector stores holds them.

    ``fresh``: nothing was known of the tenant before.
    """

    embedding: str
    section: Mapping[str, Any]
    generation: int
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Cleanup:
    """What is still to be done to a document's chunks; see `CleanupRow`."""

    document_id: str
    kind: CleanupKind
    snapshot: int


@dataclass(frozen=True, slots=True)
class Totals:
    """How much is readable at the current snapshot, and how many versions are kept."""

    documents: int
    failed: int
    stale: int
    chunks: int
    versions: int


def new_document(tenant: str, document_id: str, source: str, media_type: str, origin: Origin) -> DocumentRow:
    """Return the row of a document that nothing is known of yet."""
    moment = now()
    return DocumentRow(
        tenant=tenant,
        document_id=document_id,
        title=os.path.basename(source) or document_id,
        source=source,
        media_type=media_type,
        origin=origin,
        state="failed",
        version=0,
        last_version=0,
        accepted=0,
        created_at=moment,
        updated_at=moment,
    )


def version_row(tenant: str, number: int, valid_from: int, valid_to: int, new: NewVersion) -> VersionRow:
    """Return the row of a version that is readable between these snapshots."""
    return VersionRow(
        tenant=tenant,
        document_id=new.document_id,
        version=number,
        title=new.title,
        source=new.source,
        media_type=new.media_type,
        sha256=new.sha256,
        pipeline=new.pipeline,
        accepted=new.accepted,
        text=new.text,
        pages=[[page.number, page.span.start, page.span.end, page.label] for page in new.pages],
        headings=[[heading.level, heading.title, heading.start] for heading in new.headings],
        blocks=[[block.kind, block.span.start, block.span.end, block.level, block.line] for block in new.blocks],
        pictures=written_pictures(new.pictures),
        meta=dict(new.metadata),
        language=new.language,
        reader=new.reader,
        chunking=None if new.chunking is None else asdict(new.chunking),
        chunks=new.chunks,
        bytes=new.bytes,
        valid_from=valid_from,
        valid_to=valid_to,
        created_at=now(),
        ended_at=None if valid_to == NEVER else now(),
    )


def to_document(row: DocumentRow, version: VersionRow | None, stale: bool) -> Document:
    """Return a document as it is listed."""
    state: DocumentState = "failed" if version is None else "stale" if stale else "ready"
    return Document(
        document_id=row.document_id,
        title=row.title,
        source=row.source,
        media_type=row.media_type,
        state=state,
        reason=row.reason,
        version=row.version,
        chunks=version.chunks if version else 0,
        bytes=version.bytes if version else 0,
        metadata=version.meta if version else {},
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def described_metadata(row: Any, created_at: datetime) -> DescribedMetadata:
    """Return a version's metadata with the facts of its document, which came at ``created_at``."""
    facts = facts_of(row.source, row.bytes, row.language) | moments_of(created_at, row.created_at)
    return DescribedMetadata(row.meta, facts)


def to_version(row: VersionRow, origin: str, created_at: datetime) -> Version:
    """Return a version as it is read; its document came at ``created_at``."""
    return Version(
        document_id=row.document_id,
        version=row.version,
        title=row.title,
        source=row.source,
        media_type=row.media_type,
        origin="knowledge" if origin == "knowledge" else "given",
        sha256=row.sha256,
        pipeline=row.pipeline,
        accepted=row.accepted,
        text=row.text,
        pages=to_pages(row.pages),
        headings=to_headings(row.headings),
        blocks=to_blocks(row.blocks),
        pictures=read_pictures(row.pictures),
        metadata=described_metadata(row, created_at),
        language=row.language,
        reader=row.reader,
        chunks=row.chunks,
        bytes=row.bytes,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        chunking=None if row.chunking is None else ChunkSize(**row.chunking),
    )


def to_pages(written: Sequence[Any]) -> tuple[Page, ...]:
    """Return pages as they are read."""
    return tuple(Page(number, Span(start, end), label) for number, start, end, label in written)


def to_headings(written: Sequence[Any]) -> tuple[Heading, ...]:
    """Return headings as they are read."""
    return tuple(Heading(level, title, start) for level, title, start in written)


def to_blocks(written: Sequence[Any]) -> tuple[Block, ...]:
    """Return blocks as they are read."""
    return tuple(Block(kind, Span(start, end), level, line) for kind, start, end, level, line in written)


def to_info(row: VersionRow, stale: bool, deleted: bool) -> VersionInfo:
    """Return a version as it is listed; ``deleted`` is whether its document is gone."""
    ended = None if row.valid_to == NEVER else row.valid_to
    past: Literal["deleted", "superseded"] = "deleted" if deleted else "superseded"
    return VersionInfo(
        version=row.version,
        snapshot=row.valid_from,
        ended=ended,
        sha256=row.sha256,
        pipeline=row.pipeline,
        title=row.title,
        source=row.source,
        metadata=row.meta,
        chunks=row.chunks,
        bytes=row.bytes,
        state=past if ended is not None else "stale" if stale else "ready",
        created_at=row.created_at,
        ended_at=row.ended_at,
    )


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)
