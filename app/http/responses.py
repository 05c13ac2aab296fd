"""Responses whose bytes are made in the thread that made the answer."""

from __future__ import annotations

from fastapi import Response
from pydantic import BaseModel


def json_response(answer: BaseModel) -> Response:
    """Return ``answer`` as JSON.

    A model that a route returns is validated once more in another thread, and written on the event loop, which every
    other request waits for. The route names it as its ``response_model``, for the OpenAPI document.
    """
    return Response(answer.model_dump_json(by_alias=True).encode(), media_type="application/json")
