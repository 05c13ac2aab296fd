"""What is used and asked, how long it takes, and what was set at run time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    LargeBinary,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column

from pipelines.catalogue.tables.base import Base
from pipelines.types import AbstainReason


class SettingsRow(Base):
    """What was set for a tenant while it was at work, under a name."""

    __tablename__ = "settings"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[dict[str, Any]]


class DocumentUseRow(Base):
    """How often a document was among the hits of callers with ``scope`` (empty: none), and when last."""

    __tablename__ = "document_uses"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger)
    last: Mapped[datetime]


class QueryUseRow(Base):
    """How often a query was asked, by the hash of its text in lower case, and the sum of its best hits' scores."""

    __tablename__ = "query_uses"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    query: Mapped[str] = mapped_column(Text)
    count: Mapped[int] = mapped_column(BigInteger)
    relevance: Mapped[float]
    last: Mapped[datetime]


class UnansweredRow(Base):
    """How often a question was not answered, by the hash of its text in lower case, and the reason."""

    __tablename__ = "unanswered"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    reason: Mapped[AbstainReason] = mapped_column(String(16), primary_key=True)
    query: Mapped[str] = mapped_column(Text)
    count: Mapped[int] = mapped_column(BigInteger)
    last: Mapped[datetime]


class TimingRow(Base):
    """A bar of a histogram: how many pieces of work of a kind took about so long, see `pipelines.catalogue.usage`."""

    __tablename__ = "timings"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    bar: Mapped[int] = mapped_column(primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger)
    items: Mapped[int] = mapped_column(BigInteger)
    milliseconds: Mapped[float]
