"""Answers that are given again: which questions may be answered so, and what decides an answer beside the question."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace

from pipelines.components.llm import Llm
from pipelines.components.search_query import SearchQuery
from pipelines.engine.parts.view import TenantView
from pipelines.errors import Unavailable
from pipelines.events import CacheAsked, Observe
from pipelines.query.reuse import AnswerCache, CacheQuestion
from pipelines.query.variants import Variant
from pipelines.types import Answer, AnswerDone, AnswerEvent, Query, SearchResult

_log = logging.getLogger(__name__)


class ReusedAnswers:
    """The answers that may be given again to readers from one place.

    Args:
        view: What can be seen.
        cache: The tenant's answers.
        observe: Receives an event for each look into the cache.
    """

    def __init__(self, view: TenantView, cache: AnswerCache, observe: Observe) -> None:
        self._view = view
        self._cache = cache
        self._observe = observe

    def key(
        self, search: SearchQuery, snapshot: int, model: Llm | None, variant: Variant, query: Query
    ) -> CacheQuestion | None:
        """Return a first question with everything that decides its answer; None where no answer may be reused.

        Args:
            search: What is looked for, within what may be seen.
            snapshot: The snapshot that is read.
            model: The language model that answers.
            variant: The prompt.
            query: Says how sources are chosen and how the model writes.
        """
        if not self._cache.is_on or search.vector is not None:
            return None
        embedder = self._view.indexes.embedder
        decided_by = (
            str(snapshot),
            "" if search.where is None else search.where.model_dump_json(exclude_none=True),
            f"{search.top_k} {query.min_score} {search.diversity} {query.format} {query.steps}",
            search.mode,
            "" if model is None else f"{model.provider} {model.name}",
            "" if model is None else f"{variant.name} {variant.fingerprint}",
            embedder.query_fingerprint,
        )
        return CacheQuestion(
            search.query_str, self._view.reader or "", self._cache.position(), decided_by, embedder.vectors
        )

    def find(self, asked: CacheQuestion | None) -> Answer | None:
        """Return the answer that was given to this question before, if there is one."""
        if asked is None:
            return None
        began = time.perf_counter()
        known = self._cache.find(asked)
        took_ms = (time.perf_counter() - began) * 1000
        self._observe(CacheAsked("response", int(known is not None), int(known is None)))
        return None if known is None else replace(known, timings_ms={"cache": took_ms})

    def keeping(
        self, asked: CacheQuestion | None, found: SearchResult, events: Generator[AnswerEvent, None, None]
    ) -> Generator[AnswerEvent, None, None]:
        """Yield ``events``, and keep the answer, which is made of ``found``."""
        with closing(events):
            for event in events:
                if isinstance(event, AnswerDone):
                    self._keep(asked, event.answer, found)
                yield event

    def _keep(self, asked: CacheQuestion | None, answer: Answer, found: SearchResult) -> None:
        """Keep an answer, unless a part failed that may have spoilt it."""
        failed = bool(found.trace.missing) or any(run.failure is not None for run in found.trace.stages)
        if asked is None or failed or answer.degraded or answer.truncated or not answer.sources:
            return
        if asked.decided_by[0] != str(answer.snapshot):  # the search was of a later snapshot
            return
        try:
            self._cache.keep(asked, answer)
        except Unavailable as error:
            _log.warning("an answer could not be kept for reuse: %s", error.message)
