"""HEAD, which every path that GET can read answers: with the headers of GET, and without a body."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

_ASKED_AS_HEAD = "footnote.head"


def is_head(request: Request) -> bool:
    """Return whether a request that a route for GET answers was sent as HEAD, so that its body need not be made."""
    return _ASKED_AS_HEAD in request.scope


class Heads:
    """Middleware that answers HEAD as GET. The server sends no body to HEAD, whatever it is given."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        asked = {**scope, "method": "GET", _ASKED_AS_HEAD: True}
        try:
            await self._app(asked, receive, send)
        finally:
            scope.update(asked, method="HEAD")  # metrics read there which route it was
