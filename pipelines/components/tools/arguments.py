"""Validation of a tool call's arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOST_CHARS = 300


def argument_flaw(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Return what is wrong with ``arguments`` by a tool's JSON schema, for the model that wrote them; None if valid.

    Keys that the schema does not name are refused, unless it allows additional ones. References to other documents are
    not followed.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError, best_match
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    closed = schema if "additionalProperties" in schema else {**schema, "unevaluatedProperties": False}
    closed = {key: value for key, value in closed.items() if key != "$schema"}
    try:
        Draft202012Validator.check_schema(closed)
        error = best_match(Draft202012Validator(closed, registry=Registry()).iter_errors(dict(arguments)))
    except (SchemaError, Unresolvable, RecursionError):
        return "the tool's own schema is invalid; do not use it"
    if error is None:
        return None
    place = " -> ".join(str(step) for step in error.absolute_path)
    return (f"{place}: {error.message}" if place else error.message)[:_MOST_CHARS]
