"""Shapes of feedback on answers, and of the report on prompt variants."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import FailFast, Field

from app.http.validation import StrictBody, StrictModel
from app.native.schemas.base import Cursor, Limit, ParameterText, Shape
from app.native.schemas.documents import SpanSchema
from pipelines.types import AbstainReason

_USER = "who it is, as the client knows them"


class CitationMarkRequest(StrictBody):
    """What a user says of one citation: whether what it quotes says what the answer says."""

    number: int = Field(description="the citation's number in the answer", examples=[1])
    correct: bool
    comment: str | None = None


class FeedbackRequest(StrictBody):
    """What a user says of an answer; at least one of `helpful`, `comment` and `citations`."""

    answer_id: str = Field(description="as the answer named it")
    helpful: bool | None = Field(default=None, description="a thumb up or down")
    comment: str | None = Field(default=None, description="at most 4000 characters", examples=["The dose is missing."])
    # hundreds of thousands may be wrong, and the first says enough
    citations: Annotated[list[CitationMarkRequest], FailFast()] = Field(default_factory=list)
    user: str | None = Field(default=None, min_length=1, max_length=200, description=_USER, examples=["u-17"])


class FeedbackListParameters(StrictModel):
    """Query parameters of the list of feedback."""

    limit: Limit = 50
    cursor: Cursor | None = None
    helpful: bool | None = Field(default=None, description="only thumbs up (true) or down (false)")


class WithdrawParameters(StrictModel):
    """Query parameters of feedback that is taken back."""

    user: Annotated[ParameterText, Field(min_length=1, max_length=200, description=_USER)] | None = None


class JudgedCitationSchema(Shape):
    """A citation of the answer, by its span, and the feedback on it; `correct` is null if there was none."""

    number: int
    document_id: str
    version: int
    chunk_id: str
    span: SpanSchema
    correct: bool | None
    comment: str | None


class FeedbackSchema(Shape):
    """What one user says of one answer, with what is remembered of the answer."""

    answer_id: str
    user: str | None = Field(description="who says it: the key's name, the user that was named, or both")
    helpful: bool | None
    comment: str | None
    citations: list[JudgedCitationSchema]
    erased: bool = Field(description="the comments went with a document that the answer was made of")
    created_at: datetime
    updated_at: datetime
    question: str
    follow_up: bool = Field(description="the question was understood behind earlier ones, and may not stand alone")
    filters: dict[str, Any] | None
    scope: dict[str, Any] | None
    conversation_id: str | None
    abstained: bool
    reason: AbstainReason | None
    confidence: float
    model: str
    variant: str | None
    snapshot: int
    asked_by: str | None
    answered_at: datetime


class FeedbackResponse(Shape):
    """A page of feedback, the newest first."""

    feedback: list[FeedbackSchema]
    next_cursor: str | None


class UnlabelledParameters(StrictModel):
    """Query parameters of the questions to judge next."""

    limit: Limit = 20


class UnlabelledSchema(Shape):
    """A question that nobody judged an answer of; its latest answer."""

    question: str
    answer_id: str
    count: int = Field(description="how often it was asked")
    confidence: float
    abstained: bool
    worth: float = Field(description="how much a judgement would teach: uncertain and frequent questions first")
    filters: dict[str, Any] | None
    scope: dict[str, Any] | None
    answered_at: datetime


class UnlabelledResponse(Shape):
    """Questions to judge next, the most useful first."""

    questions: list[UnlabelledSchema]


class WithdrawnResponse(Shape):
    """Of which answer feedback was taken back."""

    answer_id: str


class FeedbackTotalsSchema(Shape):
    """How many answers are remembered, and the feedback on them."""

    answers: int
    helpful: int
    not_helpful: int
    citations_wrong: int


class ShareSchema(Shape):
    """How many of how many, and the bounds of the 95 % interval of the share; `share` is null where nothing was."""

    count: int
    of: int
    share: float | None
    low: float
    high: float


class VariantSchema(Shape):
    """How the answers of one prompt variant did; shares of its claims, and of the thumbs on its answers."""

    name: str
    weight: float
    answers: int
    abstained: int
    degraded: int
    confidence: float | None = Field(description="the mean, 0..1")
    claims: int
    supported: float | None
    unsupported: float | None
    helpful: ShareSchema
    median_ms: float | None


class ContrastSchema(Shape):
    """How much more often answers of a variant help than the first variant's; null before both have thumbs."""

    variant: str
    baseline: str
    difference: float | None
    low: float | None
    high: float | None
    tells_apart: bool = Field(description="chance alone would hardly make so large a difference")


class ExperimentsResponse(Shape):
    """How the profile's prompt variants do."""

    variants: list[VariantSchema]
    contrasts: list[ContrastSchema]
    left_out: int = Field(description="answers of variants, or of words of their prompts, that the profile has no more")
    keep_days: float
    verdict: list[str]
