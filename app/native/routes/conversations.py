"""Routes of conversations; each key sees those that were begun under its own scope, and may delete them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from app.http.problems import problem_responses
from app.native import mapping
from app.native.routes.dependencies import ConversationId, Nothing, TenantEngine, routes_for
from app.native.schemas.conversations import (
    ConversationDeletionResponse,
    ConversationListParameters,
    ConversationSchema,
    ConversationsResponse,
)

reader = routes_for("reader")
ROUTERS = (reader,)


@reader.get("/{tenant}/conversations", responses=problem_responses(422))
def list_conversations(
    engine: TenantEngine, asked: Annotated[ConversationListParameters, Query()]
) -> ConversationsResponse:
    """List the conversations, newest first and without their turns, page by page."""
    page = engine.conversations.list(asked.limit, asked.cursor)
    return mapping.conversations(page)


@reader.get("/{tenant}/conversations/{conversation_id:path}")
def conversation(engine: TenantEngine, conversation_id: ConversationId, asked: Nothing) -> ConversationSchema:
    """A conversation with everything that was asked and answered in it; this is its export, too."""
    found = engine.conversations.conversation(conversation_id)
    return mapping.conversation(found)


@reader.delete("/{tenant}/conversations/{conversation_id:path}")
def delete_conversation(
    engine: TenantEngine, conversation_id: ConversationId, asked: Nothing
) -> ConversationDeletionResponse:
    """Take a conversation out, for good."""
    removed = engine.conversations.delete(conversation_id)
    return ConversationDeletionResponse(conversation_id=conversation_id, turns_removed=removed)
