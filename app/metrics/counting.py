"""Counts a tenant's events."""

from __future__ import annotations

from itertools import product
from typing import get_args

from app.metrics.families import LOW_CONFIDENCE, TenantFamilies
from pipelines.errors import EmbeddingUnavailable, PartTimeout, RerankerUnavailable, StoreUnavailable
from pipelines.events import (
    Answered,
    AnswerFailed,
    CacheAsked,
    Embedded,
    Event,
    Ingested,
    LlmCalled,
    PartFailed,
    Searched,
)
from pipelines.types import AbstainReason

_FAILURES = (
    ("catalogue", StoreUnavailable.code),
    ("store", StoreUnavailable.code),
    ("store", PartTimeout.code),
    ("embedding", EmbeddingUnavailable.code),
    ("embedding", PartTimeout.code),
    ("reranker", RerankerUnavailable.code),
)


class EventCounter:
    """Observer of one tenant's events; see `pipelines.events`.

    Series that alerts look at are there from the start: a rate sees no rise from nothing to one.
    """

    def __init__(self, families: TenantFamilies, tenant: str, contract: str) -> None:
        self._families = families
        self._tenant = tenant
        self._low = families.low.labels(tenant)
        self._degraded = families.degraded.labels(tenant)
        self._empty = families.empty.labels(tenant)
        self._search_seconds = families.search_seconds.labels(tenant)
        self._query_seconds = families.query_seconds.labels(tenant)
        self._relevance = families.relevance.labels(tenant)
        self._confidence = families.confidence.labels(tenant)
        self._embedding_seconds = families.embedding_seconds.labels(tenant)
        self._embedded_texts = families.embedded_texts.labels(tenant)
        self._chunks = families.ingested_chunks.labels(tenant)
        self._ingestion_seconds = families.ingestion_seconds.labels(tenant)
        self._ingested = {state: families.ingested.labels(tenant, state) for state in ("ready", "unchanged", "failed")}
        self._stages = {
            stage: families.stage_seconds.labels(tenant, stage) for stage in ("embed", "retrieve", "rerank", "generate")
        }
        self._failures = {one: families.failures.labels(tenant, *one) for one in _FAILURES}
        families.info.labels(tenant, contract).set(1)
        for reason in get_args(AbstainReason):
            families.abstained.labels(tenant, reason)
        for cache, result in product(("embedding", "response"), ("hit", "miss")):
            families.cache.labels(tenant, cache, result)

    def __call__(self, event: Event) -> None:
        """Counts an event."""
        match event:
            case Searched():
                self._searched(event)
            case Embedded():
                self._embedding_seconds.observe(event.seconds)
                self._embedded_texts.inc(event.texts)
            case Answered():
                self._answered(event)
            case AnswerFailed():
                self._query_seconds.observe(event.seconds)
                self._families.unanswered.labels(self._tenant, event.code).inc()
            case CacheAsked():
                self._families.cache.labels(self._tenant, event.cache, "hit").inc(event.hits)
                self._families.cache.labels(self._tenant, event.cache, "miss").inc(event.misses)
            case Ingested():
                self._brought_in(event)
            case LlmCalled():
                self._called(event)
            case PartFailed():
                self._failed(event.part, event.code)

    def _searched(self, event: Searched) -> None:
        self._search_seconds.observe(event.seconds)
        for stage, seconds in event.stages.items():
            self._stages[stage].observe(seconds)
        self._relevance.observe(event.best)
        if not event.hits:
            self._empty.inc()
        if event.failed_stages:
            self._failures["reranker", RerankerUnavailable.code].inc(event.failed_stages)

    def _answered(self, event: Answered) -> None:
        self._query_seconds.observe(event.seconds)
        if event.generating is not None:
            self._stages["generate"].observe(event.generating)
        if event.confidence is not None:
            self._confidence.observe(event.confidence)
            if event.confidence < LOW_CONFIDENCE:
                self._low.inc()
        if event.reason is not None:
            self._families.abstained.labels(self._tenant, event.reason).inc()
        if event.degraded:
            self._degraded.inc()

    def _brought_in(self, event: Ingested) -> None:
        failed = len(event.failures)
        documents = event.ready + event.unchanged + failed
        for state, count in (("ready", event.ready), ("unchanged", event.unchanged), ("failed", failed)):
            self._ingested[state].inc(count)
        for _ in range(event.ready):
            self._ingestion_seconds.observe(event.seconds / documents)
        self._chunks.inc(event.chunks)
        for code in event.failures:
            self._families.ingestion_failures.labels(self._tenant, code).inc()

    def _called(self, event: LlmCalled) -> None:
        families, model = self._families, (self._tenant, event.model)
        families.llm_calls.labels(*model, event.outcome).inc()
        families.llm_queue.labels(*model).observe(event.waited)
        families.llm_seconds.labels(*model).observe(event.seconds)
        if event.first is not None:
            families.llm_first.labels(*model).observe(event.first)
        for kind, tokens in (("prompt", event.prompt_tokens), ("completion", event.completion_tokens)):
            if tokens is not None:
                families.llm_tokens.labels(*model, kind).inc(tokens)

    def _failed(self, part: str, code: str) -> None:
        self._families.failures.labels(self._tenant, part, code).inc()
