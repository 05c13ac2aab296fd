"""How the native API writes errors: problem details after RFC 9457, for every error that can leave the process."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from app.http.errors import is_private, status_of
from app.http.telemetry import REQUEST_ID, request_id
from app.http.validation import malformed
from pipelines.errors import FootnoteError, Problem

PROBLEM_JSON = "application/problem+json"
_CODES = {400: "request_malformed", 404: "route_not_found", 405: "method_not_allowed", 413: "request_too_large"}
_SEE_LOG = "the server's log says more under this request's id"
_log = logging.getLogger(__name__)


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
        """The document's bytes; it quotes what the caller sent, which need not be valid Unicode."""
        return json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """A route's ``responses``: the problems that it can answer."""
    return {status: {"model": ProblemDocument, "description": HTTPStatus(status).phrase} for status in statuses}


def install_problems(app: FastAPI) -> None:
    """Lets ``app`` answer every error with a problem document."""
    app.add_exception_handler(FootnoteError, _footnote_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(ClientDisconnect, _client_gone)
    app.add_exception_handler(Exception, _unexpected_error)


def problem_response(request: Request, error: FootnoteError) -> ProblemResponse:
    """The problem document of an error; a message that is not for callers goes to the log instead."""
    status = status_of(error)
    if is_private(error):
        _log.error("request %s: %s: %s", request_id(request), error.code, error.message)
        return _response(request, status, error.code, _SEE_LOG)
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
    return _response(request, status, error.code, error.message, problems=error.problems, headers=headers)


def unexpected_response(request: Request) -> ProblemResponse:
    """The problem document of a bug."""
    return _response(request, 500, "internal_error", _SEE_LOG, headers={"Connection": "close"})


async def _footnote_error(request: Request, error: Exception) -> ProblemResponse:
    assert isinstance(error, FootnoteError)
    return problem_response(request, error)


async def _validation_error(request: Request, error: Exception) -> ProblemResponse:
    assert isinstance(error, RequestValidationError)
    return problem_response(request, malformed(error.errors(), place=1))


async def _http_error(request: Request, error: Exception) -> ProblemResponse:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, f"http_{error.status_code}")
    return _response(request, error.status_code, code, error.detail, headers=error.headers or {})


async def _client_gone(request: Request, error: Exception) -> ProblemResponse:
    """For the access log: the caller left in the middle of its body."""
    return _response(request, 400, "request_malformed", "the body ended too early")


async def _unexpected_error(request: Request, error: Exception) -> ProblemResponse:
    """What a caller sees of a bug; Starlette raises it again afterwards, so that the server logs its trace.

    The server then hangs up. The caller is told so: its next request on the same connection would be lost.
    """
    return unexpected_response(request)


def _response(
    request: Request,
    status: int,
    code: str,
    detail: str,
    *,
    problems: Iterable[Problem] = (),
    headers: Mapping[str, str] = {},
) -> ProblemResponse:
    document = {
        "type": f"urn:footnote:problem:{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": code,
        "errors": [asdict(problem) for problem in problems],
        "request_id": request_id(request),
    }
    return ProblemResponse(document, status, {**headers, REQUEST_ID: request_id(request)})
