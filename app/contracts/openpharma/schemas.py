"""The shapes of OpenPharma's API, which its Python modules return too."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from app.http.claims import ClaimCheck
from app.http.contract import ClosedBody, LimitedCount, LimitedText
from pipelines.types import AnswerFormat

_FILTERS = Field(
    default=None,
    description="what the papers must be (publication_date, journal, authors, doi, source_id, topics), "
    "and the section that a chunk must stand in",
    examples=[{"publication_date": {"gte": "2020-01-01"}, "section": ["Results", "Conclusions"]}],
)


class SearchRequest(ClosedBody):
    """A search."""

    query: LimitedText = Field(examples=["cardiovascular outcomes of GLP-1 agonists"])
    top_k: LimitedCount = 10
    filters: dict[str, Any] | None = _FILTERS


class AskRequest(ClosedBody):
    """A question, perhaps a further one in a conversation."""

    query: LimitedText = Field(examples=["What are GLP-1 agonists used for in diabetes treatment?"])
    top_k: LimitedCount = 10
    llm_provider: str | None = Field(
        default=None, description="ollama or openai; none: the one that the profile names", examples=["ollama"]
    )
    conversation_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="of an earlier answer; none: a new conversation"
    )
    filters: dict[str, Any] | None = _FILTERS
    multi_step: bool | None = Field(
        default=None,
        description="true: look up the sub-questions of this question one by one; false: never; none: if it has "
        "several parts, as the profile says",
    )
    stream: bool = Field(default=False, description="answer with server-sent events")
    format: AnswerFormat | None = Field(
        default=None,
        description="json: the model writes JSON of a schema, which names the sources of each sentence and is checked; "
        "none: as the profile says",
    )


class SearchResult(BaseModel):
    """A chunk of a paper that was found."""

    chunk_id: str
    document_id: str
    section: str = Field(description="the heading that it stands under; empty if there is none")
    content: str
    similarity_score: float = Field(ge=0, le=1, description="higher is better")
    title: str
    source_id: str = Field(description="PMC id, its digits")
    authors: list[str] | None = None
    publication_date: str | None = None
    journal: str | None = None
    doi: str | None = None


class Citation(BaseModel):
    """A footnote of an answer."""

    number: int = Field(ge=1, description="as in [1]")
    title: str = Field(examples=['Smith et al. 2023, "GLP-1 Mechanisms"'])
    source_id: str = Field(description="PMC id, its digits")
    authors: list[str] | None = None
    publication_date: str | None = None
    chunk_id: str
    document_id: str
    quote: str = Field(description="what it rests on, verbatim")


class AnswerStep(BaseModel):
    """A sub-question of a question that was answered in steps."""

    question: str
    round: int = Field(ge=1, description="a later round asks about what an earlier one found")
    answer: str = Field(description="in words of the papers, empty where they don't answer")
    confidence: float = Field(ge=0, le=1)
    citations: list[int] = Field(description="numbers of the answer's citations whose chunks were found here")
    chunks_used: list[SearchResult]


class AnswerResult(BaseModel):
    """An answer with its citations."""

    query: str
    answer: str
    citations: list[Citation]
    chunks_used: list[SearchResult]
    llm_provider: str = Field(description="the provider that was asked for; `model` says who wrote")
    generation_time_ms: int = Field(ge=0)
    conversation_id: str
    rewritten_question: str | None = Field(description="what was searched for, where a follow-up was completed")
    model: str
    llm_generated: bool
    degraded: bool = Field(description="the language model was away, so that the answer is made of quotes")
    confidence: float = Field(ge=0, le=1)
    abstained: bool
    reason: str | None
    claims: list[ClaimCheck]
    steps: list[AnswerStep] = Field(description="sub-questions, where it was answered in steps")
    answer_id: str
    snapshot: int


class SearchResponse(BaseModel):
    """The chunks that were found, best first."""

    query: str
    results: list[SearchResult]


class SourcesEvent(BaseModel):
    """The first event of a stream: what the answer will be made of."""

    chunks_used: list[SearchResult]


class TokenEvent(BaseModel):
    """The next piece of the answer's text."""

    text: str


class ErrorProblem(BaseModel):
    """One thing that is wrong with a request."""

    path: str
    message: str
    suggestion: str | None


class ErrorResponse(BaseModel):
    """Any error."""

    detail: str
    code: str
    errors: list[ErrorProblem]
    request_id: str
