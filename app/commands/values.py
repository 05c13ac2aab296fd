"""What is written on the command line, as the values that the core takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from typing_extensions import Unpack

from app.http.strict_json import parse_json
from pipelines.errors import InvalidRequest, Problem, nearest
from pipelines.profile.sections.documents import FieldType, MetadataField
from pipelines.types import Query, QueryFields

_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_READERS: dict[FieldType, Callable[[str], Any]] = {
    "integer": int,
    "float": float,
    "boolean": lambda text: _TRUTHS[text.lower()],
}
_TYPE_NAMES: dict[FieldType, str] = {"integer": "a whole number", "float": "a number", "boolean": "true or false"}


def parse_filters(text: str | None) -> dict[str, Any] | None:
    """Return the filter that ``--filter`` spells.

    Raises:
        InvalidRequest: Not a JSON object.
    """
    return _json_object(text, "--filter", '{"species": "dog"}')


def parse_scope(text: str | None) -> dict[str, Any] | None:
    """Return the scope that ``--scope`` spells.

    Raises:
        InvalidRequest: Not a JSON object.
    """
    return _json_object(text, "--scope", '{"suite": "fedsuite"}')


def parse_query(
    text: str, filter_json: str | None, scope_json: str | None, *, name: str = "query", **fields: Unpack[QueryFields]
) -> Query:
    """Return the query of a command, with what ``--filter`` and ``--scope`` spell.

    Raises:
        InvalidRequest: Not JSON objects, or the query is blank, for which no tenant need be opened.
    """
    if not text.strip():
        raise InvalidRequest(Problem(name, "is empty"))
    fields |= {"filters": parse_filters(filter_json), "scope": parse_scope(scope_json)}
    return Query(text, **fields)


def _json_object(text: str | None, option: str, example: str) -> dict[str, Any] | None:
    if text is None:
        return None
    if not text.lstrip().startswith("{"):
        raise InvalidRequest(Problem(option, f"must be a JSON object, such as '{example}'"))
    try:
        value: dict[str, Any] = parse_json(text, option)
    except InvalidRequest as error:
        raise InvalidRequest(*(_exemplified(problem, example) for problem in error.problems)) from None
    return value


def _exemplified(problem: Problem, example: str) -> Problem:
    return replace(problem, message=f"{problem.message}; write it as in '{example}'")


def parse_metadata(pairs: Iterable[str], fields: Mapping[str, MetadataField]) -> dict[str, Any]:
    """Return the metadata that ``--metadata KEY=VALUE`` spells, each value of the type that the profile declares.

    A field of keywords may be given several times. Without declared fields, every value is kept as text.

    Raises:
        InvalidRequest: A pair without ``=``, an undeclared key, a value of the wrong type, or a field
            given twice.
    """
    metadata: dict[str, Any] = {}
    for pair in pairs:
        key, separator, text = pair.partition("=")
        if not separator or not key:
            raise InvalidRequest(Problem("--metadata", f'"{pair}" is not of the form KEY=VALUE'))
        if fields and key not in fields:
            problem = f"is not a field of the profile (declared are {', '.join(fields)})"
            raise InvalidRequest(Problem(f"--metadata {key}", problem, nearest(key, fields)))
        declared = fields.get(key)
        if declared is not None and declared.type == "keywords":
            metadata.setdefault(key, []).append(text)
        elif key in metadata:
            raise InvalidRequest(Problem(f"--metadata {key}", "is given twice"))
        else:
            metadata[key] = text if declared is None else _typed(key, text, declared.type)
    return metadata


def _typed(key: str, text: str, kind: FieldType) -> Any:
    try:
        return _READERS.get(kind, str)(text)
    except (ValueError, KeyError):
        raise InvalidRequest(Problem(f"--metadata {key}", f'"{text}" is not {_TYPE_NAMES[kind]}')) from None
