"""Cancellable wait for a language-model call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextvars import copy_context
from queue import Empty, SimpleQueue

from pipelines.components.llm.base import Piece

POLL_SECONDS = 0.1
"""How often a waiting generator yields, so that it can be closed."""


class _End:
    """The end of the pieces, with the error that ended them."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def cancellable(
    pieces: Iterator[Piece], cut: Callable[[], None], *, wait: bool = True
) -> Generator[Piece | None, None, None]:
    """``pieces``, with None whenever none came for `POLL_SECONDS`.

    A thread reads them, and ends before this generator does. Closing the generator calls ``cut``, which must end
    whatever ``pieces`` wait for. Without ``wait`` a closed generator leaves the thread to end by itself.
    """
    arrived: SimpleQueue[Piece | _End] = SimpleQueue()
    of_caller = copy_context()  # the request's trace
    reader = threading.Thread(target=of_caller.run, args=(_read, pieces, arrived), name="footnote-llm", daemon=True)
    reader.start()
    ended = False
    try:
        while not ended:
            try:
                came = arrived.get(timeout=POLL_SECONDS)
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
        if ended or wait:
            reader.join()


def _read(pieces: Iterator[Piece], arrived: SimpleQueue[Piece | _End]) -> None:
    try:
        for piece in pieces:
            arrived.put(piece)
    except BaseException as error:  # noqa: BLE001 - raised again in the reading thread
        arrived.put(_End(error))
    else:
        arrived.put(_End())
