from typing import Any

import pytest
from qdrant_client import models

from pipelines.errors import InvalidFilter
from pipelines.filters.language import compile_filters
from pipelines.profile.sections.documents import MetadataField

FIELDS = {
    "suite": MetadataField(type="keyword"),
    "level": MetadataField(type="keyword", values=("platform", "suite")),
    "topics": MetadataField(type="keywords"),
    "year": MetadataField(type="integer"),
    "price": MetadataField(type="float"),
    "public": MetadataField(type="boolean"),
    "published": MetadataField(type="datetime"),
}

KNOWN = "known are eq, ne, in, nin, gt, gte, lt, lte, contains, prefix, exists"


def compiled(filters: dict[str, Any]) -> dict[str, Any]:
    found = compile_filters(filters, FIELDS)
    assert found is not None
    return found.model_dump(exclude_none=True)


@pytest.mark.parametrize(
    "filters",
    [None, {}, {"suite": None}, {"suite": {"eq": None}}, {"and": [{"suite": None}]}, {"not": {"year": None}}],
)
def test_no_constraint_compiles_to_no_filter(filters: dict[str, Any] | None) -> None:
    assert compile_filters(filters, FIELDS) is None


def test_a_value_is_equality_and_a_list_is_any_of() -> None:
    assert compiled({"suite": "fed"})["must"] == [{"key": "metadata.suite", "match": {"value": "fed"}}]
    assert compiled({"suite": ["fed", "corp"]})["must"] == [
        {"key": "metadata.suite", "match": {"any": ["fed", "corp"]}}
    ]


def test_bounds_of_one_field_all_hold() -> None:
    must = compiled({"year": {"gte": 2020, "lt": 2024}})["must"]
    assert [condition["range"] for condition in must] == [{"gte": 2020.0}, {"lt": 2024.0}]


def test_an_empty_alternative_matches_everything() -> None:
    assert compile_filters({"or": [{"suite": "fed"}, {"year": None}]}, FIELDS) is None


def test_combiners_nest() -> None:
    found = compile_filters({"or": [{"suite": "fed"}, {"not": {"year": 2020}}]}, FIELDS)
    assert found is not None
    assert found.must is not None
    (either,) = found.must
    assert isinstance(either, models.Filter)
    assert either.should is not None
    assert len(either.should) == 2


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        (
            {"siute": "fed"},
            "filters -> siute: unknown field (declared are suite, level, topics, year, price, public, published), "
            'did you mean "suite"?',
        ),
        ({"year": {"gt3": 1}}, f'filters -> year -> gt3: unknown operator ({KNOWN}), did you mean "gt"?'),
        ({"year": {">=": 1}}, f'filters -> year -> >=: unknown operator ({KNOWN}), did you mean "gte"?'),
        ({"year": {1: None}}, f"filters -> year -> 1: unknown operator ({KNOWN})"),
        ({"year": "2020"}, 'filters -> year: must be a whole number, not "2020"'),
        ({"year": True}, "filters -> year: must be a whole number, not true"),
        ({"level": "suit"}, 'filters -> level: "suit" is not one of platform, suite, did you mean "suite"?'),
        ({"year": [None]}, "filters -> year -> 0: must be a whole number, not null"),
        ({"year": {}}, 'filters -> year: names no operator; write one, such as {"eq": ...}, the value itself, or null'),
        ({"not": {}}, "filters -> not: must be a filter that is not empty; leave it out"),
        ({"or": [{"year": 1}, {}]}, "filters -> or -> 1: must be a filter that is not empty; leave it out"),
        ({"suite": []}, "filters -> suite: must be a list of values that is not empty"),
        ({"suite": {"gt": "a"}}, "filters -> suite -> gt: is for numbers and dates, this field is of type keyword"),
        ({"or": []}, "filters -> or: must be a list of filters that is not empty"),
        ({"or": {"suite": "fed"}}, "filters -> or: must be a list of filters that is not empty"),
        ({"not": "fed"}, "filters -> not: must be a mapping of fields to values"),
        (
            {"published": "yesterday"},
            'filters -> published: must be a date such as 2024-05-01 or 2024-05-01T12:00:00Z, not "yesterday"',
        ),
        ({"price": float("nan")}, "filters -> price: must be a number, not NaN"),
        ({"year": {"prefix": "2"}}, "filters -> year -> prefix: is for keyword fields, this one is of type integer"),
        ({"suite": {"exists": 1}}, "filters -> suite -> exists: must be true or false"),
        ({"year": {"in": [2020, "2021"]}}, 'filters -> year -> in -> 1: must be a whole number, not "2021"'),
        ({"year": 2**53}, "filters -> year: is beyond 2^53"),
        ({"year": 2020.0}, "filters -> year: must be a whole number, not 2020.0"),
        ({"price": 10**400}, "filters -> price: must be a number"),
        ({"price": True}, "filters -> price: must be a number, not true"),
        ({"public": 1}, "filters -> public: must be true or false, not 1"),
        ({"published": 20240501}, "filters -> published: must be a date"),
        ({"published": "0001-01-01T00:00:00+01:00"}, "filters -> published: must be a date"),
        ({"suite": "\ud800"}, "filters -> suite: holds half a character"),
        ({"suite": {"prefix": ""}}, "filters -> suite -> prefix: must be text that is not empty"),
        ({"level": {"nin": []}}, "filters -> level -> nin: must be a list of values that is not empty"),
        ({"and": [{"suite": "a"}, {"x": 1}]}, "filters -> and -> 1 -> x: unknown field"),
    ],
)
def test_a_mistake_is_named_by_its_path(filters: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidFilter) as caught:
        compile_filters(filters, FIELDS)
    assert str(caught.value).startswith(message)


def test_endless_nesting_is_refused() -> None:
    filters: dict[str, Any] = {"suite": "fed"}
    for _ in range(100):
        filters = {"not": filters}
    with pytest.raises(InvalidFilter, match="deeper than 16"):
        compile_filters(filters, FIELDS)


def test_a_filter_of_a_thousand_parts_is_refused_and_a_list_of_many_values_is_not() -> None:
    many = [f"fed{number}" for number in range(5000)]
    for join in ("and", "or"):
        nested = {
            "not": {join: [{"or": [{"suite": name} for name in many[:300]]}, *({"suite": name} for name in many[:300])]}
        }
        assert compile_filters(nested, FIELDS) is not None
        with pytest.raises(InvalidFilter, match="more than 1000 parts; many keywords or whole numbers"):
            compile_filters({join: [nested, nested]}, FIELDS)
    assert compile_filters({"suite": many}, FIELDS) is not None


def test_values_that_the_index_weighs_one_by_one_are_parts() -> None:
    prices = [number / 4 for number in range(600)]
    assert compile_filters({"price": prices, "year": list(range(5000))}, FIELDS) is not None
    for two in ({"price": {"in": prices, "nin": prices}}, {"not": {"price": prices}, "or": [{"price": prices}]}):
        with pytest.raises(InvalidFilter, match="more than 1000 parts"):
            compile_filters(two, FIELDS)


def test_a_part_of_a_keyword_need_not_be_one_of_its_values() -> None:
    assert compiled({"level": {"prefix": "plat"}})["must"] == [{"key": "metadata.level", "match": {"prefix": "plat"}}]
