"""Limit of concurrent language-model calls, with a bounded queue."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Generator

from pipelines.components.llm.cancellation import POLL_SECONDS
from pipelines.errors import LlmBusy


class Gate:
    """Admits ``concurrency`` calls, first come first served; ``queue`` more may wait, ``queue_seconds`` each."""

    def __init__(self, concurrency: int, queue: int, queue_seconds: float) -> None:
        self._most = concurrency
        self._most_waiting = queue
        self._timeout_s = queue_seconds
        self._running = 0
        self._waiting: deque[object] = deque()
        self._changed = threading.Condition()

    @property
    def calls(self) -> tuple[int, int]:
        """Return how many calls run, and how many wait."""
        with self._changed:
            return self._running, len(self._waiting)

    def enter(self, part: str) -> Generator[None, None, None]:
        """Wait for a turn. It has come when the generator ends; end the turn by `leave`.

        Yields None regularly, so that the wait can be closed. ``part`` names the model in an error.

        Raises:
            LlmBusy: The queue is full, or the turn did not come in time.
        """
        me = object()
        until = time.monotonic() + self._timeout_s
        if self._start_at_once(me, part):
            return
        try:
            while not self._begun(me, min(POLL_SECONDS, max(until - time.monotonic(), 0))):
                if time.monotonic() >= until:
                    raise LlmBusy(part, f"no turn came within {self._timeout_s:g} s; ask again later")
                yield
        finally:
            self._wait_no_more(me)

    def leave(self) -> None:
        """End a turn."""
        with self._changed:
            self._running -= 1
            self._changed.notify_all()

    def _start_at_once(self, me: object, part: str) -> bool:
        """Return whether a turn was free; otherwise ``me`` joins the queue."""
        with self._changed:
            if self._running < self._most and not self._waiting:
                self._running += 1
                return True
            if len(self._waiting) >= self._most_waiting:
                detail = f"{self._running} calls run and {len(self._waiting)} wait already; ask again later"
                raise LlmBusy(part, f"{detail}, or raise llm -> concurrency or queue")
            self._waiting.append(me)
            return False

    def _begun(self, me: object, seconds: float) -> bool:
        with self._changed:
            begun = self._changed.wait_for(lambda: self._waiting[0] is me and self._running < self._most, seconds)
            self._running += begun
            return begun

    def _wait_no_more(self, me: object) -> None:
        with self._changed:
            self._waiting.remove(me)
            self._changed.notify_all()
