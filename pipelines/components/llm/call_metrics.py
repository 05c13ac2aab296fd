"""Metrics for language-model calls."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from pipelines.components.llm.base import Piece, Reply
from pipelines.errors import FootnoteError
from pipelines.events import LlmCalled, Observe


class CallMetrics:
    """Measures one call, from its request until the block ends, and reports it to the observer."""

    def __init__(self, model: str, observe: Observe) -> None:
        self._model = model
        self._observe = observe
        self._asked = time.perf_counter()
        self._began: float | None = None
        self._first: float | None = None
        self._reply: Reply | None = None

    def begin(self) -> None:
        """Record that the call left the queue."""
        self._began = time.perf_counter()

    def pieces(self, pieces: Iterator[Piece]) -> Iterator[Piece]:
        """Pass the pieces through; record when the first text arrives."""
        for piece in pieces:
            if self._first is None and piece.text:
                self._first = time.perf_counter()
            yield piece

    def end(self, reply: Reply) -> None:
        """Record the complete reply."""
        self._reply = reply

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Report the call."""
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
