"""Counts HTTP requests by route template, so callers cannot create labels."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from typing import Any

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.metrics.families import RequestFamilies

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OTHER = "other"
_log = logging.getLogger(__name__)


class MeasuredRequests:
    """Middleware around all requests.

    ``tenants`` are those served: of no other there is a series. Applications name themselves in ``state.api``.
    """

    def __init__(self, app: ASGIApp, families: RequestFamilies, tenants: Collection[str]) -> None:
        self._app = app
        self._families = families
        self._tenants = frozenset(tenants)
        self._failed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Counts a request once its last byte is sent."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def send_seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with self._families.under_way.track_inprogress():
            try:
                await self._app(scope, receive, send_seen)
            finally:
                self._count(scope, status, time.perf_counter() - began)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        try:
            labels = self._labels(scope)
            self._families.requests.labels(*labels, str(status)).inc()
            self._families.seconds.labels(*labels).observe(seconds)
        except Exception:  # noqa: BLE001 - metrics must not fail requests; the log has the error
            if not self._failed:
                _log.exception("a request could not be counted; further failures will not be logged")
            self._failed = True

    def _labels(self, scope: Scope) -> tuple[str, str, str, str]:
        """Return the tenant, API, method and route that the router left in ``scope``."""
        route, method = scope.get("route"), scope["method"]
        known: Any = getattr(scope.get("app"), "state", None)
        named = scope.get("path_params", {}).get("tenant") or scope.get("state", {}).get("tenant")
        tenant = named or getattr(known, "tenant", "")
        return (
            tenant if tenant in self._tenants else "",
            getattr(known, "api", _OTHER),
            method if method in _METHODS else _OTHER,
            route.path if isinstance(route, Route) else _OTHER,
        )
