"""JSON: each value on a line of its own with the path to it, each record of a list a paragraph."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from pipelines.errors import CorruptDocument
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_BLANK_LINES = re.compile(r"\n{3,}")
_TITLES = ("title", "name")


def read(source: Source) -> ParsedDocument:
    """Return the values in their order; the title is a ``title`` or ``name`` at the top."""
    value = parse(source.text(), source.format.label)
    blocks = value if isinstance(value, list) else [value]
    text = "\n\n".join(filter(None, map(paragraphs, blocks)))
    return ParsedDocument(text, source.format.media_type, title=_title(value))


def parse(text: str, label: str) -> Any:
    """Return the value of a JSON text, numbers as they are written."""
    try:
        return json.loads(text, parse_float=str, parse_int=str)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise CorruptDocument(label, f"{error.msg} on {place}; mend it there") from error
    except RecursionError as error:
        raise CorruptDocument(label, "it is nested too deeply; flatten it") from error


def paragraphs(value: Any) -> str:
    """Return a value as lines of "path: value", with a blank line around each record of a list."""
    return _BLANK_LINES.sub("\n\n", "".join(_lines("", value))).strip("\n")


def _lines(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _lines(f"{path}.{key}" if path else key, each)
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        for index, each in enumerate(value):
            yield from ("\n", *_lines(f"{path}[{index}]", each), "\n")
    else:
        shown = ", ".join(map(_shown, value)) if isinstance(value, list) else _shown(value)
        if shown.strip():
            yield f"{path}: {shown}\n" if path else f"{shown}\n"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _title(value: Any) -> str | None:
    titles = (value.get(key) for key in _TITLES) if isinstance(value, dict) else ()
    return next((title.strip() for title in titles if isinstance(title, str) and title.strip()), None)
