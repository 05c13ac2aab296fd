"""The values of JSON: an object is a section of facts, a list of objects that are alike a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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


def add_value(draft: Draft, value: Any, level: int = 1, line: int | None = None) -> None:
    """Append a value, with its nested objects and lists under headings from ``level`` on."""
    if isinstance(value, dict):
        _add_object(draft, value, level, line)
    elif isinstance(value, list):
        add_list(draft, value, level)
    else:
        for paragraph in _BLANK_LINES.split(shown(value)):
            draft.add(paragraph.strip(), line=line)


def add_list(draft: Draft, values: Sequence[Any], level: int = 1, lines: Sequence[int | None] = ()) -> None:
    """Append a list: as a table, as sections, or as items if its values are words and numbers.

    ``lines`` are the lines of the file where its values stand, for their blocks to know theirs.
    """
    table = _table(values)
    lines = lines or [None] * len(values)
    if table is not None:
        draft.add_table(table, has_header=True, lines=[lines[0], *lines])
        return
    for number, (value, line) in enumerate(zip(values, lines, strict=True), start=1):
        if not _is_nested(value):
            text = shown(value).strip()
            draft.add(f"- {text}" if text else "", "item", level=1, line=line)
        elif _says_anything(value):
            title = _name(value) or (str(number) if len(values) > 1 else "")
            draft.add_heading(min(level, _DEEPEST), title, line=line)
            add_value(draft, value, level + bool(title), line)


def shown(value: Any) -> str:
    """Return what a value that is neither an object nor a list says; a list of such values, those with commas."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(shown, value)))
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _add_object(draft: Draft, value: Mapping[str, Any], level: int, line: int | None) -> None:
    facts = {key: shown(each) for key, each in value.items() if _is_fact(each)}
    rows = [[key, " ".join(text.split())] for key, text in facts.items() if text.strip()]
    if rows:
        draft.add_table(rows, has_header=False, lines=[line] * len(rows))
    plain = [key for key, each in value.items() if key in _TEXTS and key not in facts and isinstance(each, str)]
    for key in plain:
        add_value(draft, value[key], level, line)
    for key, each in value.items():
        if key not in facts and key not in plain and _says_anything(each):
            draft.add_heading(min(level, _DEEPEST), key, line=line)
            add_value(draft, each, level + 1, line)


def _is_fact(value: Any) -> bool:
    """Return whether a value is short, so that it can stand beside its key."""
    return not _is_nested(value) and word_count(shown(value)) <= _FACT_WORDS and "\n\n" not in shown(value)


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict | list) for one in value))


def _says_anything(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_says_anything, value.values()))
    return any(map(_says_anything, value)) if isinstance(value, list) else bool(shown(value).strip())


def _name(value: Any) -> str:
    """Return what an object is called by one of its values."""
    names = (
        (shown(value.get(key)) for key in _NAMES if not _is_nested(value.get(key))) if isinstance(value, dict) else ()
    )
    return next((name for name in names if name.strip() and word_count(name) <= _NAME_WORDS), "")


def _table(values: Sequence[Any]) -> list[list[str]] | None:
    """Return a list of objects as a header and rows; None if they are not alike, or too large for a row."""
    if len(values) < 2 or not all(isinstance(value, dict) and value for value in values):
        return None
    records = [_flat(value) for value in values]
    columns = list(dict.fromkeys(path for record in records if record is not None for path in record))
    if not 2 <= len(columns) <= _MOST_COLUMNS or None in records:
        return None
    rows = [[(record or {}).get(path, "") for path in columns] for record in records]
    cells = [cell for row in rows for cell in row if cell]
    is_dense = len(cells) * 2 > len(columns) * len(rows)
    return [columns, *rows] if is_dense and all(word_count(cell) <= _CELL_WORDS for cell in cells) else None


def _flat(record: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the values of an object by their paths; None if there are objects in a list of it."""
    values = dict(_leaves("", record))
    return (
        None if any(value is None for value in values.values()) else {key: value or "" for key, value in values.items()}
    )


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str | None]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(f"{path}.{key}" if path else key, each)
    else:
        yield path, None if _is_nested(value) else " ".join(shown(value).split())
