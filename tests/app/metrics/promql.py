"""Which series a PromQL expression asks for, by a parser of the language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import promql_parser


@dataclass
class Wanted:
    """A selector: the series' name, and every label that is matched or grouped by."""

    name: str
    labels: set[str] = field(default_factory=set)
    matched: dict[str, tuple[str, str]] = field(default_factory=dict)


def wanted(expression: str) -> list[Wanted]:
    """The selectors of an expression."""
    return list(_wanted(promql_parser.parse(expression), frozenset()))


def _wanted(node: Any, grouped: frozenset[str]) -> Iterator[Wanted]:
    match node:
        case promql_parser.VectorSelector():
            matchers = {one.name: (str(one.op), one.value) for one in node.matchers.matchers}
            yield Wanted(node.name, {*matchers, *grouped}, matchers)
        case promql_parser.MatrixSelector():
            yield from _wanted(node.vector_selector, grouped)
        case promql_parser.AggregateExpr():
            by = () if node.modifier is None else node.modifier.labels
            yield from _wanted(node.expr, grouped | set(by))
        case promql_parser.Call():
            for argument in node.args:
                yield from _wanted(argument, grouped)
        case promql_parser.BinaryExpr():
            yield from _wanted(node.lhs, grouped)
            yield from _wanted(node.rhs, grouped)
        case promql_parser.ParenExpr() | promql_parser.UnaryExpr():
            yield from _wanted(node.expr, grouped)
        case promql_parser.NumberLiteral():
            return
        case _:
            raise AssertionError(f"no case for {type(node).__name__}")
