"""What was answered, what users say of it, and how prompt variants do; `pipelines.types` offers these values too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pipelines.types.hits import Span


@dataclass(frozen=True, slots=True)
class CitationMark:
    """What a user says of one citation of an answer: whether it says what the answer says."""

    number: int
    correct: bool
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class JudgedCitation:
    """A citation of an answer, by its span, and a user's feedback on it; ``correct`` is None if there is none."""

    number: int
    document_id: str
    version: int
    chunk_id: str
    span: Span
    correct: bool | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """What one user says of one answer, with what is remembered of that.

    ``user`` is who says it, if known. ``erased``: its comments went with a document that the answer was
    made of. ``follow_up``: the question was understood behind earlier ones, and may not stand alone. ``scope`` and
    ``filters`` are what it was asked with; for a key with a scope, the scope is the key's.
    """

    answer_id: str
    user: str | None
    helpful: bool | None
    comment: str | None
    citations: tuple[JudgedCitation, ...]
    erased: bool
    created_at: datetime
    updated_at: datetime
    question: str
    follow_up: bool
    filters: Mapping[str, Any] | None
    scope: Mapping[str, Any] | None
    conversation_id: str | None
    abstained: bool
    reason: str | None
    confidence: float
    model: str
    variant: str | None
    snapshot: int
    asked_by: str | None
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class FeedbackPage:
    """Some of the feedback, the newest first, and where the next page begins."""

    feedback: tuple[Feedback, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class FeedbackTotals:
    """How many answers are remembered, and the feedback on them: thumbs, and citations that were marked wrong."""

    answers: int = 0
    helpful: int = 0
    not_helpful: int = 0
    citations_wrong: int = 0


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, and the bounds of the 95 % interval of the share, in 0..1."""

    count: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float | None:
        """The share in 0..1; None where there is nothing to have a share of."""
        return self.count / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """A question that nobody judged an answer of, and how much a judgement would teach.

    ``worth`` is highest where the confidence is about .5, and grows with ``count``, how often it was asked.
    ``answer_id`` is the latest answer's, for feedback on it; ``confidence`` and ``abstained`` are that answer's.
    """

    question: str
    answer_id: str
    count: int
    confidence: float
    abstained: bool
    worth: float
    filters: Mapping[str, Any] | None
    scope: Mapping[str, Any] | None
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class VariantReport:
    """How the answers of one prompt variant did.

    ``confidence`` (0..1) is the mean and ``median_ms`` (milliseconds) the median over its answers; both are None where
    there is none. ``supported`` and ``unsupported`` are shares of the claims that were checked, without intervals,
    since the claims of one answer hang together; ``helpful`` is the share of the thumbs that point up.
    """

    name: str
    weight: float
    answers: int
    abstained: int
    degraded: int
    confidence: float | None
    claims: int
    supported: float | None
    unsupported: float | None
    helpful: Share
    median_ms: float | None


@dataclass(frozen=True, slots=True)
class Contrast:
    """How much more often answers of ``variant`` help than those of ``baseline``: difference of shares, with bounds.

    ``tells_apart``: chance alone would hardly make so large a difference. All three numbers are None where one of the
    two has no thumbs.
    """

    variant: str
    baseline: str
    difference: float | None
    low: float | None
    high: float | None
    tells_apart: bool


@dataclass(frozen=True, slots=True)
class Experiment:
    """How the profile's prompt variants do, in the profile's order, each but the first held against the first.

    ``left_out`` are answers of variants, or of words of their prompts, that the profile no longer has. ``verdict`` says
    in words what the figures allow to conclude.
    """

    variants: tuple[VariantReport, ...]
    contrasts: tuple[Contrast, ...]
    left_out: int
    keep_days: float
    verdict: tuple[str, ...] = field(default=())
