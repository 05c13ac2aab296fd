"""How a call of a language model went, told to whoever counts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from pipelines.components.llm.base import Piece, Reply
from pipelines.errors import FootnoteError
from pipelines.observing import LlmCalled, Observe


class Hearing:
    """Listens to one call from the moment that it is wished for; when the block ends, its event is told."""

    def __init__(self, model: str, observe: Observe) -> None:
        self._model = model
        self._observe = observe
        self._asked = time.perf_counter()
        self._began: float | None = None
        self._first: float | None = None
        self._reply: Reply | None = None

    def begin(self) -> None:
        """Its turn has come."""
        self._began = time.perf_counter()

    def pieces(self, pieces: Iterator[Piece]) -> Iterator[Piece]:
        """The parts of the answer as they arrive."""
        for piece in pieces:
            if self._first is None and piece.text:
                self._first = time.perf_counter()
            yield piece

    def end(self, reply: Reply) -> None:
        """The answer is whole."""
        self._reply = reply

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Tells how it went."""
        now = time.perf_counter()
        began = now if self._began is None else self._began
        self._observe(
            LlmCalled(
                model=self._model,
                outcome=_outcome(error),
                waited=began - self._asked,
                first=None if self._first is None else self._first - began,
                seconds=now - began,
                prompt_tokens=self._reply.prompt_tokens if self._reply else None,
                completion_tokens=self._reply.completion_tokens if self._reply else None,
            )
        )


def _outcome(error: BaseException | None) -> str:
    match error:
        case None:
            return "ok"
        case GeneratorExit():
            return "stopped"
        case FootnoteError():
            return error.code
    return "error"
