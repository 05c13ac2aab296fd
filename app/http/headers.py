"""Headers that tell browsers what a response may do: run nothing, show in no frame, and stay in no cache."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_PAGE = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""Pages, which are the documentation and the index, load what this server has, and nothing from elsewhere."""
_HEADERS = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"}


class SecurityHeaders:
    """Middleware that adds the headers to every response that does not say otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _add(headers: MutableHeaders) -> None:
    kind = headers.get("content-type", "")
    headers.setdefault("Content-Security-Policy", _PAGE if kind.startswith("text/html") else _NOTHING)
    if not kind.startswith(("text/css", "text/javascript", "application/javascript", "image/")):
        headers.setdefault("Cache-Control", "no-store")
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
