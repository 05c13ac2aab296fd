"""The shapes of the native API that a tenant client returns, under one name."""

from __future__ import annotations

from app.native.schemas.conversations import ConversationDeletionResponse, ConversationSchema, ConversationsResponse
from app.native.schemas.documents import (
    ChunksResponse,
    DeletionResponse,
    DocumentSchema,
    DocumentsResponse,
    FailedSchema,
    IngestedSchema,
    VersionsResponse,
)
from app.native.schemas.explain import ExplainResponse
from app.native.schemas.facets import FacetsResponse
from app.native.schemas.feedback import (
    ExperimentsResponse,
    FeedbackRequest,
    FeedbackResponse,
    FeedbackSchema,
    UnlabelledResponse,
    WithdrawnResponse,
)
from app.native.schemas.jobs import FileSchema, JobAcceptedResponse, JobSchema, JobsResponse
from app.native.schemas.keys import AuditResponse, IssuedKeySchema, KeyRequest, KeySchema, KeysResponse
from app.native.schemas.search import ANSWER_PARTS, AnswerPart, QueryResponse, SearchResponse
from app.native.schemas.upkeep import DoctorResponse, StatsResponse, SyncResponse

__all__ = [
    "ANSWER_PARTS",
    "AnswerPart",
    "AuditResponse",
    "ChunksResponse",
    "ConversationDeletionResponse",
    "ConversationSchema",
    "ConversationsResponse",
    "DeletionResponse",
    "DoctorResponse",
    "DocumentSchema",
    "DocumentsResponse",
    "ExperimentsResponse",
    "ExplainResponse",
    "FacetsResponse",
    "FailedSchema",
    "FeedbackRequest",
    "FeedbackResponse",
    "FeedbackSchema",
    "FileSchema",
    "IngestedSchema",
    "IssuedKeySchema",
    "JobAcceptedResponse",
    "JobSchema",
    "JobsResponse",
    "KeyRequest",
    "KeySchema",
    "KeysResponse",
    "QueryResponse",
    "SearchResponse",
    "StatsResponse",
    "SyncResponse",
    "UnlabelledResponse",
    "VersionsResponse",
    "WithdrawnResponse",
]
