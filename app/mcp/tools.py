"""The tools: what each is asked, what it does with a tenant, and what it tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from app.http.validation import validated
from app.mcp.schemas import AnswerArguments, AnswerTold, DocumentArguments, DocumentTold, ListArguments, SearchArguments
from app.native.schemas.documents import DocumentSchema, DocumentsResponse
from app.native.schemas.search import QueryResponse, SearchResponse

Asked = TypeVar("Asked", bound=BaseModel)


class Tenant(Protocol):
    """What is asked of a tenant, whether this process or a server holds it."""

    def search(self, query: str, *args: Any, **asked: Any) -> SearchResponse:
        """Hits."""

    def answer(self, question: str, *args: Any, **asked: Any) -> QueryResponse:
        """An answer."""

    def documents(self, limit: int, *args: Any, **among: Any) -> DocumentsResponse:
        """A page of documents."""

    def document(self, document_id: str) -> DocumentSchema:
        """A document."""

    def content(self, document_id: str, version: int | None = None) -> str:
        """The text of a version."""


@dataclass(frozen=True)
class Offer(Generic[Asked]):
    """A tool that is offered.

    Attributes:
        name: Its name.
        title: The same for people.
        description: When to use it, for a language model.
        asked: The shape of its arguments.
        told: The shape of its result.
        does: What it does.
    """

    name: str
    title: str
    description: str
    asked: type[Asked]
    told: type[BaseModel]
    does: Callable[[Tenant, Asked], BaseModel]

    def call(self, tenant: Tenant, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a call, as JSON has it.

        Raises:
            MalformedRequest: The arguments are not of the shape.
            FootnoteError: As the tenant.
        """
        return self.does(tenant, validated(self.asked, dict(arguments))).model_dump(mode="json")


def _search(tenant: Tenant, asked: SearchArguments) -> SearchResponse:
    return tenant.search(**asked.model_dump())


def _answer(tenant: Tenant, asked: AnswerArguments) -> AnswerTold:
    return AnswerTold.model_validate(tenant.answer(**asked.model_dump()))


def _documents(tenant: Tenant, asked: ListArguments) -> DocumentsResponse:
    return tenant.documents(**asked.model_dump())


def _document(tenant: Tenant, asked: DocumentArguments) -> DocumentTold:
    found = tenant.document(asked.document_id)
    version = asked.version or found.version
    text = tenant.content(asked.document_id, version)
    part = text[asked.start : asked.start + asked.characters]
    end = asked.start + len(part)
    known = {**found.model_dump(), "version": version}
    return DocumentTold(**known, content=part, start=asked.start, end=end, characters=len(text))


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
            AnswerTold,
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
            DocumentTold,
            _document,
        ),
    )
}
"""The tools by name."""
