"""Events of the core for an observer: a server's metrics, a notebook, a test.

Events hold figures and names from closed sets, never what was asked or found: an operator may see them.
The observer is called in the thread of the event, so it must be quick.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from pipelines.errors import FootnoteError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Searched:
    """The documents were searched.

    Attributes:
        seconds: How long the whole took.
        stages: Seconds of `embed`, `retrieve` and `rerank`, where the stage ran.
        hits: How many hits there were.
        best: The best hit's score, 0..1; 0 without hits.
        failed_stages: How many reranker stages failed and were left out.
    """

    seconds: float
    stages: Mapping[str, float]
    hits: int
    best: float
    failed_stages: int = 0


@dataclass(frozen=True, slots=True)
class Answered:
    """A question was answered, its search included.

    Attributes:
        seconds: How long the whole took.
        generating: Seconds that a language model wrote; None where none did.
        confidence: How sure the answer is, 0..1; None for a reply to small talk, which is sure without a document.
        reason: Why the documents don't answer; None where they do.
        degraded: Whether it fell back to extracts, for the language model was away.
    """

    seconds: float
    generating: float | None
    confidence: float | None
    reason: str | None
    degraded: bool


@dataclass(frozen=True, slots=True)
class AnswerFailed:
    """A question got no answer after so many seconds, for a part was away or too slow; ``code`` is the error's."""

    seconds: float
    code: str


@dataclass(frozen=True, slots=True)
class Ingested:
    """Documents were ingested together.

    Attributes:
        seconds: How long that took.
        ready: How many became a new version.
        unchanged: How many were known already.
        failures: The code of the error of each that failed.
        chunks: How many chunks the new versions have.
    """

    seconds: float
    ready: int
    unchanged: int
    failures: tuple[str, ...]
    chunks: int


@dataclass(frozen=True, slots=True)
class Embedded:
    """The embedding model made vectors of so many texts, in so many seconds."""

    seconds: float
    texts: int


@dataclass(frozen=True, slots=True)
class CacheAsked:
    """A cache was asked for something: how often it had it, and how often not."""

    cache: Literal["embedding", "response"]
    hits: int
    misses: int


@dataclass(frozen=True, slots=True)
class LlmCalled:
    """A language model was called.

    Attributes:
        model: Its name, one of those that the profile allows.
        outcome: `ok`, `stopped` if the reader left, or the error's code.
        waited: Seconds until its turn came; the whole where it did not.
        first: Seconds from its turn to its first word; None where there was none.
        seconds: From its turn to the end.
        prompt_tokens: What it read, by its server's count; None where that gives none.
        completion_tokens: What it wrote.
    """

    model: str
    outcome: str
    waited: float
    first: float | None
    seconds: float
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class PartFailed:
    """A part did not do its own; ``code`` is the error's."""

    part: Literal["catalogue", "store", "embedding"]
    code: str


Event = Searched | Answered | AnswerFailed | Ingested | Embedded | CacheAsked | LlmCalled | PartFailed
Observe = Callable[[Event], None]
"""An observer of events; see `safe_observer`."""


def ignore_event(event: Event) -> None:
    """Ignore the event."""


def safe_observer(observe: Observe) -> Observe:
    """Return ``observe`` without its exceptions: the first is logged, and none breaks the work."""
    failed = False

    def observed(event: Event) -> None:
        nonlocal failed
        try:
            observe(event)
        except Exception:  # noqa: BLE001 - whatever it is, the work goes on; the log has it
            if not failed:
                _log.exception("an event could not be counted; further failures will not be logged")
            failed = True

    return observed


@contextmanager
def embedding(observe: Observe, texts: int) -> Iterator[None]:
    """Tell how long it takes to embed so many texts, or that it failed."""
    began = time.perf_counter()
    try:
        yield
    except FootnoteError as error:
        observe(PartFailed("embedding", error.code))
        raise
    observe(Embedded(time.perf_counter() - began, texts))
