"""The metric families of one process, in a registry of its own; docs/monitoring.md lists them."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info
from prometheus_client.gc_collector import GCCollector
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from app import __version__
from app.http.admission import Admission

LOW_CONFIDENCE = 0.5
"""Answers below it count as low confidence: more likely wrong than right."""
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0)
_STAGE_SECONDS = (0.001, 0.0025, *_SECONDS)
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class RequestFamilies:
    """Metrics for HTTP requests.

    ``api`` is `server`, `native`, `openai`, `mcp` or the name of a contract; ``route`` a template such as
    `/{tenant}/search`, or `other`.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        counter = partial(Counter, registry=registry)
        seconds = partial(Histogram, buckets=_SECONDS, registry=registry)
        where = ("tenant", "api", "method", "route")
        self.requests = counter("footnote_http_requests", "Requests that were answered.", (*where, "status"))
        self.seconds = seconds("footnote_http_request_duration_seconds", "Until the last byte of the answer.", where)
        self.under_way = Gauge("footnote_http_requests_in_progress", "Requests being answered.", registry=registry)


def register_admission(registry: CollectorRegistry, admission: Admission) -> None:
    """Let the places of requests be read from ``registry``."""
    registry.register(_AdmissionCollector(admission))


class _AdmissionCollector(Collector):
    def __init__(self, admission: Admission) -> None:
        self._admission = admission

    def collect(self) -> Iterator[Metric]:
        """Yield how many requests work and wait now, and how many were refused, by kind of work."""
        working = GaugeMetricFamily("footnote_http_working", "Requests that have a place.", labels=("work",))
        waiting = GaugeMetricFamily("footnote_http_waiting", "Requests that wait for a place.", labels=("work",))
        refused = CounterMetricFamily("footnote_http_refused", "Requests refused at the limit.", labels=("work",))
        for work, room in self._admission.rooms.items():
            working.add_metric((work,), room.working)
            waiting.add_metric((work,), room.waiting)
            refused.add_metric((work,), room.refused)
        yield from (working, waiting, refused)


class TenantFamilies:
    """Metrics for the work of each tenant."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._counter = partial(Counter, registry=registry)
        self._seconds = partial(Histogram, buckets=_SECONDS, registry=registry)
        self._shares = partial(Histogram, buckets=_SHARES, registry=registry)
        self.info = Gauge(
            "footnote_tenant_info", "1 for each tenant served.", ("tenant", "contract"), registry=registry
        )
        self._of_questions()
        self._of_documents()
        self._of_parts()
        self._of_the_language_model()

    def _of_questions(self) -> None:
        tenant = ("tenant",)
        self.search_seconds = self._seconds("footnote_search_duration_seconds", "A search, in the core.", tenant)
        self.query_seconds = self._seconds(
            "footnote_query_duration_seconds", "A question until its answer was whole, in the core.", tenant
        )
        self.stage_seconds = self._seconds(
            "footnote_stage_duration_seconds",
            "A stage of a question: embed, retrieve, rerank or generate.",
            ("tenant", "stage"),
            buckets=_STAGE_SECONDS,
        )
        self.relevance = self._shares("footnote_search_relevance", "The score of a search's best hit, 0 to 1.", tenant)
        self.empty = self._counter("footnote_searches_without_hits", "Searches that found nothing.", tenant)
        self.confidence = self._shares("footnote_answer_confidence", "How sure an answer is, 0 to 1.", tenant)
        self.low = self._counter(
            "footnote_answers_low_confidence", f"Answers whose confidence is below {LOW_CONFIDENCE}.", tenant
        )
        self.abstained = self._counter(
            "footnote_answers_abstained", "Answers that the documents don't answer.", ("tenant", "reason")
        )
        self.degraded = self._counter(
            "footnote_answers_degraded", "Answers from extracts, for the language model failed.", tenant
        )
        self.unanswered = self._counter(
            "footnote_answers_failed", "Questions without an answer, for a part was away or slow.", ("tenant", "code")
        )

    def _of_documents(self) -> None:
        self.ingested = self._counter(
            "footnote_ingested_documents", "Ingested documents: ready, unchanged or failed.", ("tenant", "state")
        )
        self.ingested_chunks = self._counter("footnote_ingested_chunks", "Chunks of new versions.", ("tenant",))
        self.ingestion_seconds = self._seconds(
            "footnote_ingestion_duration_seconds", "A document: its share of the time of its batch.", ("tenant",)
        )
        self.ingestion_failures = self._counter(
            "footnote_ingestion_failures", "Documents that failed, by the error's code.", ("tenant", "code")
        )

    def _of_parts(self) -> None:
        self.cache = self._counter(
            "footnote_cache_lookups", "What caches were asked for: hit or miss.", ("tenant", "cache", "result")
        )
        self.embedding_seconds = self._seconds(
            "footnote_embedding_duration_seconds",
            "A call of the embedding model, of one text or several.",
            ("tenant",),
            buckets=_STAGE_SECONDS,
        )
        self.embedded_texts = self._counter("footnote_embedded_texts", "Texts that were embedded.", ("tenant",))
        self.failures = self._counter(
            "footnote_part_failures",
            "Calls that the catalogue's database, the store, the embedding model or a reranker failed.",
            ("tenant", "part", "code"),
        )

    def _of_the_language_model(self) -> None:
        model = ("tenant", "model")
        self.llm_calls = self._counter(
            "footnote_llm_requests", "Calls: ok, stopped by the reader, or the error's code.", (*model, "outcome")
        )
        self.llm_seconds = self._seconds("footnote_llm_duration_seconds", "A call, from its turn to its end.", model)
        self.llm_first = self._seconds(
            "footnote_llm_first_token_seconds", "From a call's turn to its first word.", model
        )
        self.llm_queue = self._seconds("footnote_llm_queue_seconds", "How long calls waited for their turn.", model)
        self.llm_tokens = self._counter(
            "footnote_llm_tokens", "Tokens by the server's count: prompt or completion.", (*model, "kind")
        )


def register_process(registry: CollectorRegistry) -> None:
    """Add metrics for the process and its build."""
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    build = Info("footnote_build", "What runs here.", registry=registry)
    build.info({"version": __version__, "python": platform.python_version()})
