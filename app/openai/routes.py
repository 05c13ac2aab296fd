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
from app.http.routing import AnyTenantRoute, readable_engine
from app.http.security import KEY_SCHEMES
from app.http.streaming import EventStream
from app.openai import mapping
from app.openai.schemas import ChatCompletion, ChatRequest, ErrorResponse, Model, ModelList
from pipelines import TenantReader

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
    dependencies=KEY_SCHEMES,
    responses=error_responses(ErrorResponse, 400, 401, 404, 421, 500, 503),
    generate_unique_id_function=lambda route: route.name,
)


def build() -> FastAPI:
    """The application of OpenAI's protocol, for all tenants."""
    app = documented_app("Footnote", __version__, _DESCRIPTION, error_media_type="application/json")
    app.state.created = int(time.time())
    install_failures(app, mapping.error_response)
    app.include_router(router)
    return app


async def _readable(request: Request) -> frozenset[str]:
    readable: frozenset[str] = request.state.readable
    return readable


Readable = Annotated[frozenset[str], Depends(_readable)]


async def _model_engine(request: Request, readable: Readable, asked: ChatRequest) -> TenantReader:
    if asked.model not in readable:
        raise mapping.ModelNotFound(asked.model, readable)
    return readable_engine(request, asked.model)


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
    responses={200: _STREAMED, **error_responses(ErrorResponse, 413, 429, 504)},
)
def chat_completions(
    request: Request,
    engine: Annotated[TenantReader, Depends(_model_engine)],
    asked: ChatRequest,
    meanwhile: RequireCaller,
) -> ChatCompletion | EventStream:
    """Answer the last question of a conversation, with footnotes; whole, or as it is written."""
    grant: Grant = request.state.grant
    question = replace(mapping.question(asked), caller=grant.caller())
    if not asked.stream:
        return mapping.completion(asked, engine.answer(question, meanwhile=meanwhile))
    events = mapping.Chunks(asked).of(engine.stream_answer(question))
    return EventStream(request, events, failure=None, end=_END)
