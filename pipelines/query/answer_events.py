"""Answers as streams of events: made of an answer, read to the end, reported."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from pipelines.errors import PartTimeout, Unavailable
from pipelines.events import Answered, AnswerFailed, Observe
from pipelines.types import Answer, AnswerDone, AnswerEvent, CitationMade, SourcesFound, TextWritten

Events = Generator[AnswerEvent, None, None]
_PASSAGE = re.compile(r"[^\n]*?(?:(?:\[\d{1,4}\])+|\n|$)")
_MARK = re.compile(r"\[(\d{1,4})\]")


def text_events(answer: Answer) -> Iterator[AnswerEvent]:
    """Yield a finished answer as events: each passage up to its footnotes or the end of its line, and the footnotes."""
    shown = 0
    for passage in filter(None, _PASSAGE.findall(answer.text)):
        yield TextWritten(passage)
        most = max(
            (number for number in map(int, _MARK.findall(passage)) if number <= len(answer.citations)), default=0
        )
        for citation in answer.citations[shown:most]:
            yield CitationMade(citation)
        shown = max(shown, most)
    for citation in answer.citations[shown:]:
        yield CitationMade(citation)
    yield AnswerDone(answer)


def replay(answer: Answer) -> Events:
    """Yield an answer that was given before, as events."""
    yield SourcesFound(answer.sources)
    yield from text_events(answer)


def read_answer(events: Events, between: Callable[[], None] | None = None) -> Answer:
    """Read ``events`` to the end and return their answer. ``between`` is called between them; its errors end them."""
    last: AnswerEvent | None = None
    with closing(events):
        for last in events:
            if between is not None and not isinstance(last, AnswerDone):
                between()
    assert isinstance(last, AnswerDone)
    return last.answer


def reported(events: Events, observe: Observe) -> Events:
    """The same events. The answer, or the failure that they end in, goes to the observer.

    Time counts from the first ``next``. A stream that is not read to the end is not reported, nor is a question that
    could not be asked.
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
        confidence=None if answer.is_small_talk else answer.confidence,
        reason=answer.reason,
        degraded=answer.degraded,
    )
