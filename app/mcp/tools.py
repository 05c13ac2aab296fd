"""The tools: their arguments, work and results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from app.http.validation import validated
from app.mcp.schemas import (
    AnswerArguments,
    AnswerContent,
    DocumentArguments,
    DocumentContent,
    ListArguments,
    SearchArguments,
)
from app.native.client import TenantClient
from app.native.requests import query_of
from app.native.schemas.documents import DocumentsResponse
from app.native.schemas.search import SearchResponse

Asked = TypeVar("Asked", bound=BaseModel)


@dataclass(frozen=True)
class Offer(Generic[Asked]):
    """A tool that is offered.

    Attributes:
        name: Its name.
        title: The same for people.
        description: When to use it, for a language model.
        asked: The shape of its arguments.
        result: The shape of its result.
        does: What it does.
    """

    name: str
    title: str
    description: str
    asked: type[Asked]
    result: type[BaseModel]
    does: Callable[[TenantClient, Asked], BaseModel]

    def call(self, tenant: TenantClient, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a call as JSON values.

        Raises:
            MalformedRequest: The arguments are not of the shape.
            FootnoteError: As the tenant.
        """
        return self.does(tenant, validated(self.asked, dict(arguments))).model_dump(mode="json")


def _search(tenant: TenantClient, asked: SearchArguments) -> SearchResponse:
    return tenant.search(query_of(asked.query, asked))


def _answer(tenant: TenantClient, asked: AnswerArguments) -> AnswerContent:
    alone = replace(query_of(asked.question, asked), history=())  # no call could go on with a conversation
    return AnswerContent.model_validate(tenant.answer(alone))


def _documents(tenant: TenantClient, asked: ListArguments) -> DocumentsResponse:
    return tenant.documents(**asked.model_dump())


def _document(tenant: TenantClient, asked: DocumentArguments) -> DocumentContent:
    found = tenant.document(asked.document_id)
    version = asked.version or found.version
    text = tenant.content(asked.document_id, version) if version else ""  # it failed, and its `reason` says why
    part = text[asked.start : asked.start + asked.characters]
    end = asked.start + len(part)
    known = {**found.model_dump(), "version": version}
    return DocumentContent(**known, content=part, start=asked.start, end=end, characters=len(text))


OFFERS: Mapping[str, Offer[Any]] = {
    offer.name: offer
    for offer in (
        Offer(
            "search",
            "Search",
            "Find the passages that answer a query, best first, each with its document, version and span.",
            SearchArguments,
            SearchResponse,
            _search,
        ),
        Offer(
            "answer",
            "Answer",
            "Answer a question from the documents, with footnotes whose quotes are verbatim; says so where they do not "
            "tell.",
            AnswerArguments,
            AnswerContent,
            _answer,
        ),
        Offer(
            "list_documents",
            "List documents",
            "List the documents with their metadata, page by page.",
            ListArguments,
            DocumentsResponse,
            _documents,
        ),
        Offer(
            "get_document",
            "Read a document",
            "Read a document's metadata and its text, whole or in parts; spans of citations count in this text.",
            DocumentArguments,
            DocumentContent,
            _document,
        ),
    )
}
"""The tools by name."""
