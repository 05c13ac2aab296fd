"""Shapes of conversations."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from app.http.validation import StrictModel
from app.native.schemas.base import Cursor, Limit, ParameterText, Shape
from app.native.schemas.search import CitationSchema


class ConversationListParameters(StrictModel):
    """Query parameters of the list of conversations."""

    limit: Limit = 50
    cursor: Cursor | None = None
    key: ParameterText | None = Field(default=None, description="only those of the key of this name; for admins")
    user: ParameterText | None = Field(default=None, description="only those of this user")


class OwnerParameters(StrictModel):
    """Whose conversation is meant, where that is not clear."""

    key: ParameterText | None = Field(default=None, description="name of the key that it belongs to; for admins")
    user: ParameterText | None = Field(default=None, description="the user that it belongs to")


class TurnSchema(Shape):
    """A question and its answer, numbered from 1. `erased`: the answer went with a document that it was made of."""

    number: int
    question: str
    rewritten_question: str | None
    answer: str = Field(validation_alias="text")
    answer_id: str
    citations: list[CitationSchema]
    abstained: bool
    confidence: float
    model: str
    llm_generated: bool
    degraded: bool
    snapshot: int
    erased: bool
    created_at: datetime


class ConversationSummarySchema(Shape):
    """A conversation as it is listed: its first question as the title, and how many turns it has."""

    conversation_id: str
    title: str
    length: int
    created_at: datetime
    updated_at: datetime
    expires_at: datetime = Field(description="when it is deleted, unless it is continued")
    key: str = Field(default="", description="name of the key that it belongs to; empty: none")
    user: str = Field(default="", description="the user that it belongs to; empty: none")


class ConversationSchema(ConversationSummarySchema):
    """A conversation with everything that was asked and answered in it."""

    turns: list[TurnSchema]


class ConversationsResponse(Shape):
    """A page of conversations, newest first."""

    conversations: list[ConversationSummarySchema]
    next_cursor: str | None


class ConversationsDeletionResponse(Shape):
    """How many conversations were deleted."""

    conversations_removed: int


class ConversationDeletionResponse(Shape):
    """What went with a conversation."""

    conversation_id: str
    turns_removed: int
