"""Starts the application once the servers that it needs answer; until then it gives signs of life only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from anyio import to_thread
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.errors import Starting
from app.http.heads import Heads
from app.http.problems import install_problems
from app.http.telemetry import RequestIds
from pipelines.engine.connecting import Connection
from pipelines.errors import FootnoteError

_EVERY_S = 1.0
_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_log = logging.getLogger("footnote")


class PatientStart:
    """An application that can be started before the servers that it needs.

    Until then ``/healthz`` answers, and every other request is refused with 503 and ``Retry-After``. A start that fails
    although those servers answer sets ``error``, and ends the server.

    Args:
        application: What is started; its start may raise a `FootnoteError`.
        away: Returns the servers that do not answer; called in a thread.
    """

    def __init__(self, application: ASGIApp, away: Callable[[], Sequence[Connection]]) -> None:
        self._application = application
        self._away = away
        self._missing: Sequence[Connection] = ()
        self._placeholder = _application_that_waits(lambda: self._missing)
        self._started = False
        self.error: FootnoteError | None = None
        self._on_start: Callable[[], None] = lambda: None
        self.on_failure: Callable[[], None] = lambda: None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or follow the server from its start to its end."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        else:
            await (self._application if self._started else self._placeholder)(scope, receive, send)

    def when_started(self, tell: Callable[[], None]) -> None:
        """Call ``tell`` once the application has started."""
        if self._started:
            tell()
        self._on_start = tell

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # the word to start
        run = _Run(self._application, scope)
        await self._start(run)
        if self.error is not None:
            await send({"type": "lifespan.startup.failed"})  # without a message: uvicorn prints what it says
            return
        await send({"type": "lifespan.startup.complete"})
        waiting = asyncio.create_task(self._start_later(run))
        await receive()  # the word to stop
        waiting.cancel()
        await asyncio.wait([waiting])
        await run.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _start(self, run: _Run) -> None:
        """Start the application, or note which servers are missing, or why it cannot be."""
        try:
            await run.start()
        except FootnoteError as error:
            await self._look()
            if not self._missing:
                self.error = error
            return
        self._started = True
        self._on_start()

    async def _start_later(self, run: _Run) -> None:
        try:
            while not self._started and self.error is None:
                await asyncio.sleep(_EVERY_S)
                await self._look()
                if not self._missing:
                    _log.info("every server answers: starting")
                    await self._start(run)
        except Exception:  # noqa: BLE001 - in a task nobody would see it
            _log.exception("the start failed")
            self.on_failure()
        if self.error is not None:
            self.on_failure()

    async def _look(self) -> None:
        missing = await to_thread.run_sync(self._away)
        for one in missing:
            if one not in self._missing:
                _log.warning("waiting to start: %s at %s: %s", one.part, one.address, one.detail)
        self._missing = missing


class _Run:
    """An application's lifespan, begun and ended from outside; it may be begun again after it failed."""

    def __init__(self, application: ASGIApp, scope: Scope) -> None:
        self._application = application
        self._scope = scope
        self._task: asyncio.Task[None] | None = None
        self._words: asyncio.Queue[Message] = asyncio.Queue()

    async def start(self) -> None:
        """Return when it has started; raise what kept it from that."""
        self._words.put_nowait({"type": "lifespan.startup"})
        started = asyncio.Event()

        async def send(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                started.set()

        self._task = asyncio.create_task(self._run(send))
        beginning = asyncio.create_task(started.wait())
        await asyncio.wait([self._task, beginning], return_when=asyncio.FIRST_COMPLETED)
        if not started.is_set():
            beginning.cancel()
            await self._task

    async def _run(self, send: Send) -> None:
        await self._application(self._scope, self._words.get, send)

    async def stop(self) -> None:
        """End it, if it runs."""
        if self._task is not None and not self._task.done():
            self._words.put_nowait({"type": "lifespan.shutdown"})
            await self._task


def _application_that_waits(missing: Callable[[], Sequence[Connection]]) -> FastAPI:
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    async def refuse(path: str) -> None:
        raise Starting(one.part for one in missing())

    app = FastAPI(openapi_url=None)
    app.add_middleware(Heads)
    app.add_middleware(RequestIds)
    install_problems(app)
    app.get("/healthz")(healthz)
    app.api_route("/{path:path}", methods=_METHODS)(refuse)
    return app
