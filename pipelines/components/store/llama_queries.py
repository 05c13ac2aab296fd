"""Queries and filters of LlamaIndex in the terms of a store of chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from qdrant_client import models

from pipelines.components.sparse import Bm25Encoder
from pipelines.errors import InvalidFilter, InvalidRequest, Problem
from pipelines.filters.language import compile_filters
from pipelines.filters.sections import stored_at
from pipelines.profile.sections.documents import MetadataField

_MODES = (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.SPARSE, VectorStoreQueryMode.HYBRID)
_JOINED = {FilterCondition.AND: "must", FilterCondition.OR: "should", FilterCondition.NOT: "must_not"}
_OPERATORS = {
    FilterOperator.EQ: "eq",
    FilterOperator.NE: "ne",
    FilterOperator.GT: "gt",
    FilterOperator.GTE: "gte",
    FilterOperator.LT: "lt",
    FilterOperator.LTE: "lte",
    FilterOperator.IN: "in",
    FilterOperator.NIN: "nin",
    FilterOperator.IS_EMPTY: "exists",
}
"""LlamaIndex's operators in the filter language; the others are left to LlamaIndex."""


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


def filter_of(
    filters: MetadataFilters,
    fields: Mapping[str, MetadataField],
    undeclared: Callable[[MetadataFilters], models.Filter],
) -> models.Filter | None:
    """Return Qdrant's filter for LlamaIndex's, or None where it has no conditions.

    Declared fields are compared as in the filter language; ``undeclared`` gives the filter for other keys.

    Raises:
        InvalidFilter: A value does not fit its declared field.
    """
    conditions = [_condition(one, fields, undeclared) for one in filters.filters]
    given: list[models.Condition] = [condition for condition in conditions if condition is not None]
    if not given:
        return None
    return models.Filter(**{_JOINED[filters.condition or FilterCondition.AND]: given})


def _condition(
    given: MetadataFilter | MetadataFilters,
    fields: Mapping[str, MetadataField],
    undeclared: Callable[[MetadataFilters], models.Filter],
) -> models.Filter | None:
    if isinstance(given, MetadataFilters):
        return filter_of(given, fields, undeclared)
    field = fields.get(given.key)
    if field is None:
        return undeclared(MetadataFilters(filters=[given]))
    if given.operator in _OPERATORS:
        return compile_filters({given.key: _comparison(given, field)}, fields)
    return undeclared(MetadataFilters(filters=[given.model_copy(update={"key": stored_at(given.key, field)})]))


def _comparison(given: MetadataFilter, field: MetadataField) -> dict[str, Any]:
    """Return a comparison in the filter language. There ``ne`` and ``nin`` match what lacks the field, here not."""
    if given.operator == FilterOperator.IS_EMPTY:
        return {"exists": False}
    if given.value is None:  # which the filter language ignores
        raise InvalidFilter(Problem(f"filters -> {given.key}", "needs a value"))
    operator, value = _OPERATORS[given.operator], given.value
    if operator in ("in", "nin") and not isinstance(value, list):
        value = _listed(str(value), field)
    return {operator: value} if operator not in ("ne", "nin") else {operator: value, "exists": True}


def _listed(text: str, field: MetadataField) -> list[Any]:
    """Return the values of a list that is written with commas; the filter language refuses what is no number."""
    number = {"integer": int, "float": float}.get(field.type)
    parts = text.split(",")
    return parts if number is None else [_read(part, number) for part in parts]


def _read(text: str, number: Callable[[str], float]) -> float | str:
    try:
        return number(text)
    except ValueError:
        return text


def refuse_unknown(unknown: Mapping[str, Any]) -> None:
    """Refuse parameters that have a value.

    Raises:
        InvalidRequest: One has.
    """
    for name, value in unknown.items():
        if value is not None:
            raise InvalidRequest(Problem(name, "is not known to this store"))
