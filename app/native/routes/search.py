"""Routes that search and answer."""

from __future__ import annotations

from fastapi import Request

from app.http.problems import problem_responses
from app.http.streaming import STREAMED, EventStream
from app.native import mapping
from app.native.routes.dependencies import TenantEngine, routes_for
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
        mode=asked.mode,
        min_score=asked.min_score,
        as_of=asked.as_of,
    )
    return mapping.search_response(result)


@reader.post(
    "/{tenant}/query", response_model=QueryResponse, responses={200: STREAMED, **problem_responses(413, 422, 504)}
)
def query(request: Request, engine: TenantEngine, asked: QueryRequest) -> QueryResponse | EventStream:
    """Answer a question, with footnotes; whole, or as it is written."""
    wish = None if asked.llm is None else asked.llm.model_dump(exclude_none=True)
    if not asked.stream:
        answer = engine.answer(asked.question, top_k=asked.top_k, filters=asked.filters, as_of=asked.as_of, llm=wish)
        return mapping.query_response(answer)
    events = engine.stream_answer(asked.question, top_k=asked.top_k, filters=asked.filters, as_of=asked.as_of, llm=wish)
    return EventStream(request, mapping.answer_events(events))
