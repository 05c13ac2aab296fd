"""Documents, versions and their texts, in SQL."""

from pipelines.catalogue.catalogue import Catalogue
from pipelines.catalogue.commit import Commit, Dropped
from pipelines.catalogue.content_cache import ContentCache
from pipelines.catalogue.conversation_reading import Keeping
from pipelines.catalogue.conversations import ConversationRecords, Underway
from pipelines.catalogue.embeddings import EmbeddingCache
from pipelines.catalogue.extracts import Extract, ExtractCache
from pipelines.catalogue.purges import PurgeRecords
from pipelines.catalogue.records import NEVER, Claim, Cleanup, Current, NewVersion, Totals, Version
from pipelines.catalogue.retention import Bounds, Trimmed

__all__ = [
    "NEVER",
    "Bounds",
    "Catalogue",
    "Claim",
    "Cleanup",
    "Commit",
    "ContentCache",
    "ConversationRecords",
    "Current",
    "Dropped",
    "EmbeddingCache",
    "Extract",
    "ExtractCache",
    "Keeping",
    "NewVersion",
    "PurgeRecords",
    "Totals",
    "Trimmed",
    "Underway",
    "Version",
]
