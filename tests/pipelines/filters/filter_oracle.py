"""What a filter means, in plain Python: no Qdrant, nothing of the language's own code."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

Types = Mapping[str, str]


def matches(filters: Mapping[str, Any], metadata: Mapping[str, Any], types: Types) -> bool:
    """Whether a document of this metadata fits; ``types`` are those of the declared fields."""
    return _all(filters, metadata, types) is not False


def _all(filters: Mapping[str, Any], metadata: Mapping[str, Any], types: Types) -> bool | None:
    """None where the filter says nothing."""
    verdicts = [_clause(name, value, metadata, types) for name, value in filters.items()]
    return _both([verdict for verdict in verdicts if verdict is not None])


def _both(verdicts: list[bool]) -> bool | None:
    return all(verdicts) if verdicts else None


def _clause(name: str, value: Any, metadata: Mapping[str, Any], types: Types) -> bool | None:
    if value is None:
        return None
    if name not in types:
        return _combined(name, value, metadata, types)
    asked = value if isinstance(value, Mapping) else {"in" if isinstance(value, list) else "eq": value}
    held = _held(metadata.get(name), types[name])
    return _both(
        [_holds(operator, operand, held, types[name]) for operator, operand in asked.items() if operand is not None]
    )


def _combined(name: str, value: Any, metadata: Mapping[str, Any], types: Types) -> bool | None:
    if name == "not":
        verdict = _all(value, metadata, types)
        return None if verdict is None else not verdict
    verdicts = [_all(part, metadata, types) for part in value]
    if name == "and":
        return _both([verdict for verdict in verdicts if verdict is not None])
    return None if None in verdicts else any(verdicts)


def _holds(operator: str, operand: Any, held: list[Any], kind: str) -> bool:
    if operator == "exists":
        return bool(held) is operand
    if operator in ("ne", "nin"):
        return not _holds({"ne": "eq", "nin": "in"}[operator], operand, held, kind)
    if operator == "in":
        return any(_holds("eq", one, held, kind) for one in operand)
    if operator == "contains" and kind == "keywords":
        operator = "eq"
    wanted = _comparable(operand, kind)
    return any(_TESTS[operator](value, wanted) for value in held)


def _held(value: Any, kind: str) -> list[Any]:
    values = value if isinstance(value, list) else [] if value is None else [value]
    return [_comparable(one, kind) for one in values]


def _comparable(value: Any, kind: str) -> Any:
    if kind == "float":
        return float(f"{float(value):.15g}")  # numbers that agree to 15 digits are one
    if kind == "datetime":
        moment = datetime.fromisoformat(value)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return value


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, wanted: value == wanted,
    "gt": lambda value, wanted: value > wanted,
    "gte": lambda value, wanted: value >= wanted,
    "lt": lambda value, wanted: value < wanted,
    "lte": lambda value, wanted: value <= wanted,
    "contains": lambda value, wanted: wanted in value,
    "prefix": lambda value, wanted: value.startswith(wanted),
}
