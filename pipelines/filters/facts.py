"""What built-in fields are filtered by: facts of a document that nobody has to declare."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

FACTS = "facts"
"""Where a chunk's payload keeps its document's facts."""


class DescribedMetadata(dict[str, Any]):
    """A document's metadata with its facts, which are no part of it."""

    facts: dict[str, Any]

    def __init__(self, metadata: dict[str, Any], facts: dict[str, Any]) -> None:
        super().__init__(metadata)
        self.facts = facts


def facts_of(source: str, size: int, language: str | None) -> dict[str, Any]:
    """Return the facts of a document's content; `moments_of` has the others."""
    path = PurePosixPath(source.replace("\\", "/"))
    folders = [] if "://" in source else [str(folder) for folder in path.parents if str(folder) not in (".", "/")]
    known = {} if language is None else {"language": language}
    return {"source": source, "folder": folders, "extension": path.suffix[1:].lower(), "bytes": size, **known}


def moments_of(created_at: datetime, updated_at: datetime) -> dict[str, Any]:
    """Return the facts of when a document came and last changed."""
    return {"created_at": created_at.isoformat(), "updated_at": updated_at.isoformat()}
