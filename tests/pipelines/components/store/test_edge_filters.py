"""Conversion of filters is total: what Edge cannot do is an error and never a filter with a part missing."""

import uuid

import pytest
from qdrant_client import models

from pipelines.components.store.edge.filters import edge_filter, edge_selection
from pipelines.errors import InvalidFilter, InvalidRequest

VALUE = models.MatchValue(value="x")


def field(**conditions: object) -> models.FieldCondition:
    return models.FieldCondition.model_construct(
        **dict.fromkeys(models.FieldCondition.model_fields) | {"key": "k"} | conditions
    )


def test_no_filter_stays_no_filter() -> None:
    assert edge_filter(None) is None


def test_every_kind_of_condition_of_the_client_is_converted_or_refused() -> None:
    kinds = {kind.__name__ for kind in models.Condition.__args__}
    converted = {
        "FieldCondition": field(match=VALUE),
        "IsEmptyCondition": models.IsEmptyCondition(is_empty=models.PayloadField(key="k")),
        "IsNullCondition": models.IsNullCondition(is_null=models.PayloadField(key="k")),
        "HasIdCondition": models.HasIdCondition(has_id=[1]),
        "HasVectorCondition": models.HasVectorCondition(has_vector="dense"),
        "NestedCondition": models.NestedCondition(nested=models.Nested(key="k", filter=models.Filter(must=[]))),
        "Filter": models.Filter(must=[field(match=VALUE)]),
    }
    assert kinds - set(converted) == {"SliceCondition"}
    for condition in converted.values():
        assert len(edge_filter(models.Filter(must=[condition])).must) == 1


def test_an_unknown_condition_is_refused_wherever_it_stands() -> None:
    strange = models.SliceCondition(slice=models.Slice(index=0, total=2))
    for place in ({"must": [strange]}, {"should": strange}, {"must_not": [models.Filter(must=[strange])]}):
        with pytest.raises(InvalidFilter, match="SliceCondition is not a condition that Qdrant Edge knows"):
            edge_filter(models.Filter(**place))
    with pytest.raises(InvalidFilter):
        edge_filter(models.Filter(min_should=models.MinShould(conditions=[strange], min_count=1)))
    with pytest.raises(InvalidFilter):
        inner = models.Filter(must=[strange])
        edge_filter(models.Filter(must=[models.NestedCondition(nested=models.Nested(key="k", filter=inner))]))


def test_every_kind_of_match_of_the_client_is_converted() -> None:
    kinds = {kind.__name__ for kind in models.Match.__args__}
    matches = [
        VALUE,
        models.MatchText(text="x"),
        models.MatchTextAny(text_any="x"),
        models.MatchPhrase(phrase="x"),
        models.MatchPrefix(prefix="x"),
        models.MatchSubstring(substring="x"),
        models.MatchAny(any=["x"]),
        models.MatchExcept(**{"except": ["x"]}),
    ]
    assert {type(match).__name__ for match in matches} == kinds
    for match in matches:
        converted = edge_filter(models.Filter(must=[field(match=match)])).must[0]
        assert type(converted.match).__name__ == type(match).__name__


def test_a_match_of_another_kind_is_refused() -> None:
    with pytest.raises(InvalidFilter, match="str is not a match"):
        edge_filter(models.Filter(must=[field(match="x")]))


def test_a_field_condition_that_says_nothing_is_refused() -> None:
    with pytest.raises(InvalidFilter, match='a condition on "k" must say one thing, this one says nothing'):
        edge_filter(models.Filter(must=[models.FieldCondition(key="k")]))


def test_a_field_condition_that_says_two_things_is_refused() -> None:
    both = field(match=VALUE, range=models.Range(gte=1))
    with pytest.raises(InvalidFilter, match="this one says match and range"):
        edge_filter(models.Filter(must=[both]))


def test_places_on_earth_are_refused() -> None:
    near = models.GeoRadius(center=models.GeoPoint(lon=1, lat=2), radius=3)
    with pytest.raises(InvalidFilter, match="geo conditions are not supported"):
        edge_filter(models.Filter(must=[field(geo_radius=near)]))


def test_at_least_none_of_some_is_refused() -> None:
    with pytest.raises(InvalidFilter, match="min_count of at least 1"):
        edge_filter(models.Filter(min_should=models.MinShould(conditions=[field(match=VALUE)], min_count=0)))


@pytest.mark.parametrize("truth", [True, False])
def test_a_boolean_stays_a_boolean(truth: bool) -> None:
    converted = edge_filter(models.Filter(must=[field(match=models.MatchValue(value=truth))]))
    assert converted.must[0].match.value is truth


def test_numbers_stay_numbers() -> None:
    converted = edge_filter(models.Filter(must=[field(match=models.MatchValue(value=1))]))
    assert converted.must[0].match.value == 1
    assert not isinstance(converted.must[0].match.value, bool)


def test_an_invalid_id_is_refused() -> None:
    with pytest.raises(InvalidRequest, match='"seven" is not a point id'):
        edge_filter(models.Filter(must=[models.HasIdCondition(has_id=["seven"])]))
    with pytest.raises(InvalidRequest, match='"seven" is not a point id'):
        edge_selection(["seven"])


def test_points_are_selected_by_ids_or_filters_in_every_form_of_the_client() -> None:
    ids = [1, str(uuid.UUID(int=2)), uuid.UUID(int=3)]
    for given in (ids, models.PointIdsList(points=ids)):
        assert edge_selection(given).must[0].point_ids == {1, uuid.UUID(int=2), uuid.UUID(int=3)}
    chosen = models.Filter(must=[field(match=VALUE)])
    for given in (chosen, models.FilterSelector(filter=chosen)):
        assert edge_selection(given).must[0].match.value == "x"
