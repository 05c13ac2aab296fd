"""Routes of conversations: a key sees its own, an admin those of all keys."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from app.http.problems import problem_responses
from app.native import mapping
from app.native.routes.dependencies import ConversationId, KeyGrant, TenantEngine, routes_for
from app.native.schemas.conversations import (
    ConversationDeletionResponse,
    ConversationListParameters,
    ConversationSchema,
    ConversationsDeletionResponse,
    ConversationsResponse,
    OwnerParameters,
)

reader = routes_for("reader")
ROUTERS = (reader,)


@reader.get("/{tenant}/conversations", responses=problem_responses(422))
def list_conversations(
    engine: TenantEngine, grant: KeyGrant, asked: Annotated[ConversationListParameters, Query()]
) -> ConversationsResponse:
    """List the conversations, newest first and without their turns, page by page."""
    seen = engine.conversations.of(grant.caller(), key=asked.key, user=asked.user)
    return mapping.conversations(seen.list(asked.limit, asked.cursor))


@reader.delete("/{tenant}/conversations")
def delete_conversations(
    engine: TenantEngine, grant: KeyGrant, asked: Annotated[OwnerParameters, Query()]
) -> ConversationsDeletionResponse:
    """Delete all of the caller's conversations, or those of one user; an admin deletes those of all keys, or of one."""
    seen = engine.conversations.of(grant.caller(), key=asked.key, user=asked.user)
    return ConversationsDeletionResponse(conversations_removed=seen.delete_all())


@reader.get("/{tenant}/conversations/{conversation_id:path}", responses=problem_responses(409))
def conversation(
    engine: TenantEngine, grant: KeyGrant, conversation_id: ConversationId, asked: Annotated[OwnerParameters, Query()]
) -> ConversationSchema:
    """A conversation with everything that was asked and answered in it; this is its export, too."""
    seen = engine.conversations.of(grant.caller(), key=asked.key, user=asked.user)
    return mapping.conversation(seen.conversation(conversation_id))


@reader.delete("/{tenant}/conversations/{conversation_id:path}", responses=problem_responses(409))
def delete_conversation(
    engine: TenantEngine, grant: KeyGrant, conversation_id: ConversationId, asked: Annotated[OwnerParameters, Query()]
) -> ConversationDeletionResponse:
    """Delete a conversation for good."""
    seen = engine.conversations.of(grant.caller(), key=asked.key, user=asked.user)
    removed = seen.delete(conversation_id)
    return ConversationDeletionResponse(conversation_id=conversation_id, turns_removed=removed)
