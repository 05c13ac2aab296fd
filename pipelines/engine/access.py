"""What callers of a tenant can search, ask, and learn about its use."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Protocol

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from typing_extensions import Unpack

from pipelines.query.synthesizer import FootnoteSynthesizer
from pipelines.types import (
    OPERATOR,
    Answer,
    AnswerEvent,
    CacheUse,
    Caller,
    CitationMark,
    DocumentUse,
    Experiment,
    Explanation,
    Feedback,
    FeedbackPage,
    Query,
    QueryFields,
    SearchResult,
    Stats,
    Unlabelled,
    Usage,
)


class AnswerAccess(Protocol):
    """Searches and answers."""

    def search(self, query: str | Query, **fields: Unpack[QueryFields]) -> SearchResult:
        """Return the chunks that answer a query best; ``fields`` are those of `pipelines.types.Query`.

        Raises:
            InvalidRequest: The query is not what the profile allows, or its ``as_of`` is out of reach.
            InvalidFilter: Its ``filters`` name what the profile does not declare.
            InvalidScope: Its ``scope`` names no place of the hierarchy, or could mean several.
        """

    def answer(
        self, question: str | Query, *, on_wait: Callable[[], None] | None = None, **fields: Unpack[QueryFields]
    ) -> Answer:
        """Return an answer with its footnotes; see `stream_answer`.

        ``on_wait`` is called at least ten times a second while a language model writes. What it raises stops the
        model, and nothing of the turn is kept.
        """

    def answer_all(
        self,
        questions: Iterable[str | Query],
        *,
        on_wait: Callable[[], None] | None = None,
        **fields: Unpack[QueryFields],
    ) -> list[Answer]:
        """Return an answer to each question, in their order, without conversations and tools; see `stream_answer`.

        ``on_wait`` is called at least ten times a second until all are answered; what it raises stops them.
        """

    def stream_answer(self, question: str | Query, **fields: Unpack[QueryFields]) -> Generator[AnswerEvent, None, None]:
        """Return an answer as it is written: its sources, its text and footnotes, then the whole.

        The search is done when this returns, unless the profile has tools: then what is asked is decided while the
        answer is read. Close the generator to stop reading early: that stops the language model and the tools, and, as
        after a failure, nothing of the turn is kept in the conversation. A conversation that does not exist begins; the
        answer names it.

        Raises:
            InvalidRequest, InvalidFilter, InvalidScope: See `search`; or the profile does not allow the model.
            ConversationBusy: Another turn of the conversation is in progress.
            LlmUnavailable, LlmTimeout: While it is read: the model failed and the answer cannot fall back.
        """

    def standalone(
        self, question: str, earlier: Sequence[tuple[str, str]], *, llm: Mapping[str, str] | None = None
    ) -> str:
        """Return the question as it can be understood without the earlier questions and answers, the oldest first.

        Raises:
            InvalidRequest: The profile does not allow the model, or ``earlier`` is no list of pairs.
        """

    def explain(
        self,
        query: str | Query,
        *,
        document_id: str | None = None,
        chunk_id: str | None = None,
        **fields: Unpack[QueryFields],
    ) -> Explanation:
        """Return why `search` shows a document (its chunk that comes furthest) or one chunk, or does not.

        Raises:
            DocumentNotFound, ChunkNotFound: There is no such document or chunk, or it cannot be seen.
            InvalidRequest: As for `search`, or neither a document nor a chunk is named.
        """

    def embed(self, texts: Sequence[str], *, as_questions: bool = False) -> list[list[float]]:
        """Return the embedding model's unit vector for each text; a model may embed questions in another way.

        Raises:
            InvalidRequest: ``texts`` is no list of texts.
        """

    def retriever(self, query: Query | None = None, **fields: Unpack[QueryFields]) -> BaseRetriever:
        """Return the legs and their fusion as a LlamaIndex retriever.

        It returns the candidates that `postprocessors` read: ``top_k`` nodes if the profile has no reranker stages, and
        more if it has some. ``query`` and ``fields`` apply to every question.
        """

    def postprocessors(self) -> list[BaseNodePostprocessor]:
        """Return the profile's reranker stages, and the cut to its ``top_k``, as LlamaIndex's postprocessors."""

    def synthesizer(self, *, as_of: int | None = None, streaming: bool = False) -> FootnoteSynthesizer:
        """Return the answers from nodes as a LlamaIndex synthesizer; what it answers is logged like `answer`."""

    def query_engine(self, query: Query | None = None, **fields: Unpack[QueryFields]) -> RetrieverQueryEngine:
        """Return what `answer` runs as a LlamaIndex query engine; ``query`` and ``fields`` apply to every question."""


class UseAccess(Protocol):
    """Figures and feedback."""

    def stats(self) -> Stats:
        """Return how much can be seen; within a scope, ``bytes`` are those of the documents, without failed ones."""

    def usage(self, most: int = 10, caller: Caller = OPERATOR) -> Usage:
        """Return how ``caller``'s key uses the tenant, for an admin how all keys do.

        At most ``most`` documents and queries are listed, the most frequent first.
        """

    def uses_of(self, document_ids: Sequence[str] | None = None) -> dict[str, DocumentUse]:
        """Return how often and when documents, by default all, were among the hits; those never found are left out.

        Raises:
            InvalidRequest: ``document_ids`` is no list of ids.
        """

    def cache_use(self) -> CacheUse:
        """Return how often this process reused answers, and how many it keeps."""

    def feedback(
        self,
        answer_id: str,
        *,
        helpful: bool | None = None,
        comment: str | None = None,
        citations: Iterable[CitationMark | Mapping[str, Any]] = (),
        user: str | None = None,
    ) -> Feedback:
        """Record a user's feedback on an answer, replacing the same user's earlier one.

        This process does not reuse an answer that is not good.

        Args:
            answer_id: The answer.
            helpful: A thumb up or down.
            comment: In words.
            citations: Feedback on single citations: ``number``, ``correct`` and, in words, ``comment``.
            user: Who says it; those who are not named count as one.

        Raises:
            AnswerNotFound: No answer of this id was given to callers of this scope, or it is forgotten.
            InvalidRequest: Nothing is given, something is not of its form, the answer has no citation of a number, or
                the profile remembers no answers.
        """

    def withdraw_feedback(self, answer_id: str, *, user: str | None = None) -> None:
        """Withdraw a user's feedback on an answer.

        Raises:
            AnswerNotFound: See `feedback`.
            FeedbackNotFound: The user gave none.
        """

    def all_feedback(self, limit: int = 50, cursor: str | None = None, *, helpful: bool | None = None) -> FeedbackPage:
        """Return feedback, the newest first; ``cursor`` is the last page's ``next_cursor``.

        ``helpful`` selects thumbs up (True) or down (False).

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000, or ``cursor`` is not a cursor issued by this method.
        """

    def unlabelled(self, limit: int = 20) -> list[Unlabelled]:
        """Return questions to judge next: nobody judged their answers, and a judgement teaches most.

        Judge them with `feedback`. Judged questions become golden questions, which calibrate the confidence.

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000.
        """

    def experiments(self) -> Experiment:
        """Return how the answers with each of the profile's prompt variants did, and whether that could be chance.

        Answers count as long as they are remembered, and as long as their prompt has the same words.
        """
