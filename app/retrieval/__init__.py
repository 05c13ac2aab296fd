"""OpenPharma's searches in Python: ``from app.retrieval import semantic_search``."""

from app.retrieval.semantic_search import SearchResult, semantic_search

__all__ = ["SearchResult", "semantic_search"]
