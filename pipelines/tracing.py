"""OpenTelemetry traces of LlamaIndex's spans; loaded only where traces are exported.

Spans hold names and durations: no question, no text of a document, no message of an error.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.span import BaseSpan
from llama_index_instrumentation.span_handlers import BaseSpanHandler

from pipelines.errors import MissingPackage

try:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.trace import Span, StatusCode, Tracer, set_span_in_context
except ModuleNotFoundError:
    raise MissingPackage("opentelemetry-sdk", "telemetry") from None

_SERVICE = "footnote"


@contextmanager
def tracing() -> Iterator[Tracer]:
    """Export spans, LlamaIndex's too, to ``OTEL_EXPORTER_OTLP_ENDPOINT`` until the block ends."""
    resource = Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", _SERVICE)})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    tracer, root = provider.get_tracer(_SERVICE), get_dispatcher("root")
    handler = _Spans(tracer)
    root.add_span_handler(handler)
    try:
        yield tracer
    finally:
        root.span_handlers.remove(handler)
        provider.shutdown()


class _OpenSpan(BaseSpan):
    """A span of LlamaIndex, as OpenTelemetry knows it."""

    span: Any


class _Spans(BaseSpanHandler[_OpenSpan]):
    """Begins and ends a span of OpenTelemetry with each of LlamaIndex's."""

    def __init__(self, tracer: Tracer) -> None:
        super().__init__()
        self._tracer = tracer

    def new_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any | None = None,
        parent_span_id: str | None = None,
        tags: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> _OpenSpan:
        """Begin a span below its parent, else below the request's."""
        above = self.open_spans.get(parent_span_id or "")
        name = id_.rpartition(".")[0] + "." + id_.rpartition(".")[2].partition("-")[0]  # Class.method-<uuid>
        context = set_span_in_context(above.span) if above else None
        return _OpenSpan(id_=id_, parent_id=parent_span_id, span=self._tracer.start_span(name, context))

    def prepare_to_exit_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any | None = None,
        result: Any | None = None,
        **kwargs: Any,
    ) -> _OpenSpan | None:
        """End a span."""
        found = self.open_spans.get(id_)
        if found is not None:
            found.span.end()
        return found

    def prepare_to_drop_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any | None = None,
        err: BaseException | None = None,
        **kwargs: Any,
    ) -> _OpenSpan | None:
        """End a span that failed; of its error, the class alone is kept."""
        found = self.open_spans.get(id_)
        if found is not None:
            span: Span = found.span
            span.set_status(StatusCode.ERROR)
            span.set_attribute("error.type", type(err).__name__)
            span.end()
        return found
