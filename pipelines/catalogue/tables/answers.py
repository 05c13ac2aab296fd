"""Given answers and the feedback on them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ForeignKeyConstraint,
    Index,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column

from pipelines.catalogue.tables.base import Base


class AnswerRow(Base):
    """An answer that was given, without its text: who asked what, what came of it, and what it was made of.

    ``scope`` is that of who asked ("": the whole tenant), ``caller`` who that was ("": unknown). ``asked`` holds the
    filters and the scope of the question. ``citations`` are [number, document, version, chunk, start, end], ``sources``
    [document, version] of all that was read for it. ``prompt`` is the fingerprint of the prompt, where a model was to
    write.
    """

    __tablename__ = "answers"
    __table_args__ = (
        Index("ix_answers_created", "tenant", "created_at"),
        Index("ix_answers_conversation", "tenant", "conversation_id"),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    answer_id: Mapped[str] = mapped_column(String(36), primary_key=True)
    scope: Mapped[str] = mapped_column(Text)
    caller: Mapped[str] = mapped_column(Text)
    conversation_id: Mapped[str | None] = mapped_column(String(200))
    question: Mapped[str] = mapped_column(Text)
    follow_up: Mapped[bool]
    asked: Mapped[dict[str, Any]]
    abstained: Mapped[bool]
    reason: Mapped[str | None] = mapped_column(String(32))
    confidence: Mapped[float]
    model: Mapped[str] = mapped_column(Text)
    llm_generated: Mapped[bool]
    degraded: Mapped[bool]
    variant: Mapped[str | None] = mapped_column(String(64))
    prompt: Mapped[str | None] = mapped_column(String(16))
    snapshot: Mapped[int] = mapped_column(BigInteger)
    citations: Mapped[list[Any]]
    sources: Mapped[list[Any]]
    supported: Mapped[int]
    partial: Mapped[int]
    unsupported: Mapped[int]
    took_ms: Mapped[float]
    created_at: Mapped[datetime]


class FeedbackRow(Base):
    """What one caller says of one answer: ``citations`` are [number, correct, comment].

    ``wrong`` counts the citations that it marks wrong. ``erased``: the comments went with a document.
    """

    __tablename__ = "feedback"
    __table_args__ = (
        ForeignKeyConstraint(["tenant", "answer_id"], ["answers.tenant", "answers.answer_id"], ondelete="CASCADE"),
        Index("ix_feedback_updated", "tenant", "updated_at", "answer_id", "caller"),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    answer_id: Mapped[str] = mapped_column(String(36), primary_key=True)
    caller: Mapped[str] = mapped_column(Text, primary_key=True)
    helpful: Mapped[bool | None]
    comment: Mapped[str | None] = mapped_column(Text)
    citations: Mapped[list[Any]]
    wrong: Mapped[int]
    erased: Mapped[bool]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class FeedbackSourceRow(Base):
    """A version that an answer was made of which somebody wrote comments on; they go with it."""

    __tablename__ = "feedback_sources"
    __table_args__ = (
        ForeignKeyConstraint(["tenant", "answer_id"], ["answers.tenant", "answers.answer_id"], ondelete="CASCADE"),
        Index("ix_feedback_sources_document", "tenant", "document_id"),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    answer_id: Mapped[str] = mapped_column(String(36), primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
