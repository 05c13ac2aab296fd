"""Does work ahead of its consumer, so that parsing goes on while the model embeds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
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
) -> Iterator[Result]:
    """``map(function, items)``, computed by another thread, or by ``at_once`` of them.

    They rest while the results that wait for the consumer weigh ``most`` or more, so that memory stays bounded however
    large a single result is.
    """
    room = _Room(most)

    def work(item: Item) -> Result:
        room.wait()
        result = function(item)
        room.take(weigh(result))
        return result

    with ThreadPoolExecutor(at_once, thread_name_prefix="footnote-prepare") as pool:
        pending: deque[Future[Result]] = deque()
        try:
            for item in items:
                pending.append(pool.submit(work, item))
                if len(pending) >= _MOST_QUEUED:
                    yield _next(pending, room, weigh)
            while pending:
                yield _next(pending, room, weigh)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # before there is room, or it works until that is full again
            room.give(room.held)


def _next(pending: deque[Future[Result]], room: _Room, weigh: Callable[[Result], int]) -> Result:
    result = pending.popleft().result()
    room.give(weigh(result))
    return result


class _Room:
    """How much may lie between the worker and the consumer."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.held = 0
        self._changed = Condition()

    def wait(self) -> None:
        """Return when there is room."""
        with self._changed:
            self._changed.wait_for(lambda: self.held < self._most)

    def take(self, weight: int) -> None:
        """Less room by ``weight``."""
        with self._changed:
            self.held += weight

    def give(self, weight: int) -> None:
        """More room by ``weight``."""
        with self._changed:
            self.held -= weight
            self._changed.notify_all()
