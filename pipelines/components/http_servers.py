"""Requests to servers: what verifies them, when to retry one, and how to explain a refusal."""

from __future__ import annotations

import json
import ssl
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from tenacity import RetryCallState, Retrying

BUSY = frozenset({429, 500, 502, 503, 504})
BROKEN = (httpx.NetworkError, httpx.RemoteProtocolError)
_ATTEMPTS = 3
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 0.1, 2.0
_REFUSAL_CHARS = 200

_TRACE_CONTEXT = "opentelemetry.trace.propagation.tracecontext"


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Return what clients verify servers with, loaded once a process: it takes as long as opening a database."""
    return httpx.create_ssl_context()


def add_trace(request: httpx.Request) -> None:
    """Name the caller's span in the header ``traceparent``, if traces are exported."""
    if (loaded := sys.modules.get(_TRACE_CONTEXT)) is not None:
        loaded.TraceContextTextMapPropagator().inject(request.headers)


def retrying(sleep: Callable[[float], None] = time.sleep) -> Retrying:
    """Retry a request that meets a busy server (an `httpx.HTTPStatusError`) or a broken connection, twice at most.

    It waits as long as the server asks for (``retry-after``), else twice as long each time, and never over two seconds.
    The last attempt's error is raised.
    """
    from tenacity import Retrying, retry_if_exception, stop_after_attempt

    return Retrying(
        stop=stop_after_attempt(_ATTEMPTS),
        wait=_wait_seconds,
        retry=retry_if_exception(_is_transient),
        before_sleep=_close_response,
        sleep=sleep,
        reraise=True,
    )


def _is_transient(error: BaseException) -> bool:
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code in BUSY
    return isinstance(error, BROKEN)


def _wait_seconds(state: RetryCallState) -> float:
    response = _refused(state)
    asked = response.headers.get("retry-after", "") if response is not None else ""
    seconds = float(asked) if asked.isdecimal() else _FIRST_WAIT_SECONDS * 2 ** (state.attempt_number - 1)
    return min(seconds, _LONGEST_WAIT_SECONDS)


def _close_response(state: RetryCallState) -> None:
    response = _refused(state)
    if response is not None:
        response.close()


def _refused(state: RetryCallState) -> httpx.Response | None:
    error = state.outcome.exception() if state.outcome else None
    return error.response if isinstance(error, httpx.HTTPStatusError) else None


def masked(text: str, secret: str) -> str:
    """Return the beginning of ``text``, without the key, which servers quote."""
    return (text.replace(secret, "***") if secret else text)[:_REFUSAL_CHARS]


def refusal(status: int, body: str, secret: str) -> str:
    """Return what a server says of its refusal, which is often the only hint, without the key it may quote."""
    try:
        error: Any = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        error = ""
    text = masked(str(error.get("message", "") if isinstance(error, Mapping) else error), secret)
    return f"it answered with status {status}" + (f": {text}" if text else "")
