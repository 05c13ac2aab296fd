"""JSON Lines: each record a paragraph."""

from __future__ import annotations

from typing import Any

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.json import add_record, parse
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the records in their order."""
    label = source.format.label
    lines = ((number, line) for number, line in enumerate(source.text().split("\n"), start=1) if line.strip())
    draft = Draft()
    for number, line in lines:
        add_record(draft, _record(number, line, label), number)
    return draft.finish(source.format, None)


def _record(number: int, line: str, label: str) -> Any:
    try:
        return parse(line, label)
    except CorruptDocument as error:
        raise CorruptDocument(label, f"record on line {number}: {error.message.partition(': ')[2]}") from error
