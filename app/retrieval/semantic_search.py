"""Finds the chunks of papers that answer a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.contracts.openpharma.mapping import known_filters, search_results
from app.contracts.openpharma.schemas import SearchResult
from app.retrieval.library import library

__all__ = ["SearchResult", "semantic_search"]


def semantic_search(query: str, top_k: int = 10, filters: Mapping[str, Any] | None = None) -> list[SearchResult]:
    """Return the ``top_k`` chunks that answer ``query`` best, the best first; see `app.retrieval.library` for the
    papers.

    Args:
        query: What is looked for.
        top_k: Most chunks.
        filters: What the papers must be, such as ``{"publication_date": {"gte": "2020-01-01"}, "section": "Results"}``.

    Raises:
        InvalidRequest: An argument is not what the profile allows.
    """
    return search_results(library().search(query, top_k=top_k, filters=known_filters(filters)).hits)
