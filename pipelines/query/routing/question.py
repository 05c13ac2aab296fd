"""A question that documents or tools may answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from pipelines.components.llm import Llm
from pipelines.types import AbstainReason, AnswerEvent, SearchResult

Found = tuple[SearchResult, AbstainReason | None]
"""What to answer from, and why not where nothing was found because of what was asked for."""
Events = Generator[AnswerEvent, None, None]
Synthesise = Callable[[SearchResult, AbstainReason | None], Events]
"""Makes the answer from what was found."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how it is looked for and answered.

    Attributes:
        text: The question, understood by itself.
        llm: Who decides.
        retrieve: Searches the documents.
        nothing: What a search that found nothing comes to.
        synthesise: Answers from what was found.
        over: Set when the caller has gone.
    """

    text: str
    llm: Llm
    retrieve: Callable[[], Found]
    nothing: Callable[[], SearchResult]
    synthesise: Synthesise
    over: threading.Event = field(default_factory=threading.Event)
