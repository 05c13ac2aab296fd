"""Traces of requests, where they are switched on; OpenTelemetry is not loaded otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from importlib import import_module
from typing import Any, TypeVar

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

T = TypeVar("T")
Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[T]]


class Spans:
    """What requests are traced by while it exports; nothing before and after."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self._tracer: Any = None
        self._traced: Any = None

    def around(self, lifespan: Lifespan[T]) -> Lifespan[T]:
        """Return the lifespan of a server that exports spans while it runs, if they are wanted.

        Its start raises MissingPackage if the extra ``telemetry`` is not installed.
        """

        @asynccontextmanager
        async def traced(app: FastAPI) -> AsyncIterator[T]:
            with self._exporting():
                async with lifespan(app) as state:
                    yield state

        return traced if self.wanted else lifespan

    @contextmanager
    def _exporting(self) -> Iterator[None]:
        with import_module("pipelines.tracing").tracing() as self._tracer:
            self._traced = import_module("app.http.tracing").traced
            try:
                yield
            finally:
                self._traced = None

    async def answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, within a span while spans are exported."""
        if self._traced is None or scope["type"] != "http":
            await app(scope, receive, send)
        else:
            await self._traced(app, self._tracer, scope, receive, send)


class TracedRequests:
    """Middleware that puts each request in a span."""

    def __init__(self, app: ASGIApp, spans: Spans) -> None:
        self._app = app
        self._spans = spans

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._spans.answer(self._app, scope, receive, send)
