"""The access log: a JSON line for each request, without queries and bodies, written from a thread of its own."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener, WatchedFileHandler
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MODE = 0o600
_log = logging.getLogger("footnote.access")


class AccessLog:
    """Middleware that logs who asked for what, how it ended and how long it took."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        path = scope["path"]
        try:
            await self._app(scope, receive, send_noting)
        finally:
            _log.info(json.dumps(_line(Request(scope), path, status, time.perf_counter() - began)))


def _line(request: Request, path: str, status: int, seconds: float) -> dict[str, Any]:
    grant = getattr(request.state, "grant", None)
    return {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "address": request.client.host if request.client else "",
        "key": grant.name if grant else "",
        "method": request.method,
        "path": path,
        "status": status,
        "ms": round(seconds * 1000, 1),
        "request_id": getattr(request.state, "request_id", ""),
    }


@contextmanager
def writing_access_log(file: Path | None) -> Iterator[None]:
    """Write the lines to ``file`` until the block ends; a file that was moved away is created again.

    Raises:
        OSError: The file cannot be written.
    """
    if file is None:
        yield
        return
    file.touch(_MODE)
    written = WatchedFileHandler(file, encoding="utf-8")
    lines: SimpleQueue[Any] = SimpleQueue()
    queue, listener = QueueHandler(lines), QueueListener(lines, written)
    _log.setLevel(logging.INFO)
    _log.propagate = False
    _log.addHandler(queue)
    listener.start()
    try:
        yield
    finally:
        _log.removeHandler(queue)
        listener.stop()
        written.close()
