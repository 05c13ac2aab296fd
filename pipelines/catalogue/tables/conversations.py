"""Conversations, their turns, and what these were made of."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ForeignKeyConstraint,
    Index,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column

from pipelines.catalogue.tables.base import Base


class ConversationRow(Base):
    """A conversation, which belongs to the scope, the key and the user that began it, together its ``owner``.

    The owner's column is called ``scope``, which it was before keys had conversations of their own. ``turns`` is the
    number of its last turn. ``summary`` sums the turns up to ``summarised`` up. A turn in progress holds
    the conversation by ``claim``, since ``claimed_at``.
    """

    __tablename__ = "conversations"
    __table_args__ = (
        Index("ix_conversations_created", "tenant", "scope", "created_at", "conversation_id"),
        Index("ix_conversations_updated", "tenant", "updated_at"),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column("scope", Text, primary_key=True)
    conversation_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    turns: Mapped[int] = mapped_column(default=0)
    summary: Mapped[str | None] = mapped_column(Text)
    summarised: Mapped[int] = mapped_column(default=0)
    claim: Mapped[str | None] = mapped_column(String(36))
    claimed_at: Mapped[datetime | None]
    owner_scope: Mapped[str] = mapped_column(Text, server_default="")
    owner_key: Mapped[str] = mapped_column(Text, server_default="")
    owner_user: Mapped[str] = mapped_column(Text, server_default="")
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class TurnRow(Base):
    """A turn of a conversation. ``sent`` is the prompt of the language model and ``said`` its reply, word for word.

    ``erased``: its text was erased with one of its documents.
    """

    __tablename__ = "turns"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant", "scope", "conversation_id"],
            ["conversations.tenant", "conversations.scope", "conversations.conversation_id"],
            ondelete="CASCADE",
        ),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column("scope", Text, primary_key=True)
    conversation_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    answer_id: Mapped[str] = mapped_column(String(36))
    question: Mapped[str] = mapped_column(Text)
    rewritten_question: Mapped[str | None] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    citations: Mapped[list[Any]]
    facts: Mapped[dict[str, Any]]
    sent: Mapped[str | None] = mapped_column(Text)
    said: Mapped[str | None] = mapped_column(Text)
    erased: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]


class TurnSourceRow(Base):
    """A version that a turn was made of; see `TurnRow`."""

    __tablename__ = "turn_sources"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant", "scope", "conversation_id", "number"],
            ["turns.tenant", "turns.scope", "turns.conversation_id", "turns.number"],
            ondelete="CASCADE",
        ),
        Index("ix_turn_sources_document", "tenant", "document_id"),
    )

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column("scope", Text, primary_key=True)
    conversation_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[str] = mapped_column(Text, primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
