"""Answers that are given again: which questions may be answered so, and what decides an answer beside the question."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace

from pipelines.components.llm import Llm
from pipelines.errors import Unavailable
from pipelines.observing import CacheAsked
from pipelines.parts import Parts
from pipelines.query.retrieve import Ask
from pipelines.query.reuse import Asked
from pipelines.query.variants import Variant
from pipelines.types import Answer, AnswerDone, AnswerEvent, SearchResult

_log = logging.getLogger(__name__)


class Reusing:
    """The answers of a tenant, as they may be given again to those who are held to a scope.

    Args:
        parts: The tenant's.
        reader: The scope, "" for none.
    """

    def __init__(self, parts: Parts, reader: str) -> None:
        self._given = parts.given
        self._observe = parts.observe
        self._spaces = parts.spaces
        self._reader = reader

    def asked(self, ask: Ask, snapshot: int, model: Llm | None, variant: Variant) -> Asked | None:
        """A first question with everything that decides its answer; None where the profile keeps no answers.

        Args:
            ask: What is looked for, within what may be seen.
            snapshot: The one that is read.
            model: Who answers.
            variant: What the model is told.
        """
        if not self._given.is_on:
            return None
        embedder = self._spaces.embedder
        decided_by = (
            str(snapshot),
            "" if ask.where is None else ask.where.model_dump_json(exclude_none=True),
            str(ask.top_k),
            ask.mode,
            "" if model is None else f"{model.provider} {model.name}",
            "" if model is None else f"{variant.name} {variant.fingerprint}",
            embedder.fingerprint,
        )
        return Asked(ask.query, self._reader, self._given.position(), decided_by, embedder.vectors)

    def find(self, asked: Asked | None) -> Answer | None:
        """The answer that was given before, as one to this question; None where there is none."""
        if asked is None:
            return None
        began = time.perf_counter()
        known = self._given.find(asked)
        took_ms = (time.perf_counter() - began) * 1000
        self._observe(CacheAsked("response", int(known is not None), int(known is None)))
        return None if known is None else replace(known, timings_ms={"cache": took_ms})

    def keeping(
        self, asked: Asked | None, found: SearchResult, events: Generator[AnswerEvent, None, None]
    ) -> Generator[AnswerEvent, None, None]:
        """``events``, of which the answer, made of ``found``, is kept for the next who asks."""
        with closing(events):
            for event in events:
                if isinstance(event, AnswerDone):
                    self._keep(asked, event.answer, found)
                yield event

    def _keep(self, asked: Asked | None, answer: Answer, found: SearchResult) -> None:
        """Keeps an answer that another may be given; none that a part which failed may have spoilt."""
        failed = bool(found.trace.missing) or any(run.failure is not None for run in found.trace.stages)
        if asked is None or failed or answer.degraded or answer.truncated or not answer.sources:
            return
        if asked.decided_by[0] != str(answer.snapshot):  # the search was of a later snapshot
            return
        try:
            self._given.keep(asked, answer)
        except Unavailable as error:
            _log.warning("an answer could not be kept to be given again: %s", error.message)
