"""A span for each request; loaded only where traces are exported."""

from __future__ import annotations

from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PROPAGATOR = TraceContextTextMapPropagator()
_SERVER_ERROR = 500


async def traced(app: ASGIApp, tracer: Tracer, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request within a span, below the caller's where it sends ``traceparent``.

    The span names the route's template, never the path or the query.
    """
    parent = _PROPAGATOR.extract(dict(Headers(scope=scope)))
    with tracer.start_as_current_span(
        scope["method"], parent, SpanKind.SERVER, record_exception=False, set_status_on_exception=False
    ) as span:
        status = _SERVER_ERROR

        async def send_seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, send_seen)
        finally:
            _describe(span, scope, status)


def _describe(span: Span, scope: Scope, status: int) -> None:
    route = scope.get("route")
    if isinstance(route, Route):
        span.update_name(f"{scope['method']} {route.path}")
        span.set_attribute("http.route", route.path)
        span.set_attribute("footnote.tenant", scope.get("path_params", {}).get("tenant", ""))
    span.set_attribute("http.request.method", scope["method"])
    span.set_attribute("http.response.status_code", status)
    span.set_attribute("footnote.request_id", scope.get("state", {}).get("request_id", ""))
    if status >= _SERVER_ERROR:
        span.set_status(StatusCode.ERROR)
