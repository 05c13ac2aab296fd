"""Keys and the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column

from pipelines.catalogue.tables.base import Base, Blob


class KeyRow(Base):
    """A key: the SHA-256 of its secret, and of the one before, which counts until ``previous_until``.

    The row of a revoked key stays, so that its name, to which conversations belong, is never given again.
    """

    __tablename__ = "keys"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    role: Mapped[str] = mapped_column(String(16))
    scope: Mapped[dict[str, Any]]
    sha256: Mapped[Blob] = mapped_column(LargeBinary(32))
    previous_sha256: Mapped[Blob | None] = mapped_column(LargeBinary(32))
    previous_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]


class AuditRow(Base):
    """An entry of the audit log; see `pipelines.types.AuditEntry`."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_tenant", "tenant", "number"),)

    number: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    )
    tenant: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]
    key_name: Mapped[str] = mapped_column(String(100))
    address: Mapped[str] = mapped_column(String(64))
    action: Mapped[str] = mapped_column(String(64))
    target: Mapped[str] = mapped_column(Text)
    result: Mapped[str] = mapped_column(String(64))
    request_id: Mapped[str] = mapped_column(String(128))
