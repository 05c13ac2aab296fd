"""Serves the console's files, and leads browsers from ``/`` to it."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from typing_extensions import override

_FILES = Path(__file__).parent / "static"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_MEDIA_TYPES = {  # a machine's own table may say otherwise
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def routes(*, root_is_free: bool) -> list[BaseRoute]:
    """The console's routes.

    Args:
        root_is_free: Nothing else answers at ``/``. Otherwise the console takes it from browsers alone.
    """
    lead = Route if root_is_free else BrowserRoute
    return [
        lead("/", _redirect_to("console/")),
        Route("/console", _redirect_to("console/")),
        Mount("/console", ConsoleFiles(directory=_FILES, html=True)),
    ]


class BrowserRoute(Route):
    """A route for pages that a browser opens; other requests go on to the next route."""

    @override
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        is_browser = scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")
        return super().matches(scope) if is_browser else (Match.NONE, {})


class ConsoleFiles(StaticFiles):
    """The console's files, with a policy under which a page runs and shows nothing but these files."""

    @override
    def file_response(self, full_path: str | os.PathLike[str], *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(full_path, *args, **kwargs)
        media_type = _MEDIA_TYPES.get(PurePath(full_path).suffix)
        if media_type and response.status_code == 200:
            response.headers["content-type"] = media_type
        response.headers["content-security-policy"] = _POLICY
        response.headers["cache-control"] = "no-cache"  # ask each time whether it changed: an upgrade shows at once
        return response


def _redirect_to(path: str) -> Any:
    def redirect(request: Request) -> Response:
        return RedirectResponse(path, 307)

    return redirect
