"""JSON: its objects are sections of facts, its lists of like objects tables; see `pipelines.reading.records`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.records import add_value
from pipelines.reading.source import Source
from pipelines.reading.trials import is_trial, read_trial
from pipelines.types import ParsedDocument

_TITLES = ("title", "name")


def read(source: Source) -> ParsedDocument:
    """Return the values in their order; the title is a ``title`` or ``name`` at the top.

    The record of a clinical trial is read as one; see `pipelines.reading.trials`.
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
    """Return the value of a JSON text, numbers as they are written."""
    try:
        with nesting_bounded(label):
            return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise CorruptDocument(label, f"{error.msg} on {place}; mend it there") from error


def _title(value: Any) -> str | None:
    titles = (value.get(key) for key in _TITLES) if isinstance(value, dict) else ()
    return next((title.strip() for title in titles if isinstance(title, str) and title.strip()), None)
