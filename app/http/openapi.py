"""OpenAPI documents that tell the truth about errors and keys; documentation pages that load nothing from elsewhere."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline

from app.http.problems import PROBLEM_JSON

_FASTAPIS_OWN = ("HTTPValidationError", "ValidationError")
_KEY_SCHEMES = {
    "HTTPBearer": {"type": "http", "scheme": "bearer"},
    "APIKeyHeader": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}
"""How a key is sent, which every route asks for (`app.http.routing`); FastAPI's own schemes would look for it again."""


def documented_app(title: str, version: str, description: str, error_media_type: str = PROBLEM_JSON) -> FastAPI:
    """Return an application with ``/openapi.json`` and ``/docs``, to be mounted under another one."""
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
    app.openapi = lambda: _completed(generate(), error_media_type)  # type: ignore[method-assign]
    return app


def _completed(document: dict[str, Any], media_type: str) -> dict[str, Any]:
    """Return the document with keys, and with errors as they are sent: as ``media_type``, and without FastAPI's own
    validation errors.
    """
    for methods in document["paths"].values():
        for operation in methods.values():
            operation["security"] = [{name: []} for name in _KEY_SCHEMES]
            operation["responses"] = {
                status: _sent_as(media_type, response) if int(status) >= 400 else response
                for status, response in operation["responses"].items()
                if not _is_fastapis_own(response)
            }
    components = document.setdefault("components", {})
    components["securitySchemes"] = _KEY_SCHEMES
    for name in _FASTAPIS_OWN:
        components.get("schemas", {}).pop(name, None)
    return document


def _sent_as(media_type: str, response: dict[str, Any]) -> dict[str, Any]:
    content = response.get("content", {})
    return {**response, "content": {media_type: next(iter(content.values()))}}


def _is_fastapis_own(response: dict[str, Any]) -> bool:
    schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    return bool(schema.get("$ref", "").endswith(_FASTAPIS_OWN[0]))
