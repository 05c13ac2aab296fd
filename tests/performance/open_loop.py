"""Requests at a fixed rate: each is sent when it is due, however many of those before are still unanswered."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

from tests.performance.measure import percentile

_GIVE_UP_S = 30
_LATE_MS = 50
_HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Stream:
    """Requests of one kind: so many a second, to a path, with the body that ``body`` makes of a number."""

    name: str
    path: str
    per_second: float
    body: Callable[[int], dict[str, object]]


@dataclass(slots=True)
class Outcome:
    """How the requests of a stream went: when each was due, and the milliseconds from then to its answer.

    ``late`` are the milliseconds by which requests were sent late: if they are many, the sender was what was slow.
    """

    answered: list[tuple[float, float]] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def milliseconds(self, after: float = 0.0, before: float = float("inf")) -> list[float]:
        """Return those of answers that were due in this time, in seconds from the start."""
        return [took for due, took in self.answered if after <= due < before]

    def __str__(self) -> str:
        times = f"{len(self.answered)} answered: {times_of(self.milliseconds())}"
        slowest = f", the slowest in {max(self.refused):.0f} ms" if self.refused else ""
        failed = f" ({', '.join(sorted(set(self.failed)))})" if self.failed else ""
        return f"{times}; {len(self.refused)} refused{slowest}; {len(self.failed)} failed{failed}{self._lateness()}"

    def _lateness(self) -> str:
        late = percentile(self.late, 99) if len(self.late) > 1 else 0
        return f"; SENT LATE, p99 {late:.0f} ms: the sender is what is slow" if late > _LATE_MS else ""


def times_of(milliseconds: Sequence[float]) -> str:
    """Return percentiles in words."""
    if len(milliseconds) < 2:
        return "too few to tell"
    return ", ".join(f"p{share} {percentile(milliseconds, share):.0f} ms" for share in (50, 95, 99))


def run(url: str, streams: Sequence[Stream], seconds: float) -> dict[str, Outcome]:
    """Send every stream's requests to ``url`` for ``seconds``; wait for the last answer."""
    return asyncio.run(_run(url, streams, seconds))


async def _run(url: str, streams: Sequence[Stream], seconds: float) -> dict[str, Outcome]:
    outcomes = {stream.name: Outcome() for stream in streams}
    connections = _Connections(url)
    async with asyncio.TaskGroup() as group:
        for stream in streams:
            group.create_task(_send_all(connections, stream, seconds, outcomes[stream.name]))
    connections.close()
    return outcomes


class _Connections:
    """Open connections to a server, which carry one request after another.

    A client library takes twice the processor time, on the processors that the server needs.
    """

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        self._host, self._port = address.hostname, address.port
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def post(self, path: str, body: bytes) -> int:
        """Send JSON, read the whole answer and return its status.

        Raises:
            OSError: The server cannot be reached.
            asyncio.IncompleteReadError: It hung up.
        """
        reader, writer = await self._connection()
        try:
            writer.write(
                f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            head = (await reader.readuntil(_HEAD_END)).lower()
            await reader.readexactly(int(_header(head, b"content-length") or 0))
        except BaseException:
            writer.close()
            raise
        if head.startswith(b"http/1.0") or _header(head, b"connection") == b"close":
            writer.close()
        else:
            self._free.append((reader, writer))
        return int(head.split(maxsplit=2)[1])

    def close(self) -> None:
        """Hang up."""
        for _, writer in self._free:
            writer.close()

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._free:
            reader, writer = self._free.pop()
            if not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection(self._host, self._port)


def _header(head: bytes, name: bytes) -> bytes:
    return head.partition(b"\r\n" + name + b":")[2].partition(b"\r\n")[0].strip()


async def _send_all(connections: _Connections, stream: Stream, seconds: float, outcome: Outcome) -> None:
    start = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(int(stream.per_second * seconds)):
            due = number / stream.per_second
            body = json.dumps(stream.body(number)).encode()
            await asyncio.sleep(max(start + due - time.perf_counter(), 0))
            group.create_task(_send(partial(connections.post, stream.path, body), start, due, outcome))


async def _send(post: Callable[[], Awaitable[int]], start: float, due: float, outcome: Outcome) -> None:
    outcome.late.append((time.perf_counter() - start - due) * 1000)
    try:
        async with asyncio.timeout(_GIVE_UP_S):
            status = await post()
    except (OSError, asyncio.IncompleteReadError) as error:
        outcome.failed.append(type(error).__name__)
        return
    took = (time.perf_counter() - start - due) * 1000
    if status == 200:
        outcome.answered.append((due, took))
    elif status == 503:
        outcome.refused.append(took)
    else:
        outcome.failed.append(str(status))
