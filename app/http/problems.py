"""How the native API writes errors: problem details after RFC 9457, for every error that can leave the process."""

from __future__ import annotations

import json
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from app.http.failures import Failure, install_failures
from app.http.telemetry import REQUEST_ID, request_id

PROBLEM_JSON = "application/problem+json"


class ProblemItem(BaseModel):
    """One thing that is wrong: where, what, and the nearest thing that would be right."""

    path: str
    message: str
    suggestion: str | None


class ProblemDocument(BaseModel):
    """Problem details, with a stable ``code`` and the id of the request."""

    type: str = Field(examples=["urn:footnote:problem:document_not_found"])
    title: str = Field(examples=["Document not found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=['no document "handbook.md"'])
    code: str = Field(examples=["document_not_found"])
    errors: list[ProblemItem]
    request_id: str


class ProblemResponse(JSONResponse):
    """A problem document on the wire."""

    media_type = PROBLEM_JSON

    def render(self, content: Any) -> bytes:
        """Return the document's bytes; it quotes what the caller sent, which need not be valid Unicode."""
        return json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return a route's ``responses``: the problems that it can answer."""
    return {status: {"model": ProblemDocument, "description": HTTPStatus(status).phrase} for status in statuses}


def install_problems(app: FastAPI) -> None:
    """Let ``app`` answer every error with a problem document."""
    install_failures(app, _response)


def _response(request: Request, failure: Failure) -> ProblemResponse:
    document = {
        "type": f"urn:footnote:problem:{failure.code}",
        "title": failure.code.replace("_", " ").capitalize(),
        "status": failure.status,
        "detail": failure.detail,
        "code": failure.code,
        "errors": [asdict(problem) for problem in failure.problems],
        "request_id": request_id(request),
    }
    return ProblemResponse(document, failure.status, {**failure.headers, REQUEST_ID: request_id(request)})
