"""Messages on standard input, each of which gets its reply: the protocol's package passes over some.

It drops lines that are no message, and requests that it still works on when the input ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError

Reading = ObjectReceiveStream[SessionMessage | Exception]
Writing = ObjectSendStream[SessionMessage]
Serve = Callable[[Reading, Writing], Awaitable[None]]
_CANCELLED = "notifications/cancelled"


class _Due:
    """Requests that wait for their replies. The package takes the ids 1 and "1" for the same."""

    def __init__(self) -> None:
        self._ids: Counter[str] = Counter()
        self._changed = anyio.Event()

    def begin(self, request_id: RequestId) -> None:
        """Wait for a reply from now on."""
        self._ids[str(request_id)] += 1

    def end(self, request_id: RequestId | None) -> None:
        """Wait for it no longer."""
        self._ids -= Counter((str(request_id),))
        self._changed.set()

    async def over(self) -> None:
        """Return when no request waits."""
        while self._ids:
            self._changed = anyio.Event()
            await self._changed.wait()


async def serve_all(serve: Serve, reading: Reading, writing: Writing) -> None:
    """Run ``serve`` between the streams until the input has ended and every request has its reply."""
    due = _Due()
    to_server, requests = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    replies, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_bring, reading, to_server, writing, due)
        tasks.start_soon(_reply, from_server, writing, due)
        await serve(requests, replies)


async def _bring(
    reading: Reading, to_server: MemoryObjectSendStream[SessionMessage | Exception], writing: Writing, due: _Due
) -> None:
    async with to_server:
        async for item in reading:
            if isinstance(item, Exception):
                if (error := _refusal(item)) is not None:
                    await writing.send(SessionMessage(error))
                continue
            match item.message:
                case JSONRPCRequest() as request:
                    due.begin(request.id)
                case JSONRPCNotification(method=method, params=params) if method == _CANCELLED:
                    due.end((params or {}).get("requestId"))  # it gets no reply
            await to_server.send(item)
        await due.over()


async def _reply(from_server: MemoryObjectReceiveStream[SessionMessage], writing: Writing, due: _Due) -> None:
    async with writing, from_server:
        async for item in from_server:
            await writing.send(item)
            if isinstance(item.message, JSONRPCResponse | JSONRPCError):
                due.end(item.message.id)


def _refusal(fault: Exception) -> JSONRPCError | None:
    """Return the reply to a line that is no message; None for a blank one."""
    flaw = fault.errors(include_url=False)[0] if isinstance(fault, ValidationError) else None
    if flaw is None or flaw["type"] != "json_invalid":
        error = ErrorData(code=INVALID_REQUEST, message="Not a message of the protocol")
    elif not str(flaw["input"]).strip():
        return None
    else:
        error = ErrorData(code=PARSE_ERROR, message="Parse error")
    return JSONRPCError(jsonrpc="2.0", id=None, error=error)
