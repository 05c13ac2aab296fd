"""Does work ahead of its consumer, so that parsing goes on while the model embeds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from threading import Condition
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_MOST_QUEUED = 256


def ahead(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    most: int,
    weigh: Callable[[Result], int],
    at_once: int = 1,
) -> Generator[Result, None, None]:
    """Return ``map(function, items)``, computed ahead in ``at_once`` background threads.

    They rest while the results that wait for the consumer weigh ``most`` or more, so that memory stays bounded however
    large a single result is. The result that the consumer takes next is always made: those behind it wait for it.
    A consumer that stops must close the generator: else a thread may wait for room for ever, and the process for it.
    """
    room = _Room(most)

    def work(number: int, item: Item) -> Result:
        room.wait(number)
        result = function(item)
        room.take(weigh(result))
        return result

    with ThreadPoolExecutor(at_once, thread_name_prefix="footnote-prepare") as pool:
        pending: deque[Future[Result]] = deque()
        try:
            for number, item in enumerate(items):
                pending.append(pool.submit(work, number, item))
                if len(pending) >= _MOST_QUEUED:
                    yield _next(pending, room, weigh)
            while pending:
                yield _next(pending, room, weigh)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # before there is room, or it works until that is full again
            room.open()


def _next(pending: deque[Future[Result]], room: _Room, weigh: Callable[[Result], int]) -> Result:
    result = pending.popleft().result()
    room.give(weigh(result))
    return result


class _Room:
    """How much may lie between the workers and the consumer, which takes results in the order of their numbers."""

    def __init__(self, most: int) -> None:
        self._most: float = most
        self._held = 0
        self._taken = 0
        self._changed = Condition()

    def wait(self, number: int) -> None:
        """Return when there is room, or the consumer waits for the result of this number."""
        with self._changed:
            self._changed.wait_for(lambda: self._held < self._most or number == self._taken)

    def take(self, weight: int) -> None:
        """Reserve ``weight``."""
        with self._changed:
            self._held += weight

    def give(self, weight: int) -> None:
        """Release ``weight``: the consumer took a result."""
        with self._changed:
            self._held -= weight
            self._taken += 1
            self._changed.notify_all()

    def open(self) -> None:
        """Let nobody wait any more."""
        with self._changed:
            self._most = inf
            self._changed.notify_all()
