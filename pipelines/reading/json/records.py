"""The values of JSON: an object is a section of facts, a list of objects that are alike a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from pipelines.components.sentences import word_count
from pipelines.reading.draft import Draft

_NAMES = ("title", "name", "id", "key", "label")
_TEXTS = frozenset({"body", "content", "text"})
"""Keys that say nothing of what they hold: a long text under one needs no heading."""
_NAME_WORDS = 12
_MOST_COLUMNS = 12
_CELL_WORDS = 20
_FACT_WORDS = 40
"""A longer value is a text under its key, and a longer list one of items."""
_DEEPEST = 6
_BLANK_LINES = re.compile(r"\n\s*\n")


def add_value(draft: Draft, value: Any) -> None:
    """Append a value, with its nested objects and lists under headings."""
    _add(draft, _without_empty(value), level=1, line=None)


def add_list(draft: Draft, values: Sequence[Any], lines: Sequence[int | None]) -> None:
    """Append a list: as a table, as sections, or as items if its values are words and numbers.

    ``lines`` are the lines of the file where its values stand, for their blocks to know theirs.
    """
    _add_list(draft, [_without_empty(value) for value in values], level=1, lines=lines)


def _add(draft: Draft, value: Any, level: int, line: int | None) -> None:
    if isinstance(value, dict):
        _add_object(draft, value, level, line)
    elif isinstance(value, list):
        _add_list(draft, value, level, [None] * len(value))
    else:
        for paragraph in _BLANK_LINES.split(shown(value)):
            draft.add(paragraph.strip(), line=line)


def _add_list(draft: Draft, values: Sequence[Any], level: int, lines: Sequence[int | None]) -> None:
    table = _table(values)
    if table is not None:
        draft.add_table(table, has_header=True, lines=[lines[0], *lines])
        return
    numbered = list(zip(range(1, len(values) + 1), values, lines, strict=True))
    # Behind a section, an item would be part of it.
    for _, value, line in numbered:
        if not _is_nested(value) and value is not None:
            draft.add(f"- {shown(value).strip()}", "item", level=1, line=line)
    for number, value, line in numbered:
        if _is_nested(value):
            title = _name(value) or (str(number) if len(values) > 1 else "")
            draft.add_heading(min(level, _DEEPEST), title, line=line)
            _add(draft, value, level + bool(title), line)


def shown(value: Any) -> str:
    """Return what a value that is neither an object nor a list says; a list of such values, those with commas."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(shown, value)))
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _add_object(draft: Draft, value: Mapping[str, Any], level: int, line: int | None) -> None:
    facts = {key: shown(each) for key, each in value.items() if _is_fact(each)}
    rows = [[key, " ".join(text.split())] for key, text in facts.items() if text]
    if rows:
        draft.add_table(rows, has_header=False, lines=[line] * len(rows))
    plain = [key for key, each in value.items() if key in _TEXTS and key not in facts and isinstance(each, str)]
    for key in plain:
        _add(draft, value[key], level, line)
    for key, each in value.items():
        if key not in facts and key not in plain:
            draft.add_heading(min(level, _DEEPEST), key, line=line)
            _add(draft, each, level + 1, line)


def _is_fact(value: Any) -> bool:
    """Return whether a value is one short line, so that it can stand beside its key."""
    return not _is_nested(value) and word_count(shown(value)) <= _FACT_WORDS and "\n" not in shown(value).strip()


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict | list) for one in value))


def _without_empty(value: Any) -> Any:
    """Return a value with None for what says nothing: blank texts, and objects and lists of nothing else."""
    if isinstance(value, dict):
        kept = {key: _without_empty(each) for key, each in value.items()}
        return kept if any(each is not None for each in kept.values()) else None
    if isinstance(value, list):
        values = [_without_empty(each) for each in value]
        return values if any(each is not None for each in values) else None
    return None if isinstance(value, str) and not value.strip() else value


def _name(value: Any) -> str:
    """Return what an object is called by one of its values."""
    names = (
        (shown(value.get(key)) for key in _NAMES if not _is_nested(value.get(key))) if isinstance(value, dict) else ()
    )
    return next((name for name in names if name.strip() and word_count(name) <= _NAME_WORDS), "")


def _table(values: Sequence[Any]) -> list[list[str]] | None:
    """Return a list of objects as a header and rows; None if they are not alike, or too large for a row."""
    if len(values) < 2 or not all(value is None or isinstance(value, dict) for value in values):
        return None
    records = [_flat(value or {}) for value in values]
    columns = list(dict.fromkeys(path for record in records if record is not None for path in record))
    if not 2 <= len(columns) <= _MOST_COLUMNS or None in records:
        return None
    rows = [[(record or {}).get(path, "") for path in columns] for record in records]
    cells = [cell for row in rows for cell in row if cell]
    is_dense = len(cells) * 2 > len(columns) * len(rows)
    return [columns, *rows] if is_dense and all(word_count(cell) <= _CELL_WORDS for cell in cells) else None


def _flat(record: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the values of an object by their paths; None if they are too many, there are objects in a list of it, or
    two have one path.
    """
    leaves = list(islice(_leaves("", record), _MOST_COLUMNS + 1))
    values = {path: value for path, value in leaves if value is not None}
    return values if len(values) == len(leaves) <= _MOST_COLUMNS else None


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str | None]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(f"{path}.{key}" if path else key, each)
    else:
        yield path, None if _is_nested(value) else " ".join(shown(value).split())
