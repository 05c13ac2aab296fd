"""Tells whoever counts how questions are answered, while they are."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing

from pipelines.errors import PartTimeout, Unavailable
from pipelines.observing import Answered, AnswerFailed, Observe
from pipelines.types import Answer, AnswerDone, AnswerEvent


def telling(events: Generator[AnswerEvent, None, None], observe: Observe) -> Generator[AnswerEvent, None, None]:
    """The same events; the last one, or the error that they end in, is told. Time counts from the first ``next``.

    Nothing is told of an answer that nobody read to the end, nor of a question that could not be asked.
    """
    began = time.perf_counter()
    with closing(events):
        try:
            for event in events:
                if isinstance(event, AnswerDone):
                    observe(_answered(event.answer, time.perf_counter() - began))
                yield event
        except (Unavailable, PartTimeout) as error:
            observe(AnswerFailed(time.perf_counter() - began, error.code))
            raise


def _answered(answer: Answer, seconds: float) -> Answered:
    generating = answer.timings_ms.get("llm")
    return Answered(
        seconds=seconds,
        generating=None if generating is None else generating / 1000,
        confidence=answer.confidence,
        reason=answer.reason,
        degraded=answer.degraded,
    )
