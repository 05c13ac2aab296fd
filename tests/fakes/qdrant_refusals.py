"""What a Qdrant server refuses, and its memory mode takes: read from the source of the server's 1.20 line."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from qdrant_client import models

Indexes = Mapping[str, Any]
"""Parameters of payload indexes, by key."""
_COUNTED = {"keyword", "integer", "bool"}
_ORDERED = {"integer", "float", "datetime"}


class Refused(Exception):
    """A server answers this status, and says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def refuse_in_strict_mode(strict: models.StrictModeConfig | None, indexes: Indexes, body: Any) -> None:
    """Refuse filters that no index answers, and those that ask for a part of a word, where strict mode is on."""
    if strict is None or not strict.enabled:
        return
    for where in _filters(body):
        for key, needs in _needs(where):
            if needs == "substring":
                raise Refused(400, f'Bad request: Substring matching is not allowed, used for "{key}"')
            if key not in indexes or not _serves(indexes[key], needs):
                raise Refused(400, f'Bad request: Index required but not found for "{key}" of type {needs}')


def filtered_keys(body: Any) -> set[str]:
    """The keys that the filters of a request name."""
    return {key for where in _filters(body) for key, _ in _needs(where)}


def refuse_request(rest: str, indexes: Indexes, body: Any) -> None:
    """Refuse limits below 1, ids that are neither numbers nor UUIDs, and what needs an index in any mode."""
    if rest in ("/points/scroll", "/points/query/batch", "/facet"):
        for one in body.get("searches", [body]):
            if one.get("limit") is not None and one["limit"] < 1:
                raise Refused(422, f"Validation error in JSON body: [limit: value {one['limit']} invalid]")
    for given in _ids(body):
        if not _is_id(given):
            raise Refused(400, f"Format error in JSON body: value {given} is not a valid point ID")
    if rest == "/facet" and not (body["key"] in indexes and indexes[body["key"]].type.value in _COUNTED):
        raise Refused(400, f"Bad request: No appropriate index for faceting: `{body['key']}`")
    if order := body.get("order_by"):
        key = order if isinstance(order, str) else order["key"]
        if not (key in indexes and indexes[key].type.value in _ORDERED and _serves(indexes[key], "range")):
            raise Refused(400, f"Bad request: No range index for `order_by` key: `{key}`")


def _is_id(given: Any) -> bool:
    if isinstance(given, int):
        return 0 <= given < 2**64
    try:
        return bool(uuid.UUID(given))
    except ValueError:
        return False


def _ids(body: Mapping[str, Any]) -> Iterator[Any]:
    yield from body.get("ids") or ()
    for point in body.get("points") or ():
        yield point["id"] if isinstance(point, Mapping) else point
    for where in _filters(body):
        for condition in _conditions(where):
            yield from condition.get("has_id") or ()


def _filters(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for one in body.get("searches", [body]):
        if one.get("filter"):
            yield one["filter"]


def _conditions(where: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The conditions of a filter, without the filters that they stand in."""
    for clause in (where.get("must"), where.get("should"), where.get("must_not"), where.get("min_should")):
        given = clause.get("conditions", [clause]) if isinstance(clause, Mapping) else clause
        for condition in given or ():
            if condition.keys() & {"must", "should", "must_not", "min_should"}:
                yield from _conditions(condition)
            else:
                yield condition


def _needs(where: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The keys that a filter names, and what an index of each has to answer."""
    for condition in _conditions(where):
        for name in ("is_empty", "is_null"):
            if isinstance(condition.get(name), Mapping):
                yield condition[name]["key"], "any"
        if match := condition.get("match"):
            yield from ((condition["key"], needs) for needs in _of_match(match))
        if bounds := condition.get("range"):
            dated = any(isinstance(bound, str) for bound in bounds.values())
            yield condition["key"], "datetime" if dated else "range"
        if condition.get("values_count"):
            yield condition["key"], "any"


def _of_match(match: Mapping[str, Any]) -> Iterator[str]:
    if match.get("substring") is not None:
        yield "substring"
    elif match.get("prefix") is not None:
        yield "prefix"
    else:
        listed = match.get("any") or match.get("except") or ()
        for value in listed[:1] if "value" not in match else [match["value"]]:
            yield "bool" if isinstance(value, bool) else "lookup" if isinstance(value, int) else "keyword"


def _serves(index: Any, needs: str) -> bool:
    kind = index.type.value
    match needs:
        case "any":
            return True
        case "keyword" | "bool" | "datetime":
            return bool(kind == needs)
        case "prefix":
            return kind == "keyword" and bool(index.prefix)
        case "lookup":
            return kind == "integer" and index.lookup is not False
        case _:
            return kind in ("float", "datetime") or (kind == "integer" and index.range is not False)
