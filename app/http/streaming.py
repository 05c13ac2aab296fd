"""Server-sent events from a synchronous generator: with a heartbeat, and with an end when the reader leaves.

Frames are FastAPI's. Its own streaming cannot be used: a route of it streams always or never, and nothing closes a
synchronous generator when the reader is gone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

from anyio import CancelScope
from fastapi import Request
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from app.http.errors import Stopping
from app.http.failures import failure_response
from pipelines.errors import FootnoteError

Events = Generator[tuple[str | None, BaseModel] | None, None, None]
"""Events with their names, if they have any; None where there is nothing to tell yet: the generator may be closed."""

STREAMED: dict[str, Any] = {
    "description": "The answer; with `stream: true` as events: `sources` (before it `step` for each sub-question, and "
    "`tools`, where some were asked), then `token` and `citation` as the text is written, then `done` with the whole "
    "answer, or `error` with the body of an error response.",
    "content": {
        "text/event-stream": {
            "schema": {
                "type": "object",
                "description": "one event",
                "properties": {
                    "event": {
                        "type": "string",
                        "enum": ["tools", "step", "sources", "token", "citation", "done", "error"],
                    },
                    "data": {"type": "string", "contentMediaType": "application/json"},
                },
                "required": ["event", "data"],
            }
        }
    },
}
HEARTBEAT_S = 10.0
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the second: nginx would hold events back
_log = logging.getLogger(__name__)


class EventStream(EventSourceResponse):
    """Sends ``events`` as they come, and closes them when they end or the reader has gone.

    What they raise arrives as the event ``failure``, whose data is the error that the request would have got, in the
    shape of its application. ``end`` is what a last frame without a name says. ``at_end`` is called when all is done.
    """

    def __init__(
        self, request: Request, events: Events, *, failure: str | None = "error", end: str | None = None
    ) -> None:
        self._request = request
        self._events = events
        self._failure = failure
        self._end = end
        self._step: asyncio.Future[bytes | None] | None = None
        self.at_end: Callable[[], None] = lambda: None
        super().__init__(self._frames(), headers=_HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the stream; see the class. One that the server's stop cuts off ends with a failure."""
        try:
            await super().__call__(scope, receive, send)
        except asyncio.CancelledError:
            with CancelScope(shield=True):
                last = _frame(self._failure, failure_response(self._request, Stopping()).body)
                await send({"type": "http.response.body", "body": last, "more_body": False})
            raise
        finally:
            with CancelScope(shield=True):
                await self._end_events()
            self.at_end()

    async def _end_events(self) -> None:
        """Close the events; what that raises is logged, since nobody reads any more."""
        if self._step is not None:
            await asyncio.wait([self._step])  # a generator that is at work cannot be closed
        try:
            await run_in_threadpool(self._events.close)
        except Exception:  # noqa: BLE001 - whatever it is, the place of the request must be given back
            _log.exception("a stream of events could not be closed")

    async def _frames(self) -> AsyncGenerator[bytes, None]:
        clock = asyncio.get_running_loop().time
        frame: bytes | None = b""
        silent_at = clock() + HEARTBEAT_S  # not the step's time: steps that have nothing to tell are short
        while frame is not None:
            self._step = asyncio.ensure_future(run_in_threadpool(self._next))
            while not (await asyncio.wait([self._step], timeout=max(silent_at - clock(), 0)))[0]:
                yield KEEPALIVE_COMMENT
                silent_at = clock() + HEARTBEAT_S
            frame = self._step.result()
            if frame:
                yield frame
                silent_at = clock() + HEARTBEAT_S
        if self._end is not None:
            yield _frame(None, self._end.encode())

    def _next(self) -> bytes | None:
        """Return the next frame; empty where there is nothing to tell yet, None after the last one."""
        try:
            event = next(self._events)
        except StopIteration:
            return None
        except FootnoteError as error:
            return _frame(self._failure, failure_response(self._request, error).body)
        except Exception as error:  # noqa: BLE001 - a bug is reported to the reader too, and logged
            _log.exception("a stream of events broke off")
            return _frame(self._failure, failure_response(self._request, error).body)
        return b"" if event is None else _frame(event[0], event[1].model_dump_json().encode())


def _frame(name: str | None, data: bytes | memoryview) -> bytes:
    return format_sse_event(event=name, data_str=bytes(data).decode())
