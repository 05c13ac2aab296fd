"""How many requests work and wait at the same time: what is more is refused at once, with a time to come again.

Without a bound, a server that is asked more than it can answer lets every caller wait until each gives up, and then
answers callers who have left. Requests that read a little of the catalogue need no place.

The tenants share the places: one that asks too much makes its own requests wait and fail, not those of the others.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from anyio import Event, fail_after

from app.http.errors import Overloaded
from app.http.limits import BodyKind
from pipelines.types.roles import Role

Work = Literal["questions", "images", "documents"]
_WORKS: Mapping[BodyKind, Work] = {"asking": "questions", "looking": "images", "bringing": "documents"}
_QUICK_QUEUE = 48  # questions that two processors search for in a third of a second, and answer in three seconds
_KEPT_FREE = 4  # one in so many places is for other tenants than the busiest
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True, slots=True)
class Places:
    """How many requests of one kind work at the same time, how many wait, and for how long at most, seconds.

    Of those that work, ``working_of_one`` at most are one tenant's: a place is always near for the others.
    """

    working: int
    waiting: int
    patience_s: float
    working_of_one: int


def places(questions: int | None, *, writes: bool, processors: int, tenants: int = 1) -> Mapping[Work, Places]:
    """Return how many questions may be answered at the same time, for this many ``tenants``.

    None: two for each processor, at most 8, keep them busy, and more only make each slower; 24 where a language model
    ``writes``, for it is waited for. Without one a queue moves on quickly, so that it is longer.
    """
    working = questions or (24 if writes else min(2 * processors, 8))
    waiting = 3 * working if writes else max(3 * working, _QUICK_QUEUE)
    shared = tenants > 1
    return {
        "questions": _places(working, waiting, 10, shared),
        "images": _places(4, 16, 30, shared),
        "documents": _places(4, 200, 60, shared),  # few, so that questions go on while much is brought
    }


def _places(working: int, waiting: int, patience_s: float, shared: bool) -> Places:
    return Places(working, waiting, patience_s, working - working // _KEPT_FREE if shared else working)


@dataclass(eq=False, slots=True)
class _Turn:
    """A request that waits; once ``called`` it has a place, or is ``refused``."""

    called: Event = field(default_factory=Event)
    refused: bool = False


class Room:
    """The places of one kind of work, shared by the tenants. To be used on one event loop.

    A free place goes to the tenant with the fewest requests at work, and within a tenant to the one that came first.
    """

    def __init__(self, work: Work, places: Places) -> None:
        self._work = work
        self._places = places
        self._working: Counter[str] = Counter()
        self._waiting: dict[str, deque[_Turn]] = {}
        self.refused = 0

    @property
    def working(self) -> int:
        """Requests that work."""
        return self._working.total()

    @property
    def waiting(self) -> int:
        """Requests that wait."""
        return sum(map(len, self._waiting.values()))

    async def enter(self, tenant: str) -> Callable[[], None]:
        """Wait for a place for a request to ``tenant``; return what gives it back.

        Raises:
            Overloaded: As many wait as may, or it took too long.
        """
        if self.working < self._places.working and self._may_work(tenant):
            self._working[tenant] += 1
        else:
            await self._wait(tenant)
        return partial(self._leave, tenant)

    async def _wait(self, tenant: str) -> None:
        """Wait as long as one may for a place that is handed over."""
        if self.waiting >= self._places.waiting:
            self._make_room(tenant)
        turn = _Turn()
        self._waiting.setdefault(tenant, deque()).append(turn)
        try:
            with fail_after(self._places.patience_s):
                await turn.called.wait()
        except TimeoutError:
            self._give_up(tenant, turn)
            raise self._refusal() from None
        except BaseException:  # the caller left
            self._give_up(tenant, turn)
            raise
        if turn.refused:
            raise self._refusal()

    def _make_room(self, tenant: str) -> None:
        """Refuse the request that came last to the longest queue. That may be the new one.

        Raises:
            Overloaded: It is the new request.
        """
        crowded = max(self._waiting, key=lambda one: len(self._waiting[one]))
        if len(self._waiting[crowded]) <= len(self._waiting.get(tenant, ())) + 1:
            raise self._refusal()
        last = self._waiting[crowded][-1]
        self._take_out(crowded, last)
        last.refused = True
        last.called.set()

    def _give_up(self, tenant: str, turn: _Turn) -> None:
        """Stop waiting; a place that was handed over in the same moment goes on to the next."""
        if turn in self._waiting.get(tenant, ()):
            self._take_out(tenant, turn)
        elif not turn.refused:
            self._leave(tenant)

    def _leave(self, tenant: str) -> None:
        self._working[tenant] -= 1
        if not self._working[tenant]:
            del self._working[tenant]
        following = min(self._waiting, key=self._working.__getitem__, default=None)
        if following is not None and self._may_work(following):
            first = self._waiting[following][0]
            self._take_out(following, first)
            self._working[following] += 1
            first.called.set()

    def _may_work(self, tenant: str) -> bool:
        return self._working[tenant] < self._places.working_of_one

    def _take_out(self, tenant: str, turn: _Turn) -> None:
        self._waiting[tenant].remove(turn)
        if not self._waiting[tenant]:
            del self._waiting[tenant]

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
