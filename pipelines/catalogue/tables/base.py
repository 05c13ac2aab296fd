"""What all tables share, and the tenant's row."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    String,
    Text,
    TypeDecorator,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

Blob = bytes  # a name that no column hides


class UtcDateTime(TypeDecorator[datetime]):
    """Moments in UTC; SQLite keeps no time zone, so it is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment, with its time zone."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Base(DeclarativeBase):
    """Root of the tables."""

    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON, datetime: UtcDateTime}  # noqa: RUF012 - SQLAlchemy's


class TenantRow(Base):
    """A tenant: the last committed snapshot, and what its vectors were made with.

    ``horizon`` is the oldest snapshot whose history is whole. ``generation`` numbers the vector store in use: another
    embedding model's vectors are built in the next one. ``embedding_section`` is the profile's section that made them.
    """

    __tablename__ = "tenants"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    snapshot: Mapped[int] = mapped_column(BigInteger, default=0)
    horizon: Mapped[int] = mapped_column(BigInteger, default=0)
    generation: Mapped[int] = mapped_column(default=0)
    embedding: Mapped[str] = mapped_column(Text)
    embedding_section: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
