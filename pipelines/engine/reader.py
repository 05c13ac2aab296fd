"""The methods that a whole tenant and one within a scope share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from typing_extensions import Unpack, override

from pipelines.engine.asking.conversations import Conversations
from pipelines.engine.asking.vision import Vision
from pipelines.engine.reading import ReadingParts
from pipelines.engine.tenant import TenantReader
from pipelines.engine.upkeep.knowledge import file_named
from pipelines.engine.upkeep.settings import TenantSettings
from pipelines.engine.upkeep.storage import Storage
from pipelines.errors import CatalogueClosed
from pipelines.ingestion.pipeline import Report
from pipelines.ingestion.sources import selected_documents
from pipelines.profile.schema import Profile
from pipelines.query.kinds import checked_questions, checked_texts
from pipelines.query.synthesizer import FootnoteSynthesizer
from pipelines.types import (
    OPERATOR,
    Answer,
    AnswerEvent,
    Block,
    CacheUse,
    Caller,
    CitationMark,
    Document,
    DocumentInput,
    DocumentPage,
    DocumentState,
    DocumentUse,
    Experiment,
    Explanation,
    Facets,
    Feedback,
    FeedbackPage,
    Hit,
    IngestResult,
    Metadata,
    PageImage,
    Picture,
    Query,
    QueryFields,
    Readiness,
    SearchResult,
    Selection,
    Span,
    Stats,
    Unlabelled,
    Usage,
    VersionInfo,
    as_query,
)


class Reader(TenantReader):
    """The methods that engines share, whatever their view; each asks one part.

    Args:
        reading: The parts.
    """

    def __init__(self, reading: ReadingParts) -> None:
        self._reading = reading

    @override
    def __repr__(self) -> str:
        scope = f", {dict(self.scope)}" if self.scope else ""
        closed = ", closed" if self._reading.view.indexes.is_closed else ""
        return f"{type(self).__name__}({self.tenant!r}{scope}{closed})"

    @property
    @override
    def profile(self) -> Profile:
        return self._reading.view.profile

    @property
    @override
    def tenant(self) -> str:
        return self._reading.view.profile.tenant

    @property
    @override
    def dimensions(self) -> int:
        return self._reading.view.indexes.embedder.dimensions

    @property
    @override
    def conversations(self) -> Conversations:
        return self._reading.conversations

    @property
    @override
    def storage(self) -> Storage:
        return self._reading.storage

    @property
    @override
    def settings(self) -> TenantSettings:
        return self._reading.settings

    @property
    @override
    def vision(self) -> Vision:
        return self._reading.vision

    @override
    def search(self, query: str | Query, **fields: Unpack[QueryFields]) -> SearchResult:
        return self._reading.search.search(as_query(query, fields))

    @override
    def answer(
        self, question: str | Query, *, on_wait: Callable[[], None] | None = None, **fields: Unpack[QueryFields]
    ) -> Answer:
        return self._reading.answers.answer(as_query(question, fields), on_wait)

    @override
    def answer_all(
        self,
        questions: Iterable[str | Query],
        *,
        on_wait: Callable[[], None] | None = None,
        **fields: Unpack[QueryFields],
    ) -> list[Answer]:
        checked_questions(questions)
        return self._reading.answers.answer_all([as_query(question, fields) for question in questions], on_wait)

    @override
    def stream_answer(self, question: str | Query, **fields: Unpack[QueryFields]) -> Generator[AnswerEvent, None, None]:
        return self._reading.answers.stream(as_query(question, fields))

    @override
    def standalone(
        self, question: str, earlier: Sequence[tuple[str, str]], *, llm: Mapping[str, str] | None = None
    ) -> str:
        return self._reading.answers.standalone(question, earlier, llm)

    @override
    def explain(
        self,
        query: str | Query,
        *,
        document_id: str | None = None,
        chunk_id: str | None = None,
        **fields: Unpack[QueryFields],
    ) -> Explanation:
        return self._reading.explanations.explain(as_query(query, fields), document_id=document_id, chunk_id=chunk_id)

    @override
    def embed(self, texts: Sequence[str], *, as_questions: bool = False) -> list[list[float]]:
        checked_texts("texts", texts)
        indexes = self._reading.view.indexes
        if indexes.is_closed:  # the model alone would still answer
            raise CatalogueClosed
        embedder = indexes.embedder
        vectors = embedder.question_vectors(texts) if as_questions else embedder.vectors(texts)
        return [[float(number) for number in vector] for vector in vectors]

    @override
    def retriever(self, query: Query | None = None, **fields: Unpack[QueryFields]) -> BaseRetriever:
        return self._reading.search.retriever(as_query(query or "", fields))

    @override
    def postprocessors(self) -> list[BaseNodePostprocessor]:
        return self._reading.search.postprocessors()

    @override
    def synthesizer(self, *, as_of: int | None = None, streaming: bool = False) -> FootnoteSynthesizer:
        return self._reading.answers.synthesizer(as_of, streaming=streaming)

    @override
    def query_engine(self, query: Query | None = None, **fields: Unpack[QueryFields]) -> RetrieverQueryEngine:
        return self._reading.answers.query_engine(as_query(query or "", fields))

    @override
    def documents(
        self,
        limit: int = 50,
        cursor: str | None = None,
        *,
        state: DocumentState | None = None,
        **selection: Unpack[Selection],
    ) -> DocumentPage:
        return self._reading.documents.page(limit, cursor, state=state, **selection)

    @override
    def facets(self, *, limit: int = 100, **selection: Unpack[Selection]) -> Facets:
        return self._reading.documents.facets(limit=limit, **selection)

    @override
    def known_value(self, field: str, wording: str, beside: Collection[str] = ()) -> str:
        return self._reading.documents.known_value(field, wording, beside)

    @override
    def sources_of(self, metadata: Mapping[str, str | None], part: str = "") -> dict[str, str]:
        return self._reading.documents.sources_of(metadata, part)

    @override
    def described(self, offered: DocumentInput) -> Metadata:
        return self._reading.documents.described(offered)

    @override
    def document(self, document_id: str) -> Document:
        return self._reading.documents.document(document_id)

    @override
    def versions(self, document_id: str) -> tuple[VersionInfo, ...]:
        return self._reading.documents.versions(document_id)

    @override
    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        return self._reading.documents.content(document_id, version, as_of)

    @override
    def blocks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Block, ...]:
        return self._reading.documents.blocks(document_id, version, as_of)

    @override
    def chunks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Hit, ...]:
        return self._reading.documents.chunks(document_id, version, as_of)

    @override
    def page_image(
        self, document_id: str, page: int, version: int | None = None, span: Span | None = None
    ) -> PageImage:
        return self._reading.documents.page_image(document_id, page, version, span)

    @override
    def picture(self, document_id: str, number: int, version: int | None = None) -> Picture:
        return self._reading.documents.picture(document_id, number, version)

    @override
    def created_between(self, start: datetime | None, end: datetime | None) -> list[str]:
        return self._reading.documents.created_between(start, end)

    @override
    def named_file(self, path: str, also: Sequence[Path] = (), *, missing: bool = False) -> tuple[Path, str]:
        return file_named(self._reading.loaded, path, also, missing=missing)

    @override
    def stats(self) -> Stats:
        return self._reading.statistics.stats()

    @override
    def usage(self, most: int = 10, caller: Caller = OPERATOR) -> Usage:
        return self._reading.usage.usage(most, caller)

    @override
    def uses_of(self, document_ids: Sequence[str] | None = None) -> dict[str, DocumentUse]:
        return self._reading.usage.uses_of(document_ids)

    @override
    def cache_use(self) -> CacheUse:
        return self._reading.usage.cache_use()

    @override
    def feedback(
        self,
        answer_id: str,
        *,
        helpful: bool | None = None,
        comment: str | None = None,
        citations: Iterable[CitationMark | Mapping[str, Any]] = (),
        user: str | None = None,
    ) -> Feedback:
        return self._reading.feedback.give(answer_id, helpful=helpful, comment=comment, citations=citations, user=user)

    @override
    def withdraw_feedback(self, answer_id: str, *, user: str | None = None) -> None:
        self._reading.feedback.withdraw(answer_id, user=user)

    @override
    def all_feedback(self, limit: int = 50, cursor: str | None = None, *, helpful: bool | None = None) -> FeedbackPage:
        return self._reading.feedback.page(limit, cursor, helpful=helpful)

    @override
    def unlabelled(self, limit: int = 20) -> list[Unlabelled]:
        return self._reading.feedback.unlabelled(limit)

    @override
    def experiments(self) -> Experiment:
        return self._reading.feedback.experiments()

    @override
    def check_ready(self) -> None:
        self._reading.health.check()

    @override
    def check_catalogue(self) -> None:
        self._reading.health.check_catalogue()

    @override
    def readiness(self) -> Readiness:
        return self._reading.health.readiness()

    @override
    def ingest_path(
        self, path: str | Path, metadata: Metadata | None = None, progress: Report | None = None
    ) -> list[IngestResult]:
        documents, _ = selected_documents(Path(path), metadata or {}, self.profile.knowledge)
        return self.ingest(documents, progress)
