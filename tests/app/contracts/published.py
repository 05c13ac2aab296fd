"""Published contracts: their own examples, JSON Schemas written from their documents, and their OpenAPI documents."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import httpx
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

REFRESH = "FOOTNOTE_REFRESH_OPENAPI"


def require(shape: dict[str, Any], value: Any) -> None:
    """Fails where ``value`` does not have the shape that the document says."""
    errors = sorted(Draft202012Validator(shape).iter_errors(value), key=str)
    assert not errors, "; ".join(f"{error.json_path}: {error.message}" for error in errors)


def shape_of(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """The JSON Schema of an object that has all of ``required``, may have ``optional``, and may have more."""
    return {"type": "object", "properties": {**required, **optional}, "required": list(required)}


def require_same_document(client: httpx.Client, committed: Path) -> None:
    """Fails where the served OpenAPI document is not the committed one; with `REFRESH` set it is written instead."""
    document = client.get("/openapi.json").json()
    document["info"].pop("version")
    validate({**document, "info": {**document["info"], "version": "0"}})
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if os.environ.get(REFRESH):
        committed.write_text(text, encoding="utf-8")
    assert committed.read_text(encoding="utf-8") == text, f"the API has changed: run the test with {REFRESH}=1 and look"
