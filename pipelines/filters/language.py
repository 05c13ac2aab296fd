"""The filter language: what a request may say about metadata, checked against the declared fields.

``{"suite": "fedsuite"}`` is equality, a list means any of, ``{"year": {"gte": 2020}}`` uses operators, ``null`` means
no constraint, and ``and``, ``or``, ``not`` nest. The result is Qdrant's filter, so that both legs filter in the index.
``docs/filters.md`` has the algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from qdrant_client import models

from pipelines.errors import InvalidFilter, Problem, nearest
from pipelines.filters.sections import plain_heading, stored_at
from pipelines.filters.values import Fields, shown, typed_value
from pipelines.profile.sections.documents import BuiltInField, MetadataField

Condition = models.FieldCondition | models.Filter

COMBINERS = ("and", "or", "not")
_RANGES = ("gt", "gte", "lt", "lte")
_OPERATORS = ("eq", "ne", "in", "nin", *_RANGES, "contains", "prefix", "exists")
_SYMBOLS = {
    "=": "eq",
    "==": "eq",
    "!=": "ne",
    "<>": "ne",
    ">": "gt",
    ">=": "gte",
    "<": "lt",
    "<=": "lte",
    "like": "contains",
}
_ALIKE = 0.6  # of difflib: "sute" is like "suite", "color" is not like "folder"
_NAME_CHARS = 200  # looking for the nearest name takes a time that grows with the text
_MOST_DEEP = 16
_MOST_PARTS = 1000  # each is a condition that the index weighs
_NO_OPERATOR = 'names no operator; write one, such as {"eq": ...}, the value itself, or null for no constraint'
_LISTED = ("keyword", "keywords", "integer")
"""Types of which the index looks up a list of values as one condition."""


def compile_filters(filters: Mapping[str, Any] | None, fields: Fields) -> models.Filter | None:
    """Qdrant's filter for ``filters``, or None where nothing is asked.

    Raises:
        InvalidFilter: A field that is not declared, an unknown operator, a value of the wrong type, or too many parts.
    """
    if filters is None:
        return None
    _require_few_parts(filters, fields)
    conditions = _all_of(filters, fields, "filters", 0)
    return models.Filter(must=list(conditions)) if conditions else None


def require_of_documents(filters: Mapping[str, Any] | None, fields: Fields, path: str = "filters") -> None:
    """Refuse a filter, compiled before, that asks for what chunks have and documents have not.

    Raises:
        InvalidFilter: It names a field with ``source: headings``.
    """
    for name, value in (filters or {}).items():
        if name in COMBINERS:
            for index, part in enumerate(value) if isinstance(value, list | tuple) else [(None, value)]:
                require_of_documents(part, fields, f"{path} -> {name}" + ("" if index is None else f" -> {index}"))
        elif fields[name].source == "headings":
            detail = "is of chunks, not of documents: searches and answers can be filtered by it, documents cannot"
            raise InvalidFilter(Problem(f"{path} -> {name}", detail))


def _require_few_parts(filters: Any, fields: Fields) -> None:
    waiting, parts = [filters], 0
    while waiting:
        part = waiting.pop()
        parts += 1 + (_values_apart(part, fields) if isinstance(part, Mapping) else 0)
        if parts > _MOST_PARTS:
            detail = f"has more than {_MOST_PARTS} parts; many keywords or whole numbers can be given as a list"
            raise InvalidFilter(Problem("filters", detail))
        for inner in (part[name] for name in COMBINERS if isinstance(part, Mapping) and name in part):
            waiting.extend(inner if isinstance(inner, list | tuple) else [inner])


def _values_apart(part: Mapping[str, Any], fields: Fields) -> int:
    """Return how many values are listed of which each is a condition of its own."""
    asked = [value for name, value in part.items() if name in fields and fields[name].type not in _LISTED]
    lists = [list(value.values()) if isinstance(value, Mapping) else [value] for value in asked]
    return sum(len(one) for values in lists for one in values if isinstance(one, list | tuple))


def _all_of(filters: Any, fields: Fields, path: str, depth: int) -> list[Condition]:
    if not isinstance(filters, Mapping):
        raise InvalidFilter(Problem(path, "must be a mapping of fields to values"))
    if depth > _MOST_DEEP:
        raise InvalidFilter(Problem(path, f"nests deeper than {_MOST_DEEP} levels"))
    if depth and not filters:
        raise InvalidFilter(Problem(path, "must be a filter that is not empty; leave it out if it asks nothing"))
    found: list[Condition] = []
    for name, value in filters.items():
        found += _one(str(name), value, fields, f"{path} -> {name}", depth)
    return found


def _one(name: str, value: Any, fields: Fields, path: str, depth: int) -> list[Condition]:
    if name in COMBINERS:  # which no field may be called
        return _combined(name, value, fields, path, depth)
    if name not in fields:
        raise InvalidFilter(_unknown_field(name, fields, path))
    if value is None:
        return []
    if isinstance(value, Mapping):
        if not value:
            raise InvalidFilter(Problem(path, _NO_OPERATOR))
        return [
            _compare(name, str(operator), operand, fields[name], f"{path} -> {operator}")
            for operator, operand in value.items()
            if operand is not None or operator not in _OPERATORS
        ]
    return [_compare(name, "in" if isinstance(value, list | tuple) else "eq", value, fields[name], path)]


def _combined(name: str, value: Any, fields: Fields, path: str, depth: int) -> list[Condition]:
    if name == "not":
        inner = _all_of(value, fields, path, depth + 1)
        return [models.Filter(must_not=[models.Filter(must=list(inner))])] if inner else []
    if not isinstance(value, list | tuple) or not value:
        raise InvalidFilter(Problem(path, "must be a list of filters that is not empty"))
    parts = [_all_of(part, fields, f"{path} -> {index}", depth + 1) for index, part in enumerate(value)]
    if name == "and":
        return [condition for part in parts for condition in part]
    if not all(parts):
        return []  # one alternative has no constraint, so everything fits
    return [models.Filter(should=[models.Filter(must=list(part)) for part in parts])]


def _compare(name: str, operator: str, operand: Any, field: MetadataField, path: str) -> Condition:
    if operator not in _OPERATORS:
        meant = _SYMBOLS.get(operator) or nearest(operator, _OPERATORS)
        raise InvalidFilter(Problem(path, f"unknown operator (known are {', '.join(_OPERATORS)})", meant))
    if operator in _RANGES:
        return _range(name, operator, operand, field, path)
    return _COMPARISONS[operator](stored_at(name, field), operand, field, path)


def _equal(key: str, operand: Any, field: MetadataField, path: str) -> Condition:
    value = _typed(operand, field, path)
    if field.type == "float":
        return models.FieldCondition(key=key, range=models.Range(gte=value, lte=value))
    if field.type == "datetime":
        return models.FieldCondition(key=key, range=models.DatetimeRange(gte=value, lte=value))
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))


def _any_of(key: str, operand: Any, field: MetadataField, path: str) -> Condition:
    if not isinstance(operand, list | tuple) or not operand:
        raise InvalidFilter(Problem(path, "must be a list of values that is not empty"))
    if field.type in _LISTED:
        values = [_typed(value, field, f"{path} -> {index}") for index, value in enumerate(operand)]
        return models.FieldCondition(key=key, match=models.MatchAny(any=values))
    return models.Filter(should=[_equal(key, value, field, f"{path} -> {n}") for n, value in enumerate(operand)])


def _not_equal(key: str, operand: Any, field: MetadataField, path: str) -> Condition:
    return models.Filter(must_not=[_equal(key, operand, field, path)])


def _none_of(key: str, operand: Any, field: MetadataField, path: str) -> Condition:
    return models.Filter(must_not=[_any_of(key, operand, field, path)])


def _contains(key: str, operand: Any, field: MetadataField, path: str) -> Condition:
    if field.type == "keywords":
        return _equal(key, operand, field, path)
    return models.FieldCondition(key=key, match=models.MatchSubstring(substring=_part(operand, field, path)))


def _prefix(key: str, operand: Any, field: MetadataField, path: str) -> Condition:
    return models.FieldCondition(key=key, match=models.MatchPrefix(prefix=_part(operand, field, path)))


def _exists(key: str, operand: Any, field: MetadataField, path: str) -> Condition:
    if not isinstance(operand, bool):
        raise InvalidFilter(Problem(path, "must be true or false"))
    empty = models.IsEmptyCondition(is_empty=models.PayloadField(key=key))
    return models.Filter(must_not=[empty]) if operand else models.Filter(must=[empty])


_COMPARISONS: dict[str, Callable[[str, Any, MetadataField, str], Condition]] = {
    "eq": _equal,
    "ne": _not_equal,
    "in": _any_of,
    "nin": _none_of,
    "contains": _contains,
    "prefix": _prefix,
    "exists": _exists,
}


def _range(name: str, operator: str, operand: Any, field: MetadataField, path: str) -> Condition:
    if field.type not in ("integer", "float", "datetime"):
        raise InvalidFilter(Problem(path, f"is for numbers and dates, this field is of type {field.type}"))
    bound = _typed(operand, field, path)
    kind = models.DatetimeRange if field.type == "datetime" else models.Range
    return models.FieldCondition(key=stored_at(name, field), range=kind(**{operator: bound}))


def _typed(value: Any, field: MetadataField, path: str) -> Any:
    try:
        typed = typed_value(value, field)
    except ValueError as error:
        suggestion = nearest(str(value), field.values) if field.values else None
        raise InvalidFilter(Problem(path, str(error), suggestion)) from None
    return plain_heading(typed) if field.source == "headings" else typed


def _part(value: Any, field: MetadataField, path: str) -> str:
    """Return a part of a keyword, which need not be one of the field's values."""
    if field.type not in ("keyword", "keywords"):
        raise InvalidFilter(Problem(path, f"is for keyword fields, this one is of type {field.type}"))
    text = _typed(value, field.model_copy(update={"values": None}), path)
    if not text:
        raise InvalidFilter(Problem(path, f"must be text that is not empty, not {shown(value)}"))
    return str(text)


def _unknown_field(name: str, fields: Fields, path: str) -> Problem:
    own = [field for field in fields if not isinstance(fields[field], BuiltInField)]
    built_in = [field for field in fields if field not in own]
    declared = f"declared are {', '.join(own)}" if own else "the profile declares no fields"
    also = f"; built in are {', '.join(built_in)}" if built_in else ""
    return Problem(path, f"unknown field ({declared}{also})", _meant(name, fields))


def _meant(name: str, fields: Fields) -> str | None:
    """Return the field that ``name`` misspells or is a word of, such as ``date`` of ``publication_date``."""
    written = name[:_NAME_CHARS].lower()
    alike = get_close_matches(written, fields, n=1, cutoff=_ALIKE)
    of_words = [field for field in fields if written in field.lower().split("_")]
    combiners = get_close_matches(written, COMBINERS, n=1, cutoff=_ALIKE)
    return next(iter([*alike, *of_words, *combiners]), None)
