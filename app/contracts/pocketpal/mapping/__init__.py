"""Between PocketPal's shapes and the core's values."""

from app.contracts.pocketpal.mapping.base import MB
from app.contracts.pocketpal.mapping.configuration import (
    SETTINGS,
    changed,
    config_of,
    is_over,
    limit,
    model_of,
    own_settings,
    profile_changes,
    require_batch,
    require_chunk,
    require_chunks,
    require_model,
    require_room,
)
from app.contracts.pocketpal.mapping.documents import (
    accepted,
    all_documents,
    batch_inputs,
    document_input,
    document_item,
    footprint,
    ingested,
    is_large,
)
from app.contracts.pocketpal.mapping.errors import error_response
from app.contracts.pocketpal.mapping.figures import metrics, status, storage_info
from app.contracts.pocketpal.mapping.search import (
    context,
    enhanced,
    filtered,
    relevance,
    require_question,
    search_response,
)
from app.contracts.pocketpal.mapping.tasks import ACTIONS, batch, minutes, priority, task

__all__ = [
    "ACTIONS",
    "MB",
    "SETTINGS",
    "accepted",
    "all_documents",
    "batch",
    "batch_inputs",
    "changed",
    "config_of",
    "context",
    "document_input",
    "document_item",
    "enhanced",
    "error_response",
    "filtered",
    "footprint",
    "ingested",
    "is_large",
    "is_over",
    "limit",
    "metrics",
    "minutes",
    "model_of",
    "own_settings",
    "priority",
    "profile_changes",
    "relevance",
    "require_batch",
    "require_chunk",
    "require_chunks",
    "require_model",
    "require_question",
    "require_room",
    "search_response",
    "status",
    "storage_info",
    "task",
]
