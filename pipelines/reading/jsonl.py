"""JSON Lines: each record a paragraph."""

from __future__ import annotations

from pipelines.errors import CorruptDocument
from pipelines.reading.json import paragraphs, parse
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the records in their order."""
    label = source.format.label
    lines = ((number, line) for number, line in enumerate(source.text().split("\n"), start=1) if line.strip())
    records = [_record(number, line, label) for number, line in lines]
    return ParsedDocument("\n\n".join(filter(None, records)), source.format.media_type)


def _record(number: int, line: str, label: str) -> str:
    try:
        return paragraphs(parse(line, label))
    except CorruptDocument as error:
        raise CorruptDocument(label, f"record on line {number}: {error.message.partition(': ')[2]}") from error
