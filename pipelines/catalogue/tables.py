"""The catalogue's tables. Every row belongs to a tenant, so that one database can hold many."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKeyConstraint, Index, LargeBinary, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

DELETED = "deleted"
"""State of a document that is gone; its row stays, see `DocumentRow`."""


class UtcDateTime(TypeDecorator[datetime]):
    """Moments in UTC; SQLite keeps no time zone, so it is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment, with its time zone."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Base(DeclarativeBase):
    """Root of the tables."""

    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON, datetime: UtcDateTime}  # noqa: RUF012 - SQLAlchemy's


class TenantRow(Base):
    """A tenant: the last committed snapshot, and what its vectors were made with."""

    __tablename__ = "tenants"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    snapshot: Mapped[int] = mapped_column(BigInteger, default=0)
    embedding: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class DocumentRow(Base):
    """A document: its state, and the number of its current version (0: none is readable).

    The row of a deleted document stays, so that the numbers of its versions are never given again.
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
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class VersionRow(Base):
    """One ingested state of a document, readable at snapshots from ``valid_from`` until before ``valid_to``."""

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
    sha256: Mapped[str] = mapped_column(String(64))
    text: Mapped[str] = mapped_column(Text, deferred=True)
    pages: Mapped[list[Any]]
    headings: Mapped[list[Any]]
    meta: Mapped[dict[str, Any]] = mapped_column("metadata")
    chunks: Mapped[int]
    bytes: Mapped[int] = mapped_column(BigInteger)
    valid_from: Mapped[int] = mapped_column(BigInteger)
    valid_to: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]


class ErasureRow(Base):
    """A deleted document whose chunks up to a snapshot still have to be taken out of the vector store."""

    __tablename__ = "erasures"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    snapshot: Mapped[int] = mapped_column(BigInteger)


class EmbeddingRow(Base):
    """A vector by the hash of the model and the text it was made of."""

    __tablename__ = "embeddings"

    key: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    vector: Mapped[bytes] = mapped_column(LargeBinary)
