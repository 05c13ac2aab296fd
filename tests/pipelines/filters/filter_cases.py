"""Declarations, metadata and filters that hypothesis makes up: near enough to each other to match, and extremes."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

UNIVERSE = {
    "suite": "keyword",
    "kind": "keyword",
    "topics": "keywords",
    "tags": "keywords",
    "year": "integer",
    "size": "integer",
    "price": "float",
    "rating": "float",
    "public": "boolean",
    "done": "boolean",
    "published": "datetime",
    "seen": "datetime",
}
"""Every field that an example may declare, and its type."""

_WORDS = st.sampled_from(["", "a", "A", "ab", "ba", "a b", " a", "é", "e\u0301", "日本", "本", "😀a", "\x01", "a\nb"])
_MOMENTS = st.sampled_from(
    [
        "2024-05-01",
        "20240501",
        "2024-W18-3",
        "2024-05-01T00:00",
        "2024-05-01 00:00:00",
        "2024-05-01T00:00:00Z",
        "20240501T000000Z",
        "2024-05-01T02:00:00+02:00",
        "2024-05-01T02:00:30+02:00:30",
        "2024-05-01T00:00:00.000001",
        "2024-05-01T00:00:00.000001999Z",
        "2024-05-01T00:00:00,5",
        "2024-04-30T23:59:59.999999-00:00",
        "2024-05-02",
        "1969-12-31T23:59:59.999999Z",
        "0001-01-01",
        "9999-12-31T23:59:59.999999Z",
    ]
)
_INTEGERS = st.integers(-2, 2) | st.sampled_from([2**53 - 1, 1 - 2**53, 2**53 - 2])
_FLOATS = st.sampled_from(
    [0, 1, 2, -0.0, 0.1, 0.1 + 0.2, 0.3, 1.0, 1.5, 5e-324, 1e308, -1e308, 2**53 + 1, 2.0**53, 2**63 + 1, -(2**62) - 1]
)
_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)
_VALUES: dict[str, SearchStrategy[Any]] = {
    "keyword": _WORDS | _TEXTS,
    "keywords": _WORDS | _TEXTS,
    "integer": _INTEGERS,
    "float": _FLOATS
    | st.floats(-2, 2, allow_subnormal=False).map(lambda number: number if abs(number) > 1e-7 else 0.0),
    "boolean": st.booleans(),
    "datetime": _MOMENTS,
}
_RANGES = ["gt", "gte", "lt", "lte"]


def declarations() -> SearchStrategy[dict[str, str]]:
    """Some of the fields, with their types."""
    names = st.lists(st.sampled_from(sorted(UNIVERSE)), min_size=1, max_size=4, unique=True)
    return names.map(lambda chosen: {name: UNIVERSE[name] for name in chosen})


def metadata(types: dict[str, str]) -> SearchStrategy[dict[str, Any]]:
    """A document's metadata: any of the fields, and something undeclared."""
    known = {name: st.none() | _held(kind) for name, kind in types.items()}
    return st.fixed_dictionaries({}, optional={**known, "undeclared": st.floats(-9, 9) | st.lists(_WORDS, max_size=2)})


def filters(types: dict[str, str]) -> SearchStrategy[dict[str, Any]]:
    """A filter that is well formed."""
    return st.just({}) | parts(types)


def parts(types: dict[str, str]) -> SearchStrategy[dict[str, Any]]:
    """A filter that another may hold: it is not empty."""
    return st.recursive(_fields(types, 1), lambda inner: _combined(inner, types), max_leaves=5)


def _held(kind: str) -> SearchStrategy[Any]:
    value = _VALUES[kind]
    return value | st.lists(value, max_size=3) if kind == "keywords" else value


def _fields(types: dict[str, str], least: int = 0) -> SearchStrategy[dict[str, Any]]:
    choices = {name: st.none() | _asked(kind) for name, kind in types.items()}
    return st.lists(st.sampled_from(sorted(types)), min_size=least, max_size=2, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: choices[name] for name in names})
    )


def _asked(kind: str) -> SearchStrategy[Any]:
    value = _VALUES[kind]
    several = st.lists(value, min_size=1, max_size=3)
    operators: dict[str, SearchStrategy[Any]] = {"eq": value, "ne": value, "in": several, "nin": several}
    operators["exists"] = st.booleans()
    if kind in ("integer", "float", "datetime"):
        operators |= dict.fromkeys(_RANGES, value)
    if kind in ("keyword", "keywords"):
        operators["prefix"] = value.filter(bool)
        operators["contains"] = value if kind == "keywords" else value.filter(bool)
    one = {name: st.none() | operand for name, operand in operators.items()}
    compared = st.lists(st.sampled_from(sorted(one)), min_size=1, max_size=2, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: one[name] for name in names})
    )
    return value | several | compared


def _combined(inner: SearchStrategy[dict[str, Any]], types: dict[str, str]) -> SearchStrategy[dict[str, Any]]:
    several = st.lists(inner, min_size=1, max_size=3)
    ways = {"and": several, "or": several, "not": inner}
    one = [st.fixed_dictionaries({name: way}) for name, way in ways.items()]
    both = st.tuples(_fields(types), st.one_of(one)).map(lambda parts: {**parts[0], **parts[1]})
    return st.one_of(*one, both)
