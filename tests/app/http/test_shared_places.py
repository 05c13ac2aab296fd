"""Places that several tenants share: who gets the next free one, and who is refused when too many wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import anyio
import pytest

from app.http.admission import Places, Room, places
from app.http.errors import Overloaded


class Crowd:
    """Requests to tenants that want a place of one room; ``told`` is what became of them, in order."""

    def __init__(self, group: anyio.abc.TaskGroup, room: Room) -> None:
        self.told: list[str] = []
        self.room = room
        self._group = group
        self._leave: dict[str, Callable[[], None]] = {}

    async def come(self, *names: str) -> None:
        """Each asks for a place; the tenant is its name without the number."""
        for name in names:
            self._group.start_soon(self._enter, name)
            await anyio.wait_all_tasks_blocked()

    async def leave(self, name: str) -> None:
        """One gives its place back."""
        self._leave[name]()
        await anyio.wait_all_tasks_blocked()

    async def _enter(self, name: str) -> None:
        try:
            self._leave[name] = await self.room.enter(name.rstrip("0123456789"))
        except Overloaded:
            self.told.append(f"{name} refused")
        else:
            self.told.append(name)


def told(room: Room, happens: Callable[[Crowd], Awaitable[None]]) -> list[str]:
    async def run() -> list[str]:
        async with anyio.create_task_group() as group:
            crowd = Crowd(group, room)
            await happens(crowd)
            group.cancel_scope.cancel()
        return crowd.told

    return anyio.run(run)


@pytest.fixture
def room() -> Room:
    return Room("questions", Places(working=2, waiting=3, patience_s=60, working_of_one=2))


def test_a_free_place_goes_to_the_tenant_with_fewer_at_work(room: Room) -> None:
    async def happens(crowd: Crowd) -> None:
        await crowd.come("a1", "a2", "a3", "a4", "b1")
        await crowd.leave("a1")
        await crowd.leave("a2")

    assert told(room, happens) == ["a1", "a2", "b1", "a3"]


def test_within_a_tenant_who_came_first_is_first(room: Room) -> None:
    async def happens(crowd: Crowd) -> None:
        await crowd.come("a1", "a2", "a3", "a4", "a5")
        for name in ("a1", "a2", "a3"):
            await crowd.leave(name)

    assert told(room, happens) == ["a1", "a2", "a3", "a4", "a5"]


def test_a_tenant_leaves_a_place_to_others_and_takes_its_own_again() -> None:
    room = Room("questions", Places(working=3, waiting=3, patience_s=60, working_of_one=2))

    async def happens(crowd: Crowd) -> None:
        await crowd.come("a1", "a2", "a3", "b1", "b2")
        await crowd.leave("a1")
        await crowd.leave("a2")
        await crowd.leave("b1")

    assert told(room, happens) == ["a1", "a2", "b1", "a3", "b2"]
    assert (room.working, room.waiting) == (2, 0)


@pytest.mark.parametrize(("tenants", "of_one"), [(1, 8), (2, 6), (50, 6)])
def test_a_tenant_that_is_served_alone_has_all_places(tenants: int, of_one: int) -> None:
    assert places(8, writes=False, processors=2, tenants=tenants)["questions"].working_of_one == of_one


def test_the_longest_queue_makes_room_for_another_tenant(room: Room) -> None:
    async def happens(crowd: Crowd) -> None:
        await crowd.come("a1", "a2", "a3", "a4", "a5", "b1", "a6")
        assert crowd.room.waiting == 3

    assert told(room, happens) == ["a1", "a2", "a5 refused", "a6 refused"]
    assert room.refused == 2


def test_a_tenant_that_has_its_share_of_the_queue_gets_no_more(room: Room) -> None:
    async def happens(crowd: Crowd) -> None:
        await crowd.come("a1", "a2", "a3", "a4", "b1", "b2")

    assert told(room, happens) == ["a1", "a2", "b2 refused"]


def test_who_waits_in_vain_is_refused_and_leaves_the_queue() -> None:
    room = Room("questions", Places(working=1, waiting=3, patience_s=0.05, working_of_one=1))

    async def happens(crowd: Crowd) -> None:
        await crowd.come("a1", "b1")
        while crowd.room.waiting:
            await anyio.sleep(0.01)
        await crowd.leave("a1")
        await crowd.come("c1")

    assert told(room, happens) == ["a1", "b1 refused", "c1"]


def test_who_leaves_while_it_waits_takes_no_place(room: Room) -> None:
    async def run() -> int:
        leave = [await room.enter("a"), await room.enter("a")]
        with anyio.move_on_after(0.05):
            await room.enter("b")
        for one in leave:
            one()
        return room.working

    assert anyio.run(run) == room.waiting == 0


def test_a_place_that_is_handed_to_one_who_just_left_goes_to_the_next(room: Room) -> None:
    async def run() -> None:
        leave = [await room.enter("a"), await room.enter("a")]
        gone, following = asyncio.create_task(room.enter("b")), asyncio.create_task(room.enter("c"))
        await anyio.wait_all_tasks_blocked()
        leave[0]()  # to b, which would hear of it in its next turn
        gone.cancel()
        await following
        assert gone.cancelled()

    anyio.run(run)
    assert (room.working, room.waiting) == (2, 0)
