"""Checks a document's metadata against the fields that the profile declares."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pipelines.errors import InvalidDocument, Problem, nearest
from pipelines.filters.language import typed_value
from pipelines.profile.levels import levels_of
from pipelines.profile.schema import MetadataField, MetadataSection
from pipelines.types import Metadata

_MOST_BYTES = 65_536


def checked_metadata(metadata: Metadata, section: MetadataSection) -> dict[str, Any]:
    """``metadata`` as it will be kept: declared fields of the right type, the others as they are.

    Raises:
        InvalidDocument: A declared field has a wrong value or is missing, the document's level in the hierarchy asks
            for a field that it lacks, or the metadata is not plain JSON, nests too deep or is too large.
    """
    kept = {str(key): value for key, value in metadata.items() if value is not None}
    fields = section.fields
    problems = [*_wrong_values(kept, fields), *_missing(kept, fields), *_misplaced(kept, section), *_not_json(kept)]
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
            yield Problem(f"metadata -> {name}", "is required by the profile", nearest(name, others))


def _misplaced(metadata: Metadata, section: MetadataSection) -> Iterator[Problem]:
    levels = levels_of(section)
    if levels is None:
        return
    others = [key for key in metadata if key not in section.fields]
    for name in levels.path:
        if metadata.get(name) == "":
            yield Problem(f"metadata -> {name}", "must not be empty: it places the document in the hierarchy")
    if levels.field not in metadata:
        if not section.fields[levels.field].required:  # otherwise that has been said
            named = ", ".join(level.name for level in levels.levels)
            problem = f"is required: it names the document's level in the hierarchy ({named})"
            yield Problem(f"metadata -> {levels.field}", problem, nearest(levels.field, others))
        return
    level = levels.of(metadata)
    if level is None:
        return  # which is a wrong value
    for name in level.requires:
        if name not in metadata:
            problem = f'is required of a document of the level "{level.name}"'
            yield Problem(f"metadata -> {name}", problem, nearest(name, others))


def _not_json(metadata: Metadata) -> Iterator[Problem]:
    try:
        size = len(json.dumps(metadata, allow_nan=False).encode())
        json.dumps(metadata, ensure_ascii=False).encode()
    except RecursionError:
        yield Problem("metadata", "nests too deep")
        return
    except (TypeError, ValueError) as error:
        yield Problem("metadata", f"must be plain JSON ({error})")
        return
    if size > _MOST_BYTES:
        yield Problem("metadata", f"{size:,} bytes are more than the {_MOST_BYTES:,} that are kept with every chunk")
