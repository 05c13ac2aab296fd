"""A help desk's API: `POST /ask` answers a question, `PUT /articles/{slug}` brings an article."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from app.http.contract import (
    ClosedBody,
    ContractEngine,
    ContractGrant,
    contract_app,
    contract_routes,
    error_responses,
    field_names,
    ingest_one,
)
from app.http.failures import Failure
from pipelines.profile.schema import Profile
from pipelines.types import Answer, DocumentInput


class Question(ClosedBody):
    """What a customer asks."""

    q: str = Field(min_length=1, examples=["How long is the warranty?"])


class Article(ClosedBody):
    """An article of the help desk."""

    title: str
    body: str


class Reference(BaseModel):
    """Where an answer comes from."""

    n: int
    article: str
    quote: str


class Reply(BaseModel):
    """An answer; ``known`` is false if the articles have none."""

    a: str
    known: bool
    references: list[Reference]


class Saved(BaseModel):
    """What became of an article."""

    article: str
    version: int


class Refusal(BaseModel):
    """Why a request was refused."""

    error: str


_ERRORS = error_responses(Refusal, 400, 401, 403, 404, 422, 429, 500, 503, 504)
reader = contract_routes("reader", _ERRORS)
writer = contract_routes("writer", _ERRORS)


def build(profile: Profile) -> FastAPI:
    """Return the help desk's application for a tenant."""
    app = contract_app(profile, "Answers of a help desk, with references to its articles.", _refusal)
    app.include_router(reader)
    app.include_router(writer)
    return app


@reader.post("/ask")
def ask(engine: ContractEngine, grant: ContractGrant, asked: Question) -> Reply:
    """Answer a question from the articles."""
    with field_names(question="q"):
        answer = engine.answer(asked.q, caller=grant.caller())
    return _reply(answer)


@writer.put("/articles/{slug}")
def save(engine: ContractEngine, slug: str, article: Article) -> Saved:
    """Save an article. What was there before becomes its former version."""
    document = DocumentInput(article.body, document_id=slug, title=article.title, media_type="text/markdown")
    saved = ingest_one(engine, document)
    return Saved(article=saved.document_id, version=saved.version)


def _reply(answer: Answer) -> Reply:
    references = [Reference(n=note.number, article=note.title, quote=note.quote) for note in answer.citations]
    return Reply(a=answer.text, known=not answer.abstained, references=references)


def _refusal(request: Request, failure: Failure) -> JSONResponse:
    return JSONResponse({"error": failure.detail}, failure.status, failure.headers)
