"""OpenAPI documents that tell the truth about errors, and documentation pages that load nothing from elsewhere."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline

from app.http.problems import PROBLEM_JSON

_FASTAPIS_OWN = ("HTTPValidationError", "ValidationError")


def documented_app(title: str, version: str, description: str) -> FastAPI:
    """An application with ``/openapi.json`` and ``/docs``, to be mounted under another one."""
    app = FastAPIOffline(
        title=title,
        version=version,
        description=description,
        redoc_url=None,
        static_url="/docs/assets",
        redirect_slashes=False,
    )
    generate = app.openapi
    # FastAPI's way to extend the document is to put another function in its place.
    app.openapi = lambda: _with_problems(generate())  # type: ignore[method-assign]
    return app


def _with_problems(document: dict[str, Any]) -> dict[str, Any]:
    """The document with errors as they are sent: as problem+json, and without FastAPI's own validation errors."""
    for methods in document["paths"].values():
        for operation in methods.values():
            operation["responses"] = {
                status: _as_problem(response) if int(status) >= 400 else response
                for status, response in operation["responses"].items()
                if not _is_fastapis_own(response)
            }
    schemas = document.get("components", {}).get("schemas", {})
    for name in _FASTAPIS_OWN:
        schemas.pop(name, None)
    return document


def _as_problem(response: dict[str, Any]) -> dict[str, Any]:
    content = response.get("content", {})
    return {**response, "content": {PROBLEM_JSON: next(iter(content.values()))}}


def _is_fastapis_own(response: dict[str, Any]) -> bool:
    schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    return bool(schema.get("$ref", "").endswith(_FASTAPIS_OWN[0]))
