"""The clauses of what a request asks for, each in words and as a filter of its own: what an explanation counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from qdrant_client import models

from pipelines.filters.language import COMBINERS, compile_filters
from pipelines.filters.scopes import View
from pipelines.filters.values import Fields, shown

_WORDS = {
    "eq": "=",
    "ne": "is not",
    "in": "is one of",
    "nin": "is none of",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
    "contains": "contains",
    "prefix": "begins with",
}


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition of those that all have to hold, or (``level``) one of a scope's alternatives.

    ``fields`` are those that it is about.
    """

    kind: Literal["filter", "scope", "level"]
    text: str
    where: models.Filter
    fields: tuple[str, ...]


def clauses_of(filters: Mapping[str, Any] | None, fields: Fields) -> list[Clause]:
    """Return the clauses of a filter that is well formed, in its order; `compile_filters` joins the same ones."""
    found = []
    for part in _parts(filters or {}):
        where = compile_filters(part, fields)
        if where is not None:
            found.append(Clause("filter", _spelled(part), where, tuple(dict.fromkeys(_named(part)))))
    return found


def clauses_of_view(view: View | None) -> list[Clause]:
    """Return what is seen from a scope: one clause for all of it, and one for each of its levels, from the top down."""
    if view is None:
        return []
    levels = [_level(alternative) for alternative in (View((terms,)) for terms in view.alternatives)]
    names = tuple(dict.fromkeys(name for level in levels for name in level.fields))
    if len(levels) == 1:
        return [Clause("scope", levels[0].text, view.filter, names)]
    return [Clause("scope", "is seen from the scope, at one of its levels", view.filter, names), *levels]


def _level(view: View) -> Clause:
    (terms,) = view.alternatives
    spelt = [f"{term.field} = {shown(term.value)}{' or lacks it' if term.may_lack else ''}" for term in terms]
    return Clause("level", ", ".join(spelt), view.filter, tuple(term.field for term in terms))


def _parts(filters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """``filters`` taken apart where "and" joins."""
    for name, value in filters.items():
        if name == "and":
            for part in value:
                yield from _parts(part)
        elif isinstance(value, Mapping) and name not in COMBINERS:
            yield from ({name: {operator: operand}} for operator, operand in value.items())
        else:
            yield {name: value}


def _spelled(filters: Mapping[str, Any]) -> str:
    """Return a filter in words."""
    return " and ".join(_clause(name, value) for name, value in filters.items() if value is not None)


def _clause(name: str, value: Any) -> str:
    if name == "not":
        return f"not ({_spelled(value)})"
    if name in COMBINERS:
        return f"({f' {name} '.join(_spelled(part) for part in value)})"
    asked = value if isinstance(value, Mapping) else {"in" if isinstance(value, list | tuple) else "eq": value}
    return " and ".join(_comparison(name, *one) for one in asked.items() if one[1] is not None)


def _comparison(name: str, operator: str, operand: Any) -> str:
    if operator == "exists":
        return f"{name} is there" if operand else f"{name} is not there"
    values = operand if isinstance(operand, list | tuple) else [operand]
    return f"{name} {_WORDS[operator]} {', '.join(map(shown, values))}"


def _named(filters: Mapping[str, Any]) -> Iterator[str]:
    for name, value in filters.items():
        if name in COMBINERS:
            for part in value if name != "not" else [value]:
                yield from _named(part)
        else:
            yield name
