"""OpenPharma's searches in Python: ``from app.retrieval import semantic_search``."""

from app.contracts.openpharma.schemas import SearchResult
from app.retrieval.semantic_search import semantic_search

__all__ = ["SearchResult", "semantic_search"]
