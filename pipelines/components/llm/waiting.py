"""Waiting for a language model in such a way that whoever waits can go away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from queue import Empty, SimpleQueue

from pipelines.components.llm.base import Piece

GLANCE_S = 0.1
"""Seconds after which a generator that waits gives something empty, where it can be closed."""


class _End:
    """What comes after the last piece: nothing, or what was raised."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def awaited(pieces: Iterator[Piece], cut: Callable[[], None]) -> Generator[Piece | None, None, None]:
    """``pieces``, and None wherever none came for `GLANCE_S`.

    They are read in a thread of their own, which ends before this does: closing it calls ``cut``, which has to end
    whatever ``pieces`` wait for.
    """
    arrived: SimpleQueue[Piece | _End] = SimpleQueue()
    reader = threading.Thread(target=_read, args=(pieces, arrived), name="footnote-llm", daemon=True)
    reader.start()
    ended = False
    try:
        while not ended:
            try:
                came = arrived.get(timeout=GLANCE_S)
            except Empty:
                yield None
                continue
            if isinstance(came, Piece):
                yield came
            else:
                ended = True
                if came.error is not None:
                    raise came.error
    finally:
        if not ended:
            cut()
        reader.join()


def _read(pieces: Iterator[Piece], arrived: SimpleQueue[Piece | _End]) -> None:
    try:
        for piece in pieces:
            arrived.put(piece)
    except BaseException as error:  # noqa: BLE001 - it is raised where the pieces are read
        arrived.put(_End(error))
    else:
        arrived.put(_End())
