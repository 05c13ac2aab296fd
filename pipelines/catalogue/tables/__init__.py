"""The catalogue's tables. Every row belongs to a tenant, so that one database can hold many."""

from __future__ import annotations

from pipelines.catalogue.tables.access import AuditRow, KeyRow
from pipelines.catalogue.tables.answers import AnswerRow, FeedbackRow, FeedbackSourceRow
from pipelines.catalogue.tables.base import Base, Blob, TenantRow, UtcDateTime
from pipelines.catalogue.tables.conversations import ConversationRow, TurnRow, TurnSourceRow
from pipelines.catalogue.tables.documents import (
    DELETED,
    CleanupRow,
    DocumentRow,
    EmbeddingRow,
    ExtractRow,
    FileRow,
    OriginalRow,
    PictureRow,
    PurgeRow,
    VersionRow,
)
from pipelines.catalogue.tables.jobs import JobFileRow, JobRow
from pipelines.catalogue.tables.usage import DocumentUseRow, QueryUseRow, SettingsRow, TimingRow, UnansweredRow

__all__ = [
    "DELETED",
    "AnswerRow",
    "AuditRow",
    "Base",
    "Blob",
    "CleanupRow",
    "ConversationRow",
    "DocumentRow",
    "DocumentUseRow",
    "EmbeddingRow",
    "ExtractRow",
    "FeedbackRow",
    "FeedbackSourceRow",
    "FileRow",
    "JobFileRow",
    "JobRow",
    "KeyRow",
    "OriginalRow",
    "PictureRow",
    "PurgeRow",
    "QueryUseRow",
    "SettingsRow",
    "TenantRow",
    "TimingRow",
    "TurnRow",
    "TurnSourceRow",
    "UnansweredRow",
    "UtcDateTime",
    "VersionRow",
]
