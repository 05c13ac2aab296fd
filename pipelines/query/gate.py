"""Holds back the beginning of a written answer until it may be read."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import TypeVar

from pipelines.types import AnswerEvent, Heartbeat, TextWritten

Result = TypeVar("Result")


class Gate:
    """Passes events on once the answer may be read; those before it wait.

    Attributes:
        begun: Whether some of the text was passed on.

    Args:
        may_open: Whether what was written so far may be read; asked while the gate is closed.
    """

    def __init__(self, may_open: Callable[[], bool]) -> None:
        self.begun = False
        self._may_open = may_open
        self._open = False
        self._held: list[AnswerEvent] = []

    def through(self, events: Generator[AnswerEvent, None, Result]) -> Generator[AnswerEvent, None, Result]:
        """The events, each as soon as it may be read, and a heartbeat for each that waits."""
        with closing(events):
            while True:
                try:
                    event = next(events)
                except StopIteration as end:
                    result: Result = end.value
                    return result
                yield from self._passed(event)

    def release(self) -> Iterator[AnswerEvent]:
        """Yield everything that was held back; from now on nothing is."""
        held, self._held, self._open = self._held, [], True
        for event in held:
            self.begun = self.begun or isinstance(event, TextWritten)
            yield event

    def _passed(self, event: AnswerEvent) -> Iterator[AnswerEvent]:
        self._held.append(event)
        if self._open or self._may_open():
            yield from self.release()
        else:
            yield Heartbeat()
