"""Jobs and their files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column

from pipelines.catalogue.tables.base import Base, Blob


class JobRow(Base):
    """A job: what was asked, how far it is, and how it ended."""

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_created", "tenant", "created_at", "job_id"),
        Index("ix_jobs_state", "tenant", "state"),
        Index("ix_jobs_key", "tenant", "idempotency_key", unique=True),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    job_id: Mapped[str] = mapped_column(String(36), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    state: Mapped[str] = mapped_column(String(16))
    priority: Mapped[int]
    options: Mapped[dict[str, Any]]
    accepted: Mapped[int] = mapped_column(BigInteger)
    attempt: Mapped[int] = mapped_column(default=0)
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    request_sha256: Mapped[str] = mapped_column(String(64))
    files_total: Mapped[int | None]
    reason: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class JobFileRow(Base):
    """One file of a job: its state, and until it is done what it brings."""

    __tablename__ = "job_files"
    __table_args__ = (ForeignKeyConstraint(["tenant", "job_id"], ["jobs.tenant", "jobs.job_id"], ondelete="CASCADE"),)

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    job_id: Mapped[str] = mapped_column(String(36), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(Text)
    offered: Mapped[dict[str, Any] | None]
    content: Mapped[Blob | None] = mapped_column(LargeBinary, deferred=True)
    chunks: Mapped[int] = mapped_column(default=0)
    bytes: Mapped[int] = mapped_column(BigInteger, default=0)
