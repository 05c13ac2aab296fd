"""Checks a document's metadata against the fields that the profile declares."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipelines.errors import InvalidDocument, Problem, nearest
from pipelines.filters.values import typed_value
from pipelines.ingestion.offers import without_surrogates
from pipelines.profile.levels import levels_of
from pipelines.profile.sections.documents import MetadataField, MetadataSection
from pipelines.types import Metadata

_MOST_BYTES = 65_536
MOST_LEVELS = 30
"""Mappings and lists within each other. gRPC ends at 100 messages, of which a mapping takes three, so at 32 mappings;
the nodes of a cluster send chunks to each other over gRPC too. Qdrant Edge cannot read its own files with about 125
levels.
"""
_NAME_NOT_TEXT = "its name must be text"
_log = logging.getLogger(__name__)


def checked_metadata(metadata: Metadata, section: MetadataSection) -> dict[str, Any]:
    """Return the metadata to keep: declared fields checked and with their defaults, other fields as given.

    Raises:
        InvalidDocument: A declared field has a wrong value or is missing, the document's level in the hierarchy asks
            for a field that it lacks, or the metadata is not plain JSON, nests too deep or is too large.
    """
    given = {key: value for key, value in metadata.items() if value is not None}
    if unnamed := [Problem(f"metadata -> {key}", _NAME_NOT_TEXT) for key in given if not isinstance(key, str)]:
        raise InvalidDocument(*unnamed)
    fields = section.fields
    given |= {name: one.default for name, one in fields.items() if one.default is not None and name not in given}
    problems = [*_wrong_values(given, fields), *_missing(given, fields), *_misplaced(given, section)]
    kept = given
    try:
        kept = _as_json(given)
    except InvalidDocument as error:
        problems += [one for one in error.problems if one not in problems]
    if problems:
        raise InvalidDocument(*problems)
    return kept


def _wrong_values(metadata: Metadata, fields: Mapping[str, MetadataField]) -> Iterator[Problem]:
    for name, field in fields.items():
        if name not in metadata:
            continue
        value = metadata[name]
        for item in value if field.type == "keywords" and isinstance(value, list | tuple) else [value]:
            try:
                typed_value(item, field)
            except ValueError as error:
                yield Problem(f"metadata -> {name}", str(error), nearest(str(item), field.values or ()))


def _missing(metadata: Metadata, fields: Mapping[str, MetadataField]) -> Iterator[Problem]:
    for name, field in fields.items():
        if field.required and name not in metadata:
            others = [key for key in metadata if key not in fields]
            yield _lacking(name, "is required by the profile", others)


def _misplaced(metadata: Metadata, section: MetadataSection) -> Iterator[Problem]:
    levels = levels_of(section)
    if levels is None:
        return
    others = [key for key in metadata if key not in section.fields]
    for name in levels.path:
        if isinstance(value := metadata.get(name), str) and not value.strip():
            yield Problem(f"metadata -> {name}", "must not be empty: it places the document in the hierarchy")
    if levels.field not in metadata:
        if not section.fields[levels.field].required:  # otherwise that has been reported
            named = ", ".join(level.name for level in levels.levels)
            problem = f"is required: it names the document's level in the hierarchy ({named})"
            yield _lacking(levels.field, problem, others)
        return
    level = levels.of(metadata)
    if level is None:
        return  # which is a wrong value
    for name in level.requires:
        if name not in metadata:
            problem = f'is required of a document of the level "{level.name}"'
            yield _lacking(name, problem, others)


def _lacking(name: str, problem: str, others: Iterable[str]) -> Problem:
    """A field that is missing; which of the ``others`` was perhaps meant for it is no name that would be right."""
    written = nearest(name, others)
    hint = f'; "{written}" is not a field of the profile' if written else ""
    return Problem(f"metadata -> {name}", problem + hint)


def _as_json(metadata: Metadata) -> dict[str, Any]:
    """Return metadata as it is read back from the database."""
    require_storable(metadata)
    text = json.dumps(metadata, ensure_ascii=False)
    size = len(text.encode())
    if size > _MOST_BYTES:
        detail = f"{size:,} bytes are more than the {_MOST_BYTES:,} that are kept with every chunk"
        raise InvalidDocument(Problem("metadata", detail))
    kept: dict[str, Any] = json.loads(text)
    return kept


def require_storable(metadata: Metadata) -> None:
    """Refuse metadata that a store or a catalogue could not keep.

    Raises:
        InvalidDocument: A value is not plain JSON, or nests too deep; it is named.
    """
    flaw = next(_flaws(metadata, "metadata"), None)
    if flaw is not None:
        raise InvalidDocument(flaw)


def _flaws(value: Any, *path: str) -> Iterator[Problem]:
    """Yield what cannot be kept of ``value``, which stands at ``path``."""
    if flaw := _flaw(value):
        yield Problem(" -> ".join(path), flaw)
    elif not isinstance(value, dict | list | tuple):
        return
    elif len(path) > MOST_LEVELS:
        yield Problem(" -> ".join(path[:2]), f"nests deeper than {MOST_LEVELS} levels")
    else:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            within = (*path, without_surrogates(str(key)))
            if isinstance(value, dict) and not isinstance(key, str):
                yield Problem(" -> ".join(within), _NAME_NOT_TEXT)
            elif flaw := _flaw(key):
                yield Problem(" -> ".join(within), f"its name {flaw}")
            yield from _flaws(inner, *within)


def _flaw(item: Any) -> str | None:
    """Return what keeps one value from being kept, apart from what it holds."""
    match item:
        case str() if "\0" in item:
            return "holds a NUL character, which no database keeps; remove it"
        case str() if item != without_surrogates(item):
            return "holds half a character (a lone surrogate); send valid Unicode"
        case int() if not -(2**63) <= item < 2**64:
            return "is a number beyond 64 bits; write it as text"
        case float() if not math.isfinite(item):
            return "is not a finite number, and JSON has no others"
        case None | str() | int() | float() | dict() | list() | tuple():
            return None
        case _:
            return f"must be plain JSON, and {type(item).__name__} is not"


def without_nul(value: Any) -> Any:
    """Return what JSON can hold without the NUL characters in its text: PostgreSQL keeps none."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, Mapping):
        return {without_nul(key): without_nul(item) for key, item in value.items()}
    return [without_nul(item) for item in value] if isinstance(value, list | tuple) else value


def warn_of_overridden(document_id: str, own: Metadata, given: Metadata) -> None:
    """Log the fields that a document and its giver state differently."""
    replaced = ", ".join(name for name, value in given.items() if name in own and str(own[name]) != str(value))
    if replaced:
        _log.warning("document %r: the metadata given with it replaces its own %s", document_id, replaced)
