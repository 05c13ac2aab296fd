"""Filters on payloads that are at hand, with the meaning that they have in the store.

A filter is turned into functions once, for qdrant-client's own reading of one takes some microseconds a condition and
document. Values that a field is compared with in alternatives are looked up in a set.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Any

from qdrant_client import models
from qdrant_client.local import datetime_utils
from qdrant_client.local.payload_filters import check_condition, value_is_empty

from pipelines.filters.facts import FACTS
from pipelines.filters.values import PLAIN_MOMENT, Fields, indexed_metadata

Payload = Mapping[str, Any]
Fits = Callable[[Payload], bool]
_Read = Callable[[Any], Any]
"""Return a value in the form that it is compared in; None if it is of another type."""
_PLAIN_KEY = re.compile(r"[\w-]+(\.[\w-]+)*", re.ASCII)
_BOUNDS = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}


def metadata_matcher(where: models.Filter, fields: Fields | None = None) -> Callable[[Mapping[str, Any]], bool]:
    """Return whether ``where`` matches a chunk that carries a document's metadata; ``fields`` are the declared ones."""
    fits, declared = payload_matcher(where), fields or {}
    return lambda metadata: fits(
        {"metadata": indexed_metadata(metadata, declared), FACTS: getattr(metadata, "facts", {})}
    )


def payload_matcher(where: models.Filter) -> Fits:
    """Return whether ``where`` matches a chunk's payload; conditions on ids and vectors match nothing."""
    if where.min_should is not None:
        return _as_qdrant_reads(where)
    required = [_condition(condition) for condition in _listed(where.must)]
    refused, alternatives = _either(_listed(where.must_not)), _either(_listed(where.should))
    return lambda payload: (
        all(fits(payload) for fits in required)
        and not any(fits(payload) for fits in refused)
        and (not alternatives or any(fits(payload) for fits in alternatives))
    )


def _as_qdrant_reads(condition: models.Condition) -> Fits:
    return lambda payload: check_condition(condition, dict(payload), 0, {})


def _listed(given: Sequence[Any] | Any | None) -> list[Any]:
    if given is None:
        return []
    return [_alone(condition) for condition in (given if isinstance(given, list) else [given])]


def _alone(condition: Any) -> Any:
    """Return the only condition of a filter; anything else as it is."""
    while isinstance(condition, models.Filter) and not (condition.must_not or condition.should or condition.min_should):
        required = condition.must if isinstance(condition.must, list) else [condition.must]
        if len(required) != 1 or required[0] is None:
            break
        condition = required[0]
    return condition


def _either(conditions: Sequence[Any]) -> list[Fits]:
    """Return alternatives, of which those that compare one field with single values are one."""
    found: list[Fits] = []
    wanted: defaultdict[tuple[str, _Read], set[Hashable]] = defaultdict(set)
    for condition in conditions:
        points = _points(condition)
        if points is None:
            found.append(_condition(condition))
        else:
            read, values = points
            wanted[condition.key, read] |= values
    return [*(_any_value(key, _is_in(read, values)) for (key, read), values in wanted.items()), *found]


def _condition(condition: Any) -> Fits:
    if isinstance(condition, models.Filter):
        return payload_matcher(condition)
    if isinstance(condition, models.IsEmptyCondition) and _PLAIN_KEY.fullmatch(condition.is_empty.key):
        value = _value_at(condition.is_empty.key)
        return lambda payload: value_is_empty(value(payload))
    test = _value_test(condition) if _is_plain(condition) else None
    return _as_qdrant_reads(condition) if test is None else _any_value(condition.key, test)


def _is_plain(condition: Any) -> bool:
    """Return whether it is on the values of a field, and on nothing else of it."""
    if not isinstance(condition, models.FieldCondition) or not _PLAIN_KEY.fullmatch(condition.key):
        return False
    return condition.values_count is None and condition.is_empty is None and condition.is_null is None


def _points(condition: Any) -> tuple[_Read, set[Hashable]] | None:
    """Return the values that one of a field's must equal, and how those are read; None if it asks something else."""
    if not _is_plain(condition):
        return None
    match condition.match:
        case models.MatchValue(value=value):
            return _exact, {_exact(value)}
        case models.MatchAny(any=values):
            return _exact, set(map(_exact, values))
        case None if condition.range is not None:
            read, bounds = _bounds(condition.range)
            if set(bounds) == {"gte", "lte"} and bounds["gte"] == bounds["lte"]:
                return read, {bounds["gte"]}
    return None


def _value_test(condition: models.FieldCondition) -> Callable[[Any], bool] | None:
    if points := _points(condition):
        return _is_in(*points)
    match condition.match:
        case models.MatchPrefix(prefix=prefix):
            return lambda value: isinstance(value, str) and value.startswith(prefix)
        case models.MatchSubstring(substring=part):
            return lambda value: isinstance(value, str) and part in value
        case None if condition.range is not None:
            return _is_within(*_bounds(condition.range))
    return None


def _bounds(within: models.RangeInterface) -> tuple[_Read, dict[str, Any]]:
    given = {name: bound for name in _BOUNDS if (bound := getattr(within, name)) is not None}
    if isinstance(within, models.DatetimeRange):
        return _moment, {name: _in_utc(bound) for name, bound in given.items()}
    return _number, given


def _is_in(read: _Read, values: set[Hashable]) -> Callable[[Any], bool]:
    return lambda value: read(value) in values


def _is_within(read: _Read, bounds: Mapping[str, Any]) -> Callable[[Any], bool]:
    tests = [(_BOUNDS[name], bound) for name, bound in bounds.items()]

    def is_within(value: Any) -> bool:
        found = read(value)
        return found is not None and all(holds(found, bound) for holds, bound in tests)

    return is_within


def _any_value(key: str, test: Callable[[Any], bool]) -> Fits:
    value = _value_at(key)

    def fits(payload: Payload) -> bool:
        found = value(payload)
        return any(map(test, found)) if isinstance(found, list) else test(found)

    return fits


def _value_at(key: str) -> Callable[[Payload], Any]:
    """Return what a payload has under a key; None, which no condition tells from an absence, if there is nothing."""
    steps = key.split(".")

    def value(payload: Payload) -> Any:
        found: Any = payload
        for step in steps:
            found = found.get(step) if isinstance(found, dict) else None
        return found

    return value


def _exact(value: Any) -> Any:
    """Tell true from 1; no value of a match is a fraction."""
    return (isinstance(value, bool), value) if isinstance(value, str | int) else None


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _moment(value: Any) -> datetime | None:
    return _parsed(value) if isinstance(value, str) else None


@lru_cache(maxsize=20_000)  # of the same documents' dates by every condition
def _parsed(text: str) -> datetime | None:
    if PLAIN_MOMENT.fullmatch(text):  # of which qdrant-client, which tries fifteen formats, makes the same
        try:
            return _in_utc(datetime.fromisoformat(text))
        except ValueError:
            return None
    return datetime_utils.parse(text)


def _in_utc(given: date) -> datetime:
    """Return a moment with its zone, which is UTC where it has none."""
    moment = given if isinstance(given, datetime) else datetime.combine(given, time.min)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
