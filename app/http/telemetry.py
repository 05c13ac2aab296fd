"""Request ids: a caller's own where it is sane, else one made here; in every response and every problem."""

from __future__ import annotations

import re
import uuid
from contextvars import ContextVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUEST_ID = "X-Request-ID"
_current: ContextVar[str] = ContextVar("request_id", default="")
_SANE = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class RequestIds:
    """Middleware that names each request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request under its name."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        chosen = given if _SANE.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = chosen
        _current.set(chosen)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault(REQUEST_ID, chosen)
            await send(message)

        await self._app(scope, receive, send_named)


def request_id(request: HTTPConnection) -> str:
    """Return the name of this request."""
    return str(request.state.request_id)


def current_request_id() -> str:
    """Return the name of the request that this thread works for; empty outside of requests."""
    return _current.get()
