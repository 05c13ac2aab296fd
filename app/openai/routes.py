"""The routes of OpenAI's protocol."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Request

from app import __version__
from app.http.contract import error_responses
from app.http.failures import install_failures
from app.http.keyring import Grant
from app.http.leaving import RequireCaller
from app.http.openapi import documented_app
from app.http.routing import AnyTenantRoute, add_routes, readable_engine
from app.http.streaming import EventStream
from app.openai import mapping
from app.openai.embeddings import EmbeddingList, EmbeddingsRequest, embedding_list
from app.openai.schemas import ChatCompletion, ChatRequest, ErrorResponse, Model, ModelList
from pipelines import TenantReader
from pipelines.errors import InvalidRequest, Problem

_DESCRIPTION = "The tenants as models of OpenAI's protocol; their answers bring their footnotes."
_STREAMED = {
    "description": "The answer; with `stream: true` as events without names, each a chunk, and at last `[DONE]`.",
    "content": {
        "text/event-stream": {
            "schema": {
                "type": "object",
                "description": "one event",
                "properties": {"data": {"type": "string"}},
                "required": ["data"],
            }
        }
    },
}
_END = "[DONE]"

router = APIRouter(
    prefix="/v1",
    route_class=AnyTenantRoute,
    responses=error_responses(ErrorResponse, 400, 401, 404, 421, 500, 503),
    generate_unique_id_function=lambda route: route.name,
)


def build() -> FastAPI:
    """The application of OpenAI's protocol, for all tenants."""
    app = documented_app("Footnote", __version__, _DESCRIPTION, error_media_type="application/json")
    app.state.created = int(time.time())
    install_failures(app, mapping.error_response)
    add_routes(app, router)
    return app


async def _readable(request: Request) -> frozenset[str]:
    readable: frozenset[str] = request.state.readable
    return readable


Readable = Annotated[frozenset[str], Depends(_readable)]


async def _engine_of(request: Request, readable: frozenset[str], model: str) -> TenantReader:
    if model not in readable:
        raise mapping.ModelNotFound(model, readable)
    return await readable_engine(request, model)


async def _answering_engine(request: Request, readable: Readable, asked: ChatRequest) -> TenantReader:
    return await _engine_of(request, readable, asked.model)


async def _embedding_engine(request: Request, readable: Readable, asked: EmbeddingsRequest) -> TenantReader:
    return await _engine_of(request, readable, asked.model)


@router.get("/models")
def models(request: Request, readable: Readable) -> ModelList:
    """The tenants that the key may ask."""
    return mapping.models(readable, request.app.state.created)


@router.get("/models/{model}")
def model(request: Request, readable: Readable, model: str) -> Model:
    """One of them."""
    if model not in readable:
        raise mapping.ModelNotFound(model, readable)
    return mapping.model(model, request.app.state.created)


@router.post(
    "/chat/completions",
    response_model=ChatCompletion,
    responses={200: _STREAMED, **error_responses(ErrorResponse, 413, 415, 429, 504)},
)
def chat_completions(
    request: Request,
    engine: Annotated[TenantReader, Depends(_answering_engine)],
    asked: ChatRequest,
    on_wait: RequireCaller,
) -> ChatCompletion | EventStream:
    """Answer the last question of a conversation, with footnotes; whole, or as it is written."""
    grant: Grant = request.state.grant
    question = replace(mapping.question(asked), caller=grant.caller())
    if not asked.stream:
        return mapping.completion(asked, engine.answer(question, on_wait=on_wait))
    events = mapping.Chunks(asked).of(engine.stream_answer(question))
    return EventStream(request, events, failure=None, end=_END)


@router.post("/embeddings", responses=error_responses(ErrorResponse, 413, 415, 429, 504))
def embeddings(engine: Annotated[TenantReader, Depends(_embedding_engine)], asked: EmbeddingsRequest) -> EmbeddingList:
    """Return unit vectors of texts, made by the tenant's embedding model; of a long text it reads the beginning."""
    length = engine.dimensions
    if asked.dimensions not in (None, length):
        raise InvalidRequest(Problem("dimensions", f"must be {length} or left out: the model's vectors have no other"))
    return embedding_list(asked, engine.embed(asked.input, as_questions=asked.input_type == "query"))
