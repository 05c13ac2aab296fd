"""JSON: its objects are sections of facts, its lists of like objects tables; see `pipelines.reading.json.records`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.json.records import add_value
from pipelines.reading.json.trials import is_trial, read_trial
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_TITLES = ("title", "name")
# A whole escape: of two halves of a character, of what cannot be stored (one half alone, or NUL), or any other.
_ESCAPE = re.compile(
    r"\\(?:u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|(u[Dd][89A-Fa-f][\dA-Fa-f]{2}|u0000)|.)", re.DOTALL
)
_REPLACEMENT = r"\ufffd"
"""Escapes the replacement character; it is as long as what it stands for, so that places in the file stay right."""


def read(source: Source) -> ParsedDocument:
    """Return the values in their order; the title is a ``title`` or ``name`` at the top.

    The record of a clinical trial is read as one; see `pipelines.reading.json.trials`.
    """
    value = parse(source.text(), source.format.label)
    if is_trial(value):
        return read_trial(value, source.format)
    draft = Draft()
    with nesting_bounded(source.format.label):
        add_value(draft, value)
    return draft.finish(source.format, _title(value))


@contextmanager
def nesting_bounded(label: str) -> Iterator[None]:
    """Refuse what is nested so deeply that it cannot be read.

    Raises:
        CorruptDocument: The block went too deep.
    """
    try:
        yield
    except RecursionError as error:
        raise CorruptDocument(label, "it is nested too deeply; flatten it") from error


def parse(text: str, label: str) -> Any:
    """Return the value of a JSON text, numbers as they are written; what cannot be stored of its texts is replaced."""
    try:
        with nesting_bounded(label):
            return json.loads(_storable(text), parse_float=str, parse_int=str, parse_constant=str)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise CorruptDocument(label, f"{error.msg} on {place}; mend it there") from error


def _storable(text: str) -> str:
    """Return JSON without escapes of NUL and of half a character: programs that cut texts short leave these behind."""
    return _ESCAPE.sub(lambda found: _REPLACEMENT if found[1] else found[0], text) if "\\u" in text else text


def _title(value: Any) -> str | None:
    titles = (value.get(key) for key in _TITLES) if isinstance(value, dict) else ()
    return next((title.strip() for title in titles if isinstance(title, str) and title.strip()), None)
