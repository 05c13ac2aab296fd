"""A query as a value, and its fields as keywords."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from pipelines.errors import InvalidRequest
from pipelines.types import Query, QueryFields, as_query


def test_the_keywords_are_the_fields_of_the_value() -> None:
    assert {*QueryFields.__annotations__} == {field.name for field in fields(Query)} - {"text"}


def test_a_text_becomes_a_query_with_the_given_fields() -> None:
    assert as_query("beagles", {"top_k": 3}) == Query("beagles", top_k=3)


def test_keywords_override_the_fields_of_a_query() -> None:
    query = Query("beagles", top_k=3, as_of=1)
    assert as_query(query, {"top_k": 5}) == Query("beagles", top_k=5, as_of=1)
    assert as_query(query, {}) is query


def test_an_unknown_field_is_an_error() -> None:
    for query in ("beagles", Query("beagles")):
        with pytest.raises(InvalidRequest) as caught:
            as_query(query, {"topk": 3})  # type: ignore[typeddict-unknown-key]
        assert str(caught.value) == 'topk: is no field of a query, did you mean "top_k"?'


def test_only_the_text_is_positional_and_nothing_changes() -> None:
    with pytest.raises(TypeError):
        Query("beagles", 3)  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        Query("beagles").text = "pugs"  # type: ignore[misc]
