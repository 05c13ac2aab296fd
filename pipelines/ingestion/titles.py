"""Titles and headings of documents as they are recorded: single lines."""

from __future__ import annotations

import re
from dataclasses import replace

from pipelines.ingestion.offers import MAX_NAME_CHARS, without_surrogates
from pipelines.types import Heading, ParsedDocument

_GAPS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")


def tidied(parsed: ParsedDocument) -> ParsedDocument:
    """Return a document with its title and headings as single lines: a file may state any title."""
    headings = (Heading(heading.level, _line(heading.title), heading.start) for heading in parsed.headings)
    return replace(
        parsed,
        title=_line(parsed.title or "") or None,
        headings=tuple(heading for heading in headings if heading.title),
    )


def _line(text: str) -> str:
    kept = without_surrogates(text.replace("\0", ""))
    return _GAPS.sub(" ", kept).strip()[:MAX_NAME_CHARS].rstrip()
