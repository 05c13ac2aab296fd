"""What a language model writes as JSON of a given form: the schema that it is sent, and the reading of its answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pipelines.components.llm import Message

Written = TypeVar("Written", bound=BaseModel)
_NUL = r"\u0000"
_ESCAPED = re.compile(r"\\(?:u0000|.)", re.DOTALL)
_REPAIR = "That is not valid: {fault}. Reply again with the JSON object alone, as it was described."


def schema_of(form: type[BaseModel]) -> Mapping[str, Any]:
    """Return the JSON schema of ``form`` without references, which some servers do not follow."""
    schema = form.model_json_schema()
    parts = schema.pop("$defs", {})
    inlined: Mapping[str, Any] = _inlined(schema, parts)
    return inlined


def read_form(text: str, form: type[Written]) -> Written:
    """Return what a model wrote as JSON; a fence or words around it are taken off, and NUL, which no database takes.

    Raises:
        ValueError: It is not of the form; the message says what is wrong.
    """
    text = _ESCAPED.sub(lambda found: "" if found[0] == _NUL else found[0], text)
    bare = text[text.find("{") : text.rfind("}") + 1] if "{" in text else text
    try:
        return form.model_validate_json(bare or text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = " -> ".join(str(step) for step in first["loc"])
        raise ValueError(f"{place}: {first['msg']}" if place else first["msg"]) from None


def repair(fault: str) -> Message:
    """Ask for a valid answer."""
    return Message("user", _REPAIR.format(fault=fault))


def _inlined(schema: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(item, parts) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(parts[schema["$ref"].rpartition("/")[2]], parts)
    return {key: _inlined(value, parts) for key, value in schema.items()}
