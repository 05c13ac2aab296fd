"""How many requests work and wait at the same time: what is more is refused at once, with a time to come again.

Without a bound, a server that is asked more than it can answer lets every caller wait until each gives up, and then
answers callers who have left. Requests that read a little of the catalogue need no place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from anyio import CapacityLimiter, WouldBlock, fail_after

from app.http.errors import Overloaded
from app.http.limits import BodyKind
from pipelines.types.roles import Role

Work = Literal["questions", "images", "documents"]
_WORKS: Mapping[BodyKind, Work] = {"asking": "questions", "looking": "images", "bringing": "documents"}
_QUICK_QUEUE = 48  # questions that two processors search for in a third of a second, and answer in three seconds
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True, slots=True)
class Places:
    """How many requests of one kind work at the same time, how many wait, and for how long at most, seconds."""

    working: int
    waiting: int
    patience_s: float


def places(questions: int | None, *, writes: bool, processors: int) -> Mapping[Work, Places]:
    """Return the places where so many questions are answered at the same time.

    None: two for each processor, at most 8, keep them busy, and more only make each slower; 24 where a language model
    ``writes``, for it is waited for. Without one a queue moves on quickly, so that it is longer.
    """
    working = questions or (24 if writes else min(2 * processors, 8))
    waiting = 3 * working if writes else max(3 * working, _QUICK_QUEUE)
    return {
        "questions": Places(working, waiting, 10),
        "images": Places(4, 16, 30),
        "documents": Places(4, 200, 60),  # few, so that questions go on while much is brought
    }


class Room:
    """The places of one kind of work; first come, first served. To be used on one event loop."""

    def __init__(self, work: Work, places: Places) -> None:
        self._work = work
        self._places = places
        self._limiter = CapacityLimiter(places.working)
        self.refused = 0

    @property
    def working(self) -> int:
        """Requests that work."""
        return self._limiter.borrowed_tokens

    @property
    def waiting(self) -> int:
        """Requests that wait."""
        return self._limiter.statistics().tasks_waiting

    async def enter(self) -> Callable[[], None]:
        """Wait for a place; return what gives it back.

        Raises:
            Overloaded: As many wait as may, or it took too long.
        """
        visitor = object()
        try:
            self._limiter.acquire_on_behalf_of_nowait(visitor)
        except WouldBlock:
            await self._wait(visitor)
        return partial(self._limiter.release_on_behalf_of, visitor)

    async def _wait(self, visitor: object) -> None:
        """Wait for a place as long as one may; the timer for that costs more than taking a free one."""
        if self.waiting >= self._places.waiting:
            raise self._refusal()
        try:
            with fail_after(self._places.patience_s):
                await self._limiter.acquire_on_behalf_of(visitor)
        except TimeoutError:
            raise self._refusal() from None

    def _refusal(self) -> Overloaded:
        self.refused += 1
        return Overloaded(self._work, self._places.working + self._places.waiting)


class Admission:
    """The rooms of one process. ``working`` is how many requests have places in all of them."""

    def __init__(self, places: Mapping[Work, Places]) -> None:
        self.rooms: Mapping[Work, Room] = {work: Room(work, its) for work, its in places.items()}
        self.working = sum(its.working for its in places.values())


def work_of(method: str, role: Role, kind: BodyKind) -> Work | None:
    """Return the kind of work that a route does; None where it needs no place."""
    return _WORKS[kind] if method in _CHANGING and role != "admin" else None
