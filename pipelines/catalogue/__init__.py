"""Documents, versions and their texts, in SQL."""

from pipelines.catalogue.catalogue import Catalogue
from pipelines.catalogue.commit import Commit
from pipelines.catalogue.embeddings import EmbeddingCache
from pipelines.catalogue.records import NEVER, NewVersion, Totals, Version

__all__ = ["NEVER", "Catalogue", "Commit", "EmbeddingCache", "NewVersion", "Totals", "Version"]
