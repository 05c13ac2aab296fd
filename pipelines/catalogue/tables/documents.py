"""Documents, their versions, and what is kept of their making."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column

from pipelines.catalogue.tables.base import Base
from pipelines.types import PurgeState

DELETED = "deleted"
"""State of a document that is gone; its row stays, see `DocumentRow`."""


class DocumentRow(Base):
    """A document: its state, and the number of its current version (0: none is readable).

    ``accepted`` is the time of the latest offer or deletion that took effect: an earlier one that ends later does not.
    The row of a deleted document stays, so that the numbers of its versions are never given again; `PurgeRow` takes the
    place of a purged document's.
    """

    __tablename__ = "documents"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    media_type: Mapped[str] = mapped_column(Text)
    origin: Mapped[str] = mapped_column(String(16))
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(Text)
    version: Mapped[int]
    last_version: Mapped[int]
    accepted: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class VersionRow(Base):
    """One ingested state of a document, readable at snapshots from ``valid_from`` until before ``valid_to``.

    ``sha256`` is of what was offered, ``pipeline`` of what decides which chunks that becomes. ``accepted`` orders the
    offers of one document (nanoseconds since 1970): one that a later offer overtook is kept, and never readable.
    ``chunking`` is what its giver asked for instead of the profile's way of cutting, if anything. ``reader`` is the
    number of what read it, see `pipelines.reading.formats.Format`; null: of a release that did not note it.
    """

    __tablename__ = "versions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant", "document_id"], ["documents.tenant", "documents.document_id"], ondelete="CASCADE"
        ),
        Index("ix_versions_valid", "tenant", "valid_from", "valid_to"),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    media_type: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(String(64))
    pipeline: Mapped[str] = mapped_column(String(64))
    accepted: Mapped[int] = mapped_column(BigInteger)
    text: Mapped[str] = mapped_column(Text, deferred=True)
    pages: Mapped[list[Any]]
    headings: Mapped[list[Any]]
    blocks: Mapped[list[Any]] = mapped_column(JSON, deferred=True, server_default="[]")
    pictures: Mapped[list[Any]] = mapped_column(server_default="[]")
    meta: Mapped[dict[str, Any]] = mapped_column("metadata")
    language: Mapped[str | None] = mapped_column(String(8))
    reader: Mapped[int | None]
    chunking: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    chunks: Mapped[int]
    bytes: Mapped[int] = mapped_column(BigInteger)
    valid_from: Mapped[int] = mapped_column(BigInteger)
    valid_to: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class OriginalRow(Base):
    """A file as it came, by the ``sha256`` of the versions read from it; kept where its pages can be shown."""

    __tablename__ = "originals"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant", "document_id"], ["documents.tenant", "documents.document_id"], ondelete="CASCADE"
        ),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class PictureRow(Base):
    """The file of a picture, by the ``sha256`` of the versions that show it, and its number in them."""

    __tablename__ = "pictures"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant", "document_id"], ["documents.tenant", "documents.document_id"], ondelete="CASCADE"
        ),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    media_type: Mapped[str] = mapped_column(String(64))
    content: Mapped[bytes] = mapped_column(LargeBinary)


class CleanupRow(Base):
    """What is still to be done in the vector store for a document, whose commit shows it done already.

    ``retire``: chunks that began before ``snapshot`` end there. ``erase``: they go. ``trim``: what ended by it goes.
    """

    __tablename__ = "cleanups"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[Literal["retire", "erase", "trim"]] = mapped_column(String(16))
    snapshot: Mapped[int] = mapped_column(BigInteger)


class PurgeRow(Base):
    """The receipt of a purge, by the SHA-256 of the document's id: the id itself is gone too.

    ``removed`` counts the rows that went, by what they were. ``last_version`` and ``accepted`` are the document's, see
    `DocumentRow`: they hold when a document of the same id is ingested again.
    """

    __tablename__ = "purges"
    __table_args__ = (Index("ix_purges_state", "tenant", "state"),)

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    key: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    state: Mapped[PurgeState] = mapped_column(String(16))
    last_version: Mapped[int]
    accepted: Mapped[int] = mapped_column(BigInteger)
    snapshot: Mapped[int] = mapped_column(BigInteger)
    removed: Mapped[dict[str, Any]]
    requested_at: Mapped[datetime]
    erased_at: Mapped[datetime | None]


class EmbeddingRow(Base):
    """A vector by the hash of the model and the text it was made of, with the document that first held the text."""

    __tablename__ = "embeddings"
    __table_args__ = (Index("ix_embeddings_document", "tenant", "document_id"),)

    key: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text)
    vector: Mapped[bytes] = mapped_column(LargeBinary)


class ExtractRow(Base):
    """What a language model made of a text, by the hash of both, with the document that first held the text."""

    __tablename__ = "extracts"
    __table_args__ = (Index("ix_extracts_document", "tenant", "document_id"),)

    key: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text)
    value: Mapped[list[Any]]


class FileRow(Base):
    """A file of the knowledge folder as it was when it was last ingested: an unchanged file is not read again.

    ``settled`` is false where the file had been written so shortly before that its time stamp proves nothing.
    ``document_id`` is the document that it became; null: the one named by its path.
    """

    __tablename__ = "files"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    path: Mapped[str] = mapped_column(Text, primary_key=True)
    size: Mapped[int] = mapped_column(BigInteger)
    modified_ns: Mapped[int] = mapped_column(BigInteger)
    inode: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    settled: Mapped[bool]
    document_id: Mapped[str | None] = mapped_column(Text)
