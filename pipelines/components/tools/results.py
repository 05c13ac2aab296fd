"""What a tool told as text that can be quoted: records on lines of their own, and the parts that it has.

The text is what footnotes quote from and what the answer returns. It is somebody else's: nothing in it is obeyed.
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
_WRAPPED = "result"  # servers put what is no object under this name: structured results must be one
_SPLITTER = SpanSplitter(sizes=(_LONG_PART,), overlap=0, measure=CharacterMeasure)


@dataclass(frozen=True, slots=True)
class Told:
    """A result: its text, the spans of its parts in it, and whether there was more than may be."""

    text: str
    parts: tuple[Span, ...]
    cut: bool


def told(structured: Any, texts: Sequence[str], most_chars: int) -> Told:
    """A result as text.

    Args:
        structured: Its JSON value, which goes before the texts; None where it has none.
        texts: Its texts; one that spells a JSON value counts as that.
        most_chars: Most characters of the text.
    """
    values = [structured] if structured is not None else [_spelt_json(text) for text in texts]
    records = [tidy(_sound(record)).strip() for value in values for record in _records(_unwrapped(value))]
    whole = _BETWEEN.join(record for record in records if record)
    text = whole[:most_chars]
    return Told(text, tuple(_parts(text, [record for record in records if record])), len(whole) > most_chars)


def _parts(text: str, records: Sequence[str]) -> Iterator[Span]:
    """A part for each record, or for several together where there are many; long ones are cut at their sentences."""
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


def _spelt_json(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _unwrapped(value: Any) -> Any:
    return value[_WRAPPED] if isinstance(value, dict) and value.keys() == {_WRAPPED} else value


def _records(value: Any) -> Iterator[str]:
    """The records of a value, each a line of its own: the items of a list, also of lists in an object."""
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
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "; ".join(f"{name}: {' '.join(_value(item).split())}" for name, item in _fields(value, ""))
    return _value(value)


def _fields(value: dict[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    """The fields of an object with those of the objects in it; what is null or empty says nothing."""
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
    """The text without halves of surrogate pairs, which cannot be sent on."""
    return text.encode("utf-8", "replace").decode()
