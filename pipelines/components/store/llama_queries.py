"""Queries and filters of LlamaIndex in the terms of a store of chunks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llama_index.core.vector_stores.types import (
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from qdrant_client import models

from pipelines.components.sparse import Bm25Encoder
from pipelines.errors import InvalidRequest, Problem
from pipelines.filters.sections import stored_at
from pipelines.profile.sections.documents import MetadataField

_MODES = (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.SPARSE, VectorStoreQueryMode.HYBRID)


def legs_of(query: VectorStoreQuery, encoder: Bm25Encoder) -> tuple[list[float] | None, models.SparseVector | None]:
    """Return what the query's mode asks with: the vector, the words, or both.

    Raises:
        InvalidRequest: The mode is not known here, or lacks what it needs.
    """
    mode = query.mode
    if mode not in _MODES:
        raise InvalidRequest(Problem("mode", f"{mode.value} is not one of default, sparse, hybrid"))
    by_vector, by_words = mode != VectorStoreQueryMode.SPARSE, mode != VectorStoreQueryMode.DEFAULT
    if by_vector and query.query_embedding is None:
        raise InvalidRequest(Problem("query_embedding", f"must be given in {mode.value} mode"))
    if by_words and query.query_str is None:
        raise InvalidRequest(Problem("query_str", f"must be given in {mode.value} mode"))
    return (
        query.query_embedding if by_vector else None,
        encoder.query(query.query_str or "") if by_words else None,
    )


def with_full_keys(filters: MetadataFilters, fields: Mapping[str, MetadataField]) -> MetadataFilters:
    """Return the filters with the keys under which the payload holds declared fields."""
    renamed = [
        with_full_keys(one, fields) if isinstance(one, MetadataFilters) else _with_full_key(one, fields)
        for one in filters.filters
    ]
    return filters.model_copy(update={"filters": renamed})


def _with_full_key(given: MetadataFilter, fields: Mapping[str, MetadataField]) -> MetadataFilter:
    field = fields.get(given.key)
    return given if field is None else given.model_copy(update={"key": stored_at(given.key, field)})


def refuse_unknown(unknown: Mapping[str, Any]) -> None:
    """Refuse parameters that have a value.

    Raises:
        InvalidRequest: One has.
    """
    for name, value in unknown.items():
        if value is not None:
            raise InvalidRequest(Problem(name, "is not known to this store"))
