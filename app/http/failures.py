"""Every error that can leave the process, as the facts of an answer; each API writes them in its own shape."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from app.http.errors import (
    EncodedBody,
    Overloaded,
    Starting,
    Stopping,
    TooManyRequests,
    Unauthorized,
    is_private,
    status_of,
)
from app.http.telemetry import request_id
from app.http.validation import malformed
from pipelines.errors import FootnoteError, LlmBusy, Problem

_CODES = {400: "request_malformed", 404: "route_not_found", 405: "method_not_allowed", 413: "request_too_large"}
_SEE_LOG = "the server's log says more under this request's id"
_PARAMETER = re.compile(r"\{[^}]*\}")
_TURN_S = "2"  # in which a running call may well end
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as the caller sees it: a status, a stable code, a message, and each problem."""

    status: int
    code: str
    detail: str
    problems: tuple[Problem, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


Render = Callable[[Request, Failure], Response]
# After a bug the server hangs up, and says so: its next request on the same connection would be lost.
_BUG = Failure(500, "internal_error", _SEE_LOG, headers={"Connection": "close"})


def install_failures(app: FastAPI, render: Render) -> None:
    """Let ``app`` answer every error in the shape that ``render`` gives it."""

    async def footnote_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, FootnoteError)
        return render(request, failure_of(request, error))

    async def validation_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return render(request, failure_of(request, malformed(error.errors(), place=1)))

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        headers = {**(error.headers or {}), **_allowed(request)} if error.status_code == 405 else error.headers or {}
        return render(request, Failure(error.status_code, code_of(error), error.detail, headers=headers))

    async def client_gone(request: Request, error: Exception) -> Response:
        """For the access log: the caller left in the middle of its body, or before its answer."""
        return render(request, Failure(400, "request_malformed", "the caller left"))

    async def unexpected_error(request: Request, error: Exception) -> Response:
        """Return what a caller sees of a bug; Starlette raises it again afterwards, so that the server logs its
        trace.
        """
        return render(request, _BUG)

    app.state.render = render
    app.add_exception_handler(FootnoteError, footnote_error)
    app.add_exception_handler(RequestValidationError, validation_error)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(ClientDisconnect, client_gone)
    app.add_exception_handler(Exception, unexpected_error)


def failure_response(request: Request, error: Exception) -> Response:
    """Return an error, or a bug, in the shape of the application that was asked."""
    render: Render = request.app.state.render
    return render(request, failure_of(request, error) if isinstance(error, FootnoteError) else _BUG)


def code_of(error: Exception) -> str:
    """Return the code that the answer to an error has."""
    match error:
        case FootnoteError():
            return error.code
        case RequestValidationError() | ClientDisconnect():
            return _CODES[400]
        case HTTPException():
            return _CODES.get(error.status_code, f"http_{error.status_code}")
    return _BUG.code


def failure_of(request: Request, error: FootnoteError) -> Failure:
    """Return the facts of an error; a message that is not for callers goes to the log instead."""
    status = status_of(error)
    if is_private(error):
        _log.error("request %s: %s: %s", request_id(request), error.code, error.message)
        return Failure(status, error.code, _SEE_LOG, headers=_headers(error))
    return Failure(status, error.code, error.message, error.problems, _headers(error))


def _allowed(request: Request) -> dict[str, str]:
    """Return the methods that the path takes, by all its routes; Starlette's own header names those of the first alone.

    Where several templates match (`feedback/next` is also a `feedback/{answer_id}`), the one with the most fixed text
    counts.
    """
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    routes = [route for route in iter_route_contexts(request.app.routes) if route.methods]
    matching = [route.path for route in routes if route.path and route.path_regex.match(path)]
    asked = max(matching, key=lambda template: len(_PARAMETER.sub("", template)), default=None)
    methods = {method for route in routes if route.path == asked for method in route.methods or ()}
    if "GET" in methods:
        methods.add("HEAD")  # see `app.http.heads`
    return {"Allow": ", ".join(sorted(methods))} if methods else {}


def _headers(error: FootnoteError) -> dict[str, str]:
    match error:
        case Unauthorized():
            return {"WWW-Authenticate": "Bearer"}
        case TooManyRequests() | Overloaded() | Starting() | Stopping():
            return {"Retry-After": str(error.retry_after)}
        case EncodedBody():
            return {"Accept-Encoding": "identity"}
        case LlmBusy():
            return {"Retry-After": _TURN_S}
    return {}
