"""Whether a call's arguments are what its tool takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOST_CHARS = 300


def argument_flaw(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with ``arguments`` by a tool's JSON schema, in words for who wrote them; None: nothing.

    What the schema does not name is refused too, unless it says that there may be more: nothing is sent to a server
    that it did not ask for. References to other documents are not followed.
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
        return "the tool does not say in a valid way what it takes; do not use it"
    if error is None:
        return None
    place = " -> ".join(str(step) for step in error.absolute_path)
    return (f"{place}: {error.message}" if place else error.message)[:_MOST_CHARS]
