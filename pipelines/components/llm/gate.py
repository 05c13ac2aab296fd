"""How many calls of a language model run at once, and how many wait for their turn."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Generator

from pipelines.components.llm.waiting import GLANCE_S
from pipelines.errors import LlmBusy


class Gate:
    """Lets ``concurrency`` calls in, first come first served; ``queue`` more may wait, ``queue_timeout_s`` at most."""

    def __init__(self, concurrency: int, queue: int, queue_timeout_s: float) -> None:
        self._most = concurrency
        self._most_waiting = queue
        self._timeout_s = queue_timeout_s
        self._running = 0
        self._waiting: deque[object] = deque()
        self._changed = threading.Condition()

    @property
    def calls(self) -> tuple[int, int]:
        """How many calls run, and how many wait."""
        with self._changed:
            return self._running, len(self._waiting)

    def enter(self, part: str) -> Generator[None, None, None]:
        """Waits for a turn, which has come when this is over; whoever got one ends it by `leave`.

        Gives None now and then: whoever waits no more closes it. ``part`` names the model in an error.

        Raises:
            LlmBusy: Too many calls wait already, or the turn did not come in time.
        """
        me = object()
        until = time.monotonic() + self._timeout_s
        if self._begun_at_once(me, part):
            return
        try:
            while not self._begun(me, min(GLANCE_S, max(until - time.monotonic(), 0))):
                if time.monotonic() >= until:
                    raise LlmBusy(part, f"no turn came within {self._timeout_s:g} s; ask again later")
                yield
        finally:
            self._wait_no_more(me)

    def leave(self) -> None:
        """Ends a turn."""
        with self._changed:
            self._running -= 1
            self._changed.notify_all()

    def _begun_at_once(self, me: object, part: str) -> bool:
        """Whether a turn was free; ``me`` waits for one otherwise."""
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
