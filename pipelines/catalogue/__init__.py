"""Documents, versions and their texts, in SQL."""

from pipelines.catalogue.catalogue import Catalogue
from pipelines.catalogue.commit import Commit, RemovalCount
from pipelines.catalogue.content_cache import ContentCache, EmbeddingCache, Extract, ExtractCache
from pipelines.catalogue.conversation_reading import ConversationLimits
from pipelines.catalogue.conversations import ConversationRecords, OpenedTurn
from pipelines.catalogue.purges import PurgeRecords
from pipelines.catalogue.records import NEVER, Claim, Cleanup, Current, NewVersion, Totals, Version
from pipelines.catalogue.retention import Bounds, TrimResult

__all__ = [
    "NEVER",
    "Bounds",
    "Catalogue",
    "Claim",
    "Cleanup",
    "Commit",
    "ContentCache",
    "ConversationLimits",
    "ConversationRecords",
    "Current",
    "EmbeddingCache",
    "Extract",
    "ExtractCache",
    "NewVersion",
    "OpenedTurn",
    "PurgeRecords",
    "RemovalCount",
    "Totals",
    "TrimResult",
    "Version",
]
