"""JSON Lines: like a list of JSON, a table of its records or a section for each."""

from __future__ import annotations

from typing import Any

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.json.document import nesting_bounded, parse
from pipelines.reading.json.records import add_list
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the records in their order."""
    label = source.format.label
    numbered = [(number, line) for number, line in enumerate(source.text().split("\n"), start=1) if line.strip()]
    records = [_record(number, line, label) for number, line in numbered]
    draft = Draft()
    with nesting_bounded(label):
        add_list(draft, records, lines=[number for number, _ in numbered])
    return draft.finish(source.format, None)


def _record(number: int, line: str, label: str) -> Any:
    try:
        return parse(line, label)
    except CorruptDocument as error:
        raise CorruptDocument(label, f"record on line {number}: {error.message.partition(': ')[2]}") from error
