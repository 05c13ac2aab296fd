"""An event loop beside a synchronous program: what is asynchronous of its nature runs there.

The protocol's client and LlamaIndex's workflows know no other way. Everything else stays synchronous, and waits here.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import wait
from contextlib import ExitStack
from typing import Any, TypeVar

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

_GLANCE_S = 0.05
_T = TypeVar("_T")
_Tick = TypeVar("_Tick")


_leaving: set[asyncio.Task[Any]] = set()


async def apart(work: Callable[[], Awaitable[_T]]) -> _T:
    """What ``work`` comes to, in a task of its own; where the caller is cancelled, it has the time to say good-bye.

    A workflow cancels its steps more than once, and would cut off the message that stops a tool on its server.
    """
    scope = anyio.CancelScope()

    async def scoped() -> _T:
        with scope:
            return await work()
        raise asyncio.CancelledError

    task = asyncio.create_task(scoped())
    _leaving.add(task)  # the event loop alone would not keep it
    task.add_done_callback(_leaving.discard)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        scope.cancel()
        raise


class Loop:
    """A thread with an event loop, begun with the first work; close it when done."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._portal: BlockingPortal | None = None
        self._closed = False
        self._lock = threading.Lock()

    def run(self, work: Callable[[], Awaitable[_T]], tick: _Tick) -> Generator[_Tick, None, _T]:
        """What ``work`` comes to, as the generator's value; until then it gives ``tick`` every so often.

        Closing the generator cancels the work.
        """
        future = self._begun().start_task_soon(work)
        try:
            while not wait([future], _GLANCE_S).done:
                yield tick
            return future.result()
        finally:
            future.cancel()

    def close(self, last: Callable[[], Awaitable[None]]) -> None:
        """Ends the loop, after ``last``, if it was ever begun; what still runs is cancelled."""
        with self._lock:
            portal, self._portal, self._closed = self._portal, None, True
        if portal is not None:
            portal.call(last)
            portal.call(portal.stop, True)
            self._opened.close()

    def _begun(self) -> BlockingPortal:
        with self._lock:
            if self._closed:
                raise RuntimeError("the engine is closed")
            if self._portal is None:
                self._portal = self._opened.enter_context(start_blocking_portal("asyncio", name="footnote-tools"))
            return self._portal
