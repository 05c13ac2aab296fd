"""How many calls of a language model run at once, and how many wait for their turn."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

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

    @contextmanager
    def slot(self, part: str) -> Iterator[None]:
        """Waits for a turn and holds it until the block ends; ``part`` names the model in an error.

        Raises:
            LlmBusy: Too many calls wait already, or the turn did not come in time.
        """
        self._enter(part)
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def _enter(self, part: str) -> None:
        with self._changed:
            if self._running >= self._most or self._waiting:
                self._wait(part)
            self._running += 1
            self._changed.notify_all()

    def _wait(self, part: str) -> None:
        if len(self._waiting) >= self._most_waiting:
            detail = f"{self._running} calls run and {len(self._waiting)} wait already; ask again later"
            raise LlmBusy(part, f"{detail}, or raise llm -> concurrency or queue")
        me = object()
        self._waiting.append(me)
        try:
            if not self._changed.wait_for(lambda: self._my_turn(me), self._timeout_s):
                raise LlmBusy(part, f"no turn came within {self._timeout_s:g} s; ask again later")
        finally:
            self._waiting.remove(me)
            self._changed.notify_all()

    def _my_turn(self, me: object) -> bool:
        return self._waiting[0] is me and self._running < self._most
