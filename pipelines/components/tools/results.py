"""The result of a tool as text that footnotes can quote: one record per line, divided into parts.

The text is untrusted: nothing in it is obeyed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from pipelines.components.splitters.measures import CharacterMeasure
from pipelines.components.splitters.spans import SpanSplitter
from pipelines.reading.tidying import tidy
from pipelines.types import Span

_MOST_PARTS = 20
_LONG_PART = 1500  # characters
_BETWEEN = "\n\n"
_WRAPPED = "result"  # a structured result must be an object; servers wrap other values under this name
_SPLITTER = SpanSplitter(sizes=(_LONG_PART,), overlap=0, measure=CharacterMeasure)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's text, the spans of its parts, and whether it was cut at the limit."""

    text: str
    parts: tuple[Span, ...]
    cut: bool


def tool_result(structured: Any, texts: Sequence[str], most_chars: int) -> ToolResult:
    """Convert the result of a call to text.

    Args:
        structured: Its JSON value, which replaces the texts; None if it has none.
        texts: Its texts; a text that is JSON counts as that value.
        most_chars: Most characters of the text.
    """
    values = [structured] if structured is not None else [_parsed_json(text) for text in texts]
    records = [tidy(_sound(record)).strip() for value in values for record in _records(_unwrapped(value))]
    whole = _BETWEEN.join(record for record in records if record)
    text = whole[:most_chars]
    return ToolResult(text, tuple(_parts(text, [record for record in records if record])), len(whole) > most_chars)


def _parts(text: str, records: Sequence[str]) -> Iterator[Span]:
    """Yield one part per record, or per group of records if there are many; long records are split at sentences."""
    together = max(ceil(len(records) / _MOST_PARTS), 1)
    start = 0
    for first in range(0, len(records), together):
        end = start + len(_BETWEEN.join(records[first : first + together]))
        if end - start <= _LONG_PART or together > 1:
            yield from [Span(start, min(end, len(text)))] if start < len(text) else []
        else:
            pieces = _SPLITTER.pieces(text[start:end])
            yield from (Span(start + piece.span.start, start + piece.span.end) for piece in pieces)
        start = end + len(_BETWEEN)


def _parsed_json(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _unwrapped(value: Any) -> Any:
    return value[_WRAPPED] if isinstance(value, dict) and value.keys() == {_WRAPPED} else value


def _records(value: Any) -> Iterator[str]:
    """The records of a value, one line each: the items of a list, and of lists in an object."""
    if isinstance(value, list):
        yield from (_line(item) for item in value)
        return
    if not isinstance(value, dict):
        yield _line(value)
        return
    lists = {key: item for key, item in value.items() if isinstance(item, list) and _holds_objects(item)}
    yield _line({key: item for key, item in value.items() if key not in lists})
    for key, items in lists.items():
        label = f"{key}: " if len(lists) > 1 else ""
        yield from (f"{label}{_line(item)}" for item in items)


def _line(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "; ".join(f"{name}: {' '.join(_value(item).split())}" for name, item in _fields(value, ""))
    return _value(value)


def _fields(value: dict[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    """The fields of an object and of the objects in it, without null and empty values."""
    for key, item in value.items():
        if isinstance(item, dict):
            yield from _fields(item, f"{above}{key}.")
        elif item not in (None, "", []):
            yield f"{above}{key}", item


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(f"({_line(item)})" if isinstance(item, dict) else _value(item) for item in value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _holds_objects(items: Sequence[Any]) -> bool:
    return any(isinstance(item, dict) for item in items)


def _sound(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode()
