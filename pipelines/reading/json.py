"""JSON: each value on a line of its own behind its path, each record of a list a paragraph."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.source import Source
from pipelines.reading.trials import is_trial, read_trial
from pipelines.types import ParsedDocument

_BLANK_LINES = re.compile(r"\n{3,}")
_TITLES = ("title", "name")


def read(source: Source) -> ParsedDocument:
    """Return the values in their order; the title is a ``title`` or ``name`` at the top.

    The record of a clinical trial is read as one; see `pipelines.reading.trials`.
    """
    value = parse(source.text(), source.format.label)
    if is_trial(value):
        return read_trial(value, source.format)
    draft = Draft()
    for record in value if isinstance(value, list) else [value]:
        add_record(draft, record)
    return draft.finish(source.format, _title(value))


def parse(text: str, label: str) -> Any:
    """Return the value of a JSON text, numbers as they are written."""
    try:
        return json.loads(text, parse_float=str, parse_int=str)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise CorruptDocument(label, f"{error.msg} on {place}; mend it there") from error
    except RecursionError as error:
        raise CorruptDocument(label, "it is nested too deeply; flatten it") from error


def add_record(draft: Draft, value: Any, line: int | None = None) -> None:
    """Append a value as lines of "path: value"; records in a list of it are blocks that belong to what is above."""
    for (level, _), lines in groupby(_lines("", value, (0, "")), key=itemgetter(0)):
        block = "".join(shown for _, shown in lines).strip("\n")
        draft.add(_BLANK_LINES.sub("\n\n", block), level=level, line=line)


def _lines(path: str, value: Any, record: tuple[int, str]) -> Iterator[tuple[tuple[int, str], str]]:
    """Yield the record that a value is in, by its level and its path, and the value's line."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _lines(f"{path}.{key}" if path else key, each, record)
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        for index, each in enumerate(value):
            yield from _lines(f"{path}[{index}]", each, (record[0] + 1, f"{path}[{index}]"))
    else:
        shown = ", ".join(map(_shown, value)) if isinstance(value, list) else _shown(value)
        if shown.strip():
            yield record, f"{path}: {shown}\n" if path else f"{shown}\n"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _title(value: Any) -> str | None:
    titles = (value.get(key) for key in _TITLES) if isinstance(value, dict) else ()
    return next((title.strip() for title in titles if isinstance(title, str) and title.strip()), None)
