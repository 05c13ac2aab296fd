"""Titles and headings of documents as they are recorded: single lines."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePosixPath

from pipelines.ingestion.offers import MAX_NAME_CHARS, without_surrogates
from pipelines.reading import media_type_of
from pipelines.types import Heading, ParsedDocument

_GAPS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")


def tidied(parsed: ParsedDocument) -> ParsedDocument:
    """``parsed`` with its title and those of its headings as single lines: a file may call itself anything."""
    headings = (Heading(heading.level, _line(heading.title), heading.start) for heading in parsed.headings)
    return replace(
        parsed,
        title=_line(parsed.title or "") or None,
        headings=tuple(heading for heading in headings if heading.title),
    )


def _line(text: str) -> str:
    kept = without_surrogates(text.replace("\0", ""))
    return _GAPS.sub(" ", kept).strip()[:MAX_NAME_CHARS].rstrip()


def stem_of(source: str | None) -> str:
    """Return a source without its folder and a known file ending: ``CFR 1234.56`` has none."""
    path = PurePosixPath(source or "")
    return (path.stem if media_type_of(path.name) else path.name).replace("_", " ")
