"""Routes that search and answer."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from app.http.leaving import RequireCaller
from app.http.problems import problem_responses
from app.http.streaming import STREAMED, EventStream
from app.native import mapping
from app.native.routes.dependencies import AskedBy, TenantEngine, routes_for
from app.native.schemas.explain import ExplainRequest, ExplainResponse
from app.native.schemas.search import QueryRequest, QueryResponse, SearchRequest, SearchResponse

reader = routes_for("reader")
ROUTERS = (reader,)


@reader.post("/{tenant}/search", responses=problem_responses(413, 422, 504))
def search(engine: TenantEngine, asked: SearchRequest) -> SearchResponse:
    """Find the chunks that answer a query."""
    result = engine.search(
        asked.query,
        top_k=asked.top_k,
        filters=asked.filters,
        scope=asked.scope,
        inherit=asked.inherit,
        mode=asked.mode,
        min_score=asked.min_score,
        as_of=asked.as_of,
        conversation_id=asked.conversation_id,
    )
    return mapping.search_response(result)


@reader.post(
    "/{tenant}/query", response_model=QueryResponse, responses={200: STREAMED, **problem_responses(409, 413, 422, 504)}
)
def query(
    request: Request, engine: TenantEngine, asked: QueryRequest, by: AskedBy, meanwhile: RequireCaller
) -> QueryResponse | EventStream:
    """Answer a question, with footnotes; whole, or as it is written."""
    asking: dict[str, Any] = {
        "top_k": asked.top_k,
        "filters": asked.filters,
        "scope": asked.scope,
        "inherit": asked.inherit,
        "as_of": asked.as_of,
        "conversation_id": asked.conversation_id,
        "user": by(asked.user),
        "tools": asked.tools,
        "llm": None if asked.llm is None else asked.llm.model_dump(exclude_none=True),
    }
    if not asked.stream:
        return mapping.query_response(engine.answer(asked.question, **asking, meanwhile=meanwhile))
    return EventStream(request, mapping.answer_events(engine.stream_answer(asked.question, **asking)))


@reader.post("/{tenant}/explain", responses=problem_responses(413, 422, 504))
def explain(engine: TenantEngine, asked: ExplainRequest) -> ExplainResponse:
    """Say why a search shows a document or a chunk, or why it does not."""
    explanation = engine.explain(
        asked.query,
        document_id=asked.document_id,
        chunk_id=asked.chunk_id,
        top_k=asked.top_k,
        filters=asked.filters,
        scope=asked.scope,
        inherit=asked.inherit,
        mode=asked.mode,
        as_of=asked.as_of,
    )
    return mapping.explain_response(explanation)
