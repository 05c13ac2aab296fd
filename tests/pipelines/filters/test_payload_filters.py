"""Filters on payloads that are at hand, held against qdrant-client's reading of them."""

import time
from typing import Any

import pytest
from filter_cases import UNIVERSE, parts
from hypothesis import given, settings
from hypothesis import strategies as st
from qdrant_client import models
from qdrant_client.local.payload_filters import check_filter

from pipelines.components.store.payload_filters import metadata_matcher, payload_matcher
from pipelines.filters.language import compile_filters
from pipelines.profile.sections.documents import MetadataField

FIELDS = {name: MetadataField(type=kind) for name, kind in UNIVERSE.items()}  # type: ignore[arg-type]
_ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 2, 1.0, 0.3, "a", "ab", "1", "2024-05-01", "2024-05-01T00:00:00Z", "2024-05-01 00:00"]),
    st.sampled_from(
        ["2024-02-31", "2024-05-01T00:00:00.000001", "2024-05-01T02:00:00+02:00", " 2024-05-01", "0000-01-01"]
    ),
    st.just({"a": 1}),
)
_VALUES = _ODD | st.lists(_ODD | st.lists(_ODD, max_size=2), max_size=3)
_PAYLOADS = st.fixed_dictionaries({"metadata": st.dictionaries(st.sampled_from(sorted(UNIVERSE)), _VALUES)})


@settings(max_examples=600)
@given(st.lists(parts(UNIVERSE), min_size=1, max_size=4), st.lists(_PAYLOADS, min_size=1, max_size=4))
def test_values_of_any_type_match_as_qdrant_reads_them(
    asked: list[dict[str, Any]], payloads: list[dict[str, Any]]
) -> None:
    for one in [*asked, {"or": asked}, {"not": {"or": asked}}]:
        where = compile_filters(one, FIELDS)
        if where is None:
            continue
        fits = payload_matcher(where)
        assert [fits(payload) for payload in payloads] == [check_filter(where, payload, 0, {}) for payload in payloads]


def _match(key: str, match: Any) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=match)


_ONE = _match("a.b", models.MatchValue(value=1))
_TWO = _match("a.b", models.MatchValue(value=2))
_PAIR = models.Filter(should=[_ONE, _TWO])


@pytest.mark.parametrize(
    "where",
    [
        models.Filter(),
        models.Filter(must=[], should=[], must_not=[]),
        models.Filter(must=_ONE, should=_TWO),
        models.Filter(must_not=_ONE),
        models.Filter(should=[models.Filter(must=[_PAIR]), models.Filter(must_not=[models.Filter(must=[_ONE])])]),
        models.Filter(should=[models.Filter(must=[_ONE, _TWO]), models.Filter()]),
        models.Filter(min_should=models.MinShould(conditions=[_ONE, _TWO], min_count=2)),
        models.Filter(should=[_match("a.b", models.MatchExcept(**{"except": [1]})), _ONE]),
        models.Filter(must=[_match("a.b", models.MatchText(text="x"))]),
        models.Filter(must=[_match("c[].b", models.MatchAny(any=[1, 2]))]),
        models.Filter(must=[models.FieldCondition(key="a.b", values_count=models.ValuesCount(gte=2))]),
        models.Filter(must=[models.FieldCondition(key="a.b", range=models.Range(gte=1, lte=1, lt=1))]),
        models.Filter(must=[models.FieldCondition(key="a.b", range=models.Range())]),
        models.Filter(must=[models.IsNullCondition(is_null=models.PayloadField(key="a.b"))]),
        models.Filter(must=[models.IsEmptyCondition(is_empty=models.PayloadField(key="c[].b"))]),
        models.Filter(must=[models.HasIdCondition(has_id=[7])]),
    ],
)
def test_conditions_of_every_kind_match_as_qdrant_reads_them(where: models.Filter) -> None:
    inner: list[Any] = [1, 2, True, 1.0, None, [], [1, 2], [2, None], [[1]], "x y", "", {"b": 1}]
    payloads: list[dict[str, Any]] = [{}, {"a": []}, *({"a": {"b": value}, "c": [{"b": value}]} for value in inner)]
    fits = payload_matcher(where)
    assert [fits(payload) for payload in payloads] == [check_filter(where, payload, 0, {}) for payload in payloads]


@pytest.mark.parametrize(
    "asked",
    [
        {"or": [{"suite": f"x{number}"} for number in range(900)]},
        {"price": [number / 4 for number in range(900)]},
        {"published": {"nin": [f"{1000 + number}-05-01" for number in range(900)]}},
    ],
)
def test_many_alternatives_take_hardly_longer_than_one(asked: dict[str, Any]) -> None:
    where = compile_filters(asked, FIELDS)
    assert where is not None
    fits = metadata_matcher(where, FIELDS)
    documents = [{"suite": "y", "price": number + 0.1, "published": "2024-05-01"} for number in range(2000)]
    began = time.process_time()
    assert len({fits(document) for document in documents}) == 1
    assert time.process_time() - began < 1  # condition by condition it is twenty seconds
