"""Published contracts: their own examples, their OpenAPI documents, and JSON Schemas written from their documents."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

REFRESH = "FOOTNOTE_REFRESH_OPENAPI"
CONFIGS = Path(__file__).parents[3] / "configs"


def shipped(tenant: str) -> str:
    """The text of a profile that is a tenant's as it is shipped, with its knowledge."""
    folder = CONFIGS / tenant
    return f"extends: {folder / 'profile.yaml'}\nknowledge: {{path: {folder / 'knowledge'}}}\n"


def require(shape: dict[str, Any], value: Any) -> None:
    """Fails where ``value`` does not have the shape that the document says."""
    errors = sorted(Draft202012Validator(shape).iter_errors(value), key=str)
    assert not errors, "; ".join(f"{error.json_path}: {error.message}" for error in errors)


def shape_of(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """The JSON Schema of an object that has all of ``required``, may have ``optional``, and may have more."""
    return {"type": "object", "properties": {**required, **optional}, "required": list(required)}


def require_committed(document: dict[str, Any], file: Path) -> None:
    """Fails if an OpenAPI document is not the one in ``file``, but for the release's number."""
    same = {**document, "info": {key: value for key, value in document["info"].items() if key != "version"}}
    text = json.dumps(same, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if os.environ.get(REFRESH):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text, f"the API has changed: run the test with {REFRESH}=1 and look"
