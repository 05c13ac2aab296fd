"""The profile's section on conversations."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pipelines.profile.values import Number, Section, Whole


class HistorySection(Section):
    """Which earlier turns the language model gets."""

    max_tokens: Whole = Field(
        default=3000, ge=0, description="most tokens of earlier turns; beyond it the older ones are compressed"
    )
    compress: Literal["summary", "drop", "image"] = Field(
        default="summary",
        description="what happens to older turns: the model summarises them, they are dropped, or become images of "
        "decreasing resolution for a vision model",
    )


class ConversationsSection(Section):
    """Conversations: how long they are kept, and how follow-up questions are rewritten."""

    ttl_hours: Number = Field(
        default=168.0,
        ge=0,
        le=876_000,
        description="hours after its last turn until a conversation is deleted; 0: none is kept",
    )
    turns: Whole = Field(default=200, ge=1, description="most turns of a conversation; the oldest are dropped")
    rewrite: Literal["llm", "rule", "off"] = Field(
        default="llm",
        description="how a follow-up becomes a standalone question; without a language model, by the rule",
    )
    rewrite_timeout_s: Number = Field(default=10.0, gt=0, description="seconds until the rule replaces the model")
    history: HistorySection = Field(default_factory=HistorySection, description="earlier turns for the model")
