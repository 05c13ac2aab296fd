"""qdrant-client's filters as Qdrant Edge's: every condition is converted or refused, none is dropped.

A dropped condition would show a reader what a filter hides, so each kind has its converter, and the rest is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, cast
from uuid import UUID

import numpy as np
import qdrant_edge as edge
from qdrant_client import models

from pipelines.errors import InvalidFilter, InvalidRequest, Problem

Where = models.Filter | edge.Filter | None
"""A filter, in qdrant-client's form or in Edge's; None matches everything."""


def edge_filter(given: Where) -> edge.Filter | None:
    """Edge's form of a filter; one that has it already, and None, stay as they are.

    Raises:
        InvalidFilter: It holds a condition that Edge does not know, or one that says nothing or two things at once.
    """
    if given is None or isinstance(given, edge.Filter):
        return given
    return edge.Filter(
        must=_conditions(given.must),
        should=_conditions(given.should),
        must_not=_conditions(given.must_not),
        min_should=_min_should(given.min_should),
    )


def edge_selection(given: Any) -> edge.Filter:
    """Return the points that a change is for: ids, a filter, or qdrant-client's selector of either.

    Ids become a filter too: Edge stops in the middle of a list at an id that it does not know.
    """
    if isinstance(given, models.FilterSelector):
        given = given.filter
    if isinstance(given, models.Filter):
        return _inner(given)
    ids = given.points if isinstance(given, models.PointIdsList) else given
    return edge.Filter(must=[edge.HasIdCondition({point_id(one) for one in ids})])


def point_id(given: int | str | UUID) -> int | str | UUID:
    """Check an id before it reaches the log, where a bad one would stay."""
    return _uuid(given) if isinstance(given, str) else given


@lru_cache(maxsize=20_000)  # reading one takes as long as finding its point
def _uuid(given: str) -> UUID:
    try:
        return UUID(given)
    except ValueError as error:
        message = f'"{given}" is not a point id; ids are UUIDs or whole numbers from 0'
        raise InvalidRequest(Problem("id", message)) from error


def _conditions(given: Sequence[models.Condition] | models.Condition | None) -> list[edge.ConditionType] | None:
    if not given:  # an empty list is no constraint, in every engine
        return None
    listed = given if isinstance(given, list) else [given]
    return [_condition(condition) for condition in listed]


def _condition(given: Any) -> edge.ConditionType:
    convert = _CONDITIONS.get(type(given))
    if convert is None:
        raise _refused(f"{type(given).__name__} is not a condition that Qdrant Edge knows")
    try:
        return convert(given)
    except (TypeError, ValueError) as error:  # a key that is no path, a number beyond 64 bits
        raise _refused(str(error).splitlines()[0]) from error


def _min_should(given: models.MinShould | None) -> edge.MinShould | None:
    if given is None:
        return None
    if given.min_count < 1:
        raise _refused(f"min_should needs a min_count of at least 1, not {given.min_count}")
    return edge.MinShould([_condition(condition) for condition in given.conditions], given.min_count)


def _field(given: models.FieldCondition) -> edge.FieldCondition:
    name, value = _the_one_condition(given)
    return edge.FieldCondition(given.key, **{name: _FIELD_PARTS[name](value)})


def _the_one_condition(given: models.FieldCondition) -> tuple[str, Any]:
    stated = [(name, value) for name in _FIELD_PARTS if (value := getattr(given, name)) is not None]
    if len(stated) != 1:
        names = " and ".join(name for name, _ in stated) or "nothing"
        raise _refused(f'a condition on "{given.key}" must say one thing, this one says {names}')
    return stated[0]


def _match(given: Any) -> edge.MatchType:
    convert = _MATCHES.get(type(given))
    if convert is None:
        raise _refused(f"{type(given).__name__} is not a match that Qdrant Edge knows")
    return convert(given)


def _value(given: models.MatchValue) -> edge.MatchValue:
    # Edge 0.9 takes Python's True for the whole number 1 and then finds no boolean; numpy's it takes for what it is.
    return edge.MatchValue(cast("bool", np.bool_(given.value)) if isinstance(given.value, bool) else given.value)


def _range(given: models.Range | models.DatetimeRange) -> edge.RangeType:
    if isinstance(given, models.DatetimeRange):
        return edge.RangeDateTime(
            gte=_moment(given.gte), gt=_moment(given.gt), lte=_moment(given.lte), lt=_moment(given.lt)
        )
    return edge.RangeFloat(gte=given.gte, gt=given.gt, lte=given.lte, lt=given.lt)


def _moment(given: datetime | date | None) -> str | None:
    """RFC 3339; a time without a zone is UTC, as it is for Qdrant."""
    if given is None:
        return None
    moment = given if isinstance(given, datetime) else datetime(given.year, given.month, given.day)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()


def _values_count(given: models.ValuesCount) -> edge.ValuesCount:
    return edge.ValuesCount(lt=given.lt, gt=given.gt, lte=given.lte, gte=given.gte)


def _geo_unknown(_: Any) -> Any:
    raise _refused("no field of a profile is a place on Earth, so geo conditions are not supported")


def _has_id(given: models.HasIdCondition) -> edge.HasIdCondition:
    return edge.HasIdCondition({point_id(one) for one in given.has_id})


def _nested(given: models.NestedCondition) -> edge.NestedCondition:
    inner = edge_filter(given.nested.filter)
    assert inner is not None
    return edge.NestedCondition(given.nested.key, inner)


def _inner(given: models.Filter) -> edge.Filter:
    inner = edge_filter(given)
    assert inner is not None
    return inner


def _refused(message: str) -> InvalidFilter:
    return InvalidFilter(Problem("filter", message))


_CONDITIONS: dict[type, Callable[[Any], edge.ConditionType]] = {
    models.FieldCondition: _field,
    models.IsEmptyCondition: lambda given: edge.IsEmptyCondition(given.is_empty.key),
    models.IsNullCondition: lambda given: edge.IsNullCondition(given.is_null.key),
    models.HasIdCondition: _has_id,
    models.HasVectorCondition: lambda given: edge.HasVectorCondition(given.has_vector),
    models.NestedCondition: _nested,
    models.Filter: _inner,
}
_FIELD_PARTS: dict[str, Callable[[Any], Any]] = {
    "match": _match,
    "range": _range,
    "values_count": _values_count,
    "is_empty": bool,
    "is_null": bool,
    "geo_bounding_box": _geo_unknown,
    "geo_radius": _geo_unknown,
    "geo_polygon": _geo_unknown,
}
_MATCHES: dict[type, Callable[[Any], edge.MatchType]] = {
    models.MatchValue: _value,
    models.MatchText: lambda given: edge.MatchText(given.text),
    models.MatchTextAny: lambda given: edge.MatchTextAny(given.text_any),
    models.MatchPhrase: lambda given: edge.MatchPhrase(given.phrase),
    models.MatchPrefix: lambda given: edge.MatchPrefix(given.prefix),
    models.MatchSubstring: lambda given: edge.MatchSubstring(given.substring),
    models.MatchAny: lambda given: edge.MatchAny(given.any),
    models.MatchExcept: lambda given: edge.MatchExcept(given.except_),
}
