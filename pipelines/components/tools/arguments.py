"""Validation of a tool call's arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

_MOST_CHARS = 300
_MOST_REFERENCES = 5000  # followed for one call; a few that name each other twice can spell out billions
_PATTERNS = ("pattern", "patternProperties")
_REST = ("additionalProperties", "unevaluatedProperties")  # what they apply to depends on patterns


def argument_flaw(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Return what is wrong with ``arguments`` by a tool's JSON schema, for the model that wrote them; None if valid.

    Keys that the schema does not name are refused, unless it allows additional ones. References to other documents are
    not followed. Patterns are left to the tool's server: they are of another language, and some take for ever.
    """
    from jsonschema.exceptions import SchemaError, best_match
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    closed = schema if "additionalProperties" in schema else {**schema, "unevaluatedProperties": False}
    closed = {key: value for key, value in closed.items() if key != "$schema"}
    validator = _validator(without=(*_PATTERNS, *_REST) if _PATTERNS[1] in json.dumps(closed) else _PATTERNS)
    try:
        validator.check_schema(closed, format_checker=None)
        error = best_match(validator(closed, registry=Registry()).iter_errors(dict(arguments)))
    except (SchemaError, Unresolvable, RecursionError, _TooManyReferences):
        return "the tool's own schema is invalid; do not use it"
    if error is None:
        return None
    place = " -> ".join(str(step) for step in error.absolute_path)
    return (f"{place}: {error.message}" if place else error.message)[:_MOST_CHARS]


class _TooManyReferences(Exception):
    """A call's arguments lead through too many references of a schema."""


def _validator(*, without: tuple[str, ...]) -> Any:
    """Return a validator for one call that ignores the keywords ``without``."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    followed = count(1)

    def bounded(keyword: str) -> Any:
        follow = Draft202012Validator.VALIDATORS[keyword]

        def checked(*asked: Any) -> Iterator[Any]:
            if next(followed) > _MOST_REFERENCES:
                raise _TooManyReferences
            yield from follow(*asked)

        return checked

    references = {keyword: bounded(keyword) for keyword in ("$ref", "$dynamicRef")}
    return extend(Draft202012Validator, {**references, **dict.fromkeys(without, _ignored)})


def _ignored(*_: Any) -> None:
    """Find no errors."""
