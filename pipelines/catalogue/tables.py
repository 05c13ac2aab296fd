"""The catalogue's tables. Every row belongs to a tenant, so that one database can hold many."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKeyConstraint, Index, LargeBinary, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from pipelines.types import AbstainReason, PurgeState

Blob = bytes  # a name that no column hides
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
    ``chunking`` is what its giver asked for instead of the profile's way of cutting, if anything.
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
    blocks: Mapped[list[Any]] = mapped_column(JSON, deferred=True)
    meta: Mapped[dict[str, Any]] = mapped_column("metadata")
    chunking: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    chunks: Mapped[int]
    bytes: Mapped[int] = mapped_column(BigInteger)
    valid_from: Mapped[int] = mapped_column(BigInteger)
    valid_to: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


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
    """A file of the knowledge folder as it was when it was last brought in: what has not changed is not read again.

    ``settled`` is false where the file had been written so shortly before that its time stamp proves nothing.
    """

    __tablename__ = "files"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    path: Mapped[str] = mapped_column(Text, primary_key=True)
    size: Mapped[int] = mapped_column(BigInteger)
    modified_ns: Mapped[int] = mapped_column(BigInteger)
    inode: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    settled: Mapped[bool]


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


class ConversationRow(Base):
    """A conversation, which belongs to the scope, the key and the user that began it, together its ``owner``.

    The owner's column is called ``scope``, which it was before keys had conversations of their own. ``turns`` is the
    number of its last turn. ``summary`` says what was said up to turn ``summarised``. A turn that is under way holds
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
    """A turn of a conversation. ``sent`` and ``said`` are what the language model was sent and said, word for word.

    ``erased``: what was said went with a document that it was made of.
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


class SettingsRow(Base):
    """What was set for a tenant while it was at work, under a name."""

    __tablename__ = "settings"

    tenant: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[dict[str, Any]]


class DocumentUseRow(Base):
    """How often a document was among the hits of those who are held to ``scope`` (empty: to none), and when last."""

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
    """How often a question was asked in vain, by the hash of its text in lower case, and for what reason."""

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
