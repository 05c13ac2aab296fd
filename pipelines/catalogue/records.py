"""What goes into the catalogue and comes out of it, and how that stands in its rows."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime

from pipelines.catalogue.tables import DocumentRow, VersionRow
from pipelines.types import Document, Heading, Metadata, Origin, Page, Span

NEVER = 2**40
"""``valid_to`` of what is current: beyond any snapshot, and exact as a float, which Qdrant's ranges are."""


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version about to be committed."""

    document_id: str
    title: str
    source: str
    media_type: str
    origin: Origin
    sha256: str
    text: str
    pages: tuple[Page, ...]
    headings: tuple[Heading, ...]
    metadata: Metadata
    chunks: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Version:
    """A committed version with its text and structure."""

    document_id: str
    version: int
    title: str
    source: str
    text: str
    pages: tuple[Page, ...]
    headings: tuple[Heading, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """How much is readable at the current snapshot, and how many versions are kept."""

    documents: int
    failed: int
    chunks: int
    versions: int


def new_document(tenant: str, document_id: str, source: str, media_type: str, origin: Origin) -> DocumentRow:
    """The row of a document that nothing is known of yet."""
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
        created_at=moment,
        updated_at=moment,
    )


def version_row(tenant: str, number: int, snapshot: int, new: NewVersion) -> VersionRow:
    """The row of a version that is readable from ``snapshot`` on."""
    return VersionRow(
        tenant=tenant,
        document_id=new.document_id,
        version=number,
        sha256=new.sha256,
        text=new.text,
        pages=[[page.number, page.span.start, page.span.end, page.label] for page in new.pages],
        headings=[[heading.level, heading.title, heading.start] for heading in new.headings],
        meta=dict(new.metadata),
        chunks=new.chunks,
        bytes=new.bytes,
        valid_from=snapshot,
        valid_to=NEVER,
        created_at=now(),
    )


def to_document(row: DocumentRow, version: VersionRow | None) -> Document:
    """A document as it is listed."""
    return Document(
        document_id=row.document_id,
        title=row.title,
        source=row.source,
        media_type=row.media_type,
        state="ready" if row.state == "ready" else "failed",
        reason=row.reason,
        version=row.version,
        chunks=version.chunks if version else 0,
        bytes=version.bytes if version else 0,
        metadata=version.meta if version else {},
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def to_version(row: VersionRow, document: DocumentRow) -> Version:
    """A version as it is read."""
    return Version(
        document_id=row.document_id,
        version=row.version,
        title=document.title,
        source=document.source,
        text=row.text,
        pages=tuple(Page(number, Span(start, end), label) for number, start, end, label in row.pages),
        headings=tuple(Heading(level, title, start) for level, title, start in row.headings),
    )


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)
