"""Checks a document's metadata against the fields that the profile declares."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipelines.errors import InvalidDocument, Problem, nearest
from pipelines.filters.values import typed_value
from pipelines.profile.levels import levels_of
from pipelines.profile.sections.documents import MetadataField, MetadataSection
from pipelines.types import Metadata

_MOST_BYTES = 65_536
_log = logging.getLogger(__name__)


def checked_metadata(metadata: Metadata, section: MetadataSection) -> dict[str, Any]:
    """``metadata`` as it will be kept: declared fields of the right type or by default, the others as they are.

    Raises:
        InvalidDocument: A declared field has a wrong value or is missing, the document's level in the hierarchy asks
            for a field that it lacks, or the metadata is not plain JSON, nests too deep or is too large.
    """
    given = {str(key): value for key, value in metadata.items() if value is not None}
    fields = section.fields
    given |= {name: one.default for name, one in fields.items() if one.default is not None and name not in given}
    problems = [*_wrong_values(given, fields), *_missing(given, fields), *_misplaced(given, section)]
    kept = given
    try:
        kept = _as_json(given)
    except InvalidDocument as error:
        problems += error.problems
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
    hint = f'; "{written}" is no field of the profile' if written else ""
    return Problem(f"metadata -> {name}", problem + hint)


def _as_json(metadata: Metadata) -> dict[str, Any]:
    """``metadata`` as it comes back from where it is kept."""
    try:
        text = json.dumps(metadata, allow_nan=False, ensure_ascii=False)
        size = len(text.encode())
        kept: dict[str, Any] = json.loads(text, parse_int=_storable)
    except RecursionError:
        raise InvalidDocument(Problem("metadata", "nests too deep")) from None
    except (TypeError, ValueError) as error:
        raise InvalidDocument(Problem("metadata", f"must be plain JSON ({error})")) from None
    if without_nul(kept) != kept:
        raise InvalidDocument(Problem("metadata", "holds a NUL character, which no database keeps; remove it"))
    if size > _MOST_BYTES:
        detail = f"{size:,} bytes are more than the {_MOST_BYTES:,} that are kept with every chunk"
        raise InvalidDocument(Problem("metadata", detail))
    return kept


def without_nul(value: Any) -> Any:
    """Return what JSON can hold without the NUL characters in its text: PostgreSQL keeps none."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, Mapping):
        return {without_nul(key): without_nul(item) for key, item in value.items()}
    return [without_nul(item) for item in value] if isinstance(value, list | tuple) else value


def _storable(digits: str) -> int:
    if not -(2**63) <= int(digits) < 2**64:
        raise ValueError(f"the number {digits[:30]} is beyond 64 bits; write it as text")
    return int(digits)


def warn_of_overridden(document_id: str, own: Metadata, given: Metadata) -> None:
    """Log the fields for which a document says one thing and its giver another."""
    replaced = ", ".join(name for name, value in given.items() if name in own and str(own[name]) != str(value))
    if replaced:
        _log.warning("document %r: the metadata given with it replaces its own %s", document_id, replaced)
