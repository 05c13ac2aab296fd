"""Shapes of searches and answers."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from app.http.validation import StrictBody
from app.native.schemas.base import Filters, Inherit, Scope, Shape, Snapshot
from app.native.schemas.documents import ChunkSchema, PictureSchema, SpanSchema, place_picture
from pipelines.types import AbstainReason, AnswerFormat, Mode, StepsUse, Verdict

ConversationId = Annotated[
    str, Field(description="conversation to continue: 1 to 200 printable characters", examples=["c-1"])
]
User = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$", examples=["u-17"])]
"""Who asks, as the client knows them."""


class SearchRequest(StrictBody):
    """What to search for."""

    query: str = Field(examples=["How much exercise does a Border Collie need?"])
    top_k: int | None = Field(default=None, description="most results; none: as the profile says")
    filters: Filters | None = Field(default=None, examples=[{"species": "dog"}])
    scope: Scope | None = None
    inherit: Inherit = True
    mode: Mode | None = Field(default=None, description="legs that are asked; none: as the profile says")
    min_score: float = Field(default=0.0, ge=0, le=1, description="results below it are left out")
    as_of: Snapshot | None = None
    conversation_id: ConversationId | None = None
    user: User | None = Field(default=None, description="the user whose conversation it is")


class LlmRequest(StrictBody):
    """Which language model is to answer, of those that the profile allows."""

    provider: str | None = Field(
        default=None, description="none: the provider that serves the model, or the profile's own"
    )
    model: str | None = Field(default=None, description="none: the first of the provider's")


class QueryRequest(StrictBody):
    """What to answer."""

    question: str = Field(examples=["How much exercise does a Border Collie need?"])
    top_k: int | None = Field(default=None, description="sources to answer from; none: as the profile says")
    filters: Filters | None = Field(default=None, examples=[{"species": "dog"}])
    scope: Scope | None = None
    inherit: Inherit = True
    as_of: Snapshot | None = None
    stream: bool = Field(default=False, description="answer in server-sent events, as the text is written")
    llm: LlmRequest | None = Field(default=None, description="none: the profile's own")
    conversation_id: ConversationId | None = Field(
        default=None, description="the conversation that this is a turn of; an unknown id starts one, none: a new one"
    )
    keep_conversation: bool = Field(
        default=True, description="false: it is a turn of no conversation, and takes no `conversation_id`"
    )
    user: User | None = Field(
        default=None,
        description="who asks, as the client knows them: owns the conversation, together with the key, and gets the "
        "same prompt variant in new conversations",
    )
    tools: bool = Field(default=True, description="false: from the documents alone, where the profile has tools")
    format: AnswerFormat | None = Field(
        default=None, description="what the language model writes: text, or checked JSON; none: as the profile says"
    )
    steps: StepsUse | None = Field(
        default=None, description="which questions are split into sub-questions; none: as the profile says"
    )

    @field_validator("keep_conversation")
    @classmethod
    def _fit_the_conversation(cls, keeps: bool, info: ValidationInfo) -> bool:
        if not keeps and info.data.get("conversation_id") is not None:
            raise ValueError("must be true where conversation_id names one to continue")
        return keeps


class LegScoreSchema(Shape):
    """What one leg or stage gave a chunk, in its own unit."""

    rank: int
    score: float


class HitSchema(ChunkSchema):
    """A chunk that answers a search."""

    score: float = Field(ge=0, le=1)
    scores: dict[str, LegScoreSchema]


class SearchResponse(Shape):
    """The hits of a search, best first."""

    results: list[HitSchema] = Field(validation_alias="hits")
    snapshot: int
    took_ms: float
    rewritten_question: str | None = Field(
        default=None, description="what was looked for, where the query was a follow-up or had a slip"
    )


class CitationSchema(Shape):
    """A footnote: ``quote`` is verbatim the text of ``span`` in that version.

    A ``version`` of 0 is no document's but a tool's result: ``span`` counts in the ``output`` of the one of the
    answer's ``tools`` whose ``source`` is this ``document_id``.
    """

    number: int
    document_id: str
    version: int
    chunk_id: str
    title: str
    source: str
    quote: str
    span: SpanSchema
    page: int | None
    page_label: str | None = Field(
        default=None, description="what is printed on the page, where that is known; of a recording its time"
    )
    headings: list[str]
    line: int | None = Field(
        default=None, description="the line of the file, from 1, where the quoted block begins, if the file has lines"
    )
    picture: PictureSchema | None = Field(
        default=None, description="the picture that the quote stands for, where pictures are kept"
    )

    @model_validator(mode="after")
    def _place_picture(self) -> Self:
        if self.picture is not None:
            place_picture(self.picture, self.document_id, self.version)
        return self


class EvidenceSchema(Shape):
    """A passage that a claim was held against: ``quote`` is verbatim the text of ``span`` in that version."""

    document_id: str
    version: int
    chunk_id: str
    span: SpanSchema
    quote: str


class ClaimSchema(Shape):
    """One sentence of an answer, and what the checks say of it."""

    text: str
    citations: list[int]
    verdict: Verdict
    withheld: bool = Field(description="left out of the answer's text, since nothing supports it")
    checks: dict[str, Any]
    evidence: list[EvidenceSchema] = Field(description="the best passage of each source that it cites")


class ToolSchema(Shape):
    """A call of a tool for an answer, or why none could be made."""

    name: str = Field(
        description="`SERVER/TOOL`; of a server that is away its name alone, `router` where nothing was decided"
    )
    arguments: dict[str, Any]
    ms: float
    error: str | None = Field(description="why it failed")
    source: str | None = Field(description="the `document_id` of the sources and citations that are its")
    output: str = Field(description="its result; their spans count here")
    cut: bool = Field(description="the result was longer; the rest was left off")


class StepSchema(Shape):
    """A sub-question of a question that was answered in steps."""

    question: str
    round: int = Field(ge=1, description="a later round asks about what an earlier one found")
    text: str = Field(description="what the documents say, empty where they don't answer")
    confidence: float = Field(ge=0, le=1)
    citations: list[int] = Field(description="the answer's citations whose chunks were found here")
    sources: list[HitSchema]


class QueryResponse(Shape):
    """An answer with its footnotes."""

    answer: str = Field(validation_alias="text")
    answer_id: str
    abstained: bool
    reason: AbstainReason | None
    confidence: float = Field(ge=0, le=1)
    citations: list[CitationSchema]
    claims: list[ClaimSchema]
    sources: list[HitSchema]
    model: str
    llm_generated: bool
    degraded: bool
    conversation_id: str | None = None
    rewritten_question: str | None = Field(
        default=None, description="what was looked for, where the question was a follow-up or had a slip"
    )
    snapshot: int
    timings_ms: dict[str, float]
    truncated: bool = Field(default=False, description="the model was cut off, so that the end is missing")
    removed_citations: list[int] = Field(
        default_factory=list, description="numbers that the model cited and that no source has"
    )
    variant: str | None = Field(
        default=None, description="the prompt that the model was asked with, where the profile has several"
    )
    tools: list[ToolSchema] = Field(default_factory=list, description="tools that were asked beside the documents")
    cached: bool = Field(
        default=False, description="it was given to the same question before, and the documents are as they were"
    )
    steps: list[StepSchema] = Field(default_factory=list, description="sub-questions, where it was answered in steps")


class ToolsSchema(Shape):
    """The event ``tools``, if tools were called: which, and their results."""

    tools: list[ToolSchema]


class SourcesSchema(Shape):
    """The event ``sources``: what the answer will be made of."""

    sources: list[HitSchema]


class TokenSchema(Shape):
    """The event ``token``: the next part of the text."""

    text: str


AnswerPart = ToolsSchema | StepSchema | SourcesSchema | TokenSchema | CitationSchema | QueryResponse
"""What an event of an answer holds."""
ANSWER_PARTS: dict[str, type[AnswerPart]] = {
    "tools": ToolsSchema,
    "step": StepSchema,
    "sources": SourcesSchema,
    "token": TokenSchema,
    "citation": CitationSchema,
    "done": QueryResponse,
}
