"""What a profile says of conversations: how long they are kept, and what a turn knows of those before it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pipelines.profile.values import Number, Section, Whole


class HistorySection(Section):
    """What the language model is given of earlier turns."""

    max_tokens: Whole = Field(
        default=3000, ge=0, description="most tokens of earlier turns; beyond it the older ones are compressed"
    )
    compress: Literal["summary", "drop", "image"] = Field(
        default="summary",
        description="what becomes of older turns: the model sums them up, they are left out, or they become images of "
        "falling resolution for a model that sees",
    )


class ConversationsSection(Section):
    """Conversations: how long they are kept, and how a follow-up becomes a question of its own."""

    ttl_hours: Number = Field(
        default=168.0,
        ge=0,
        le=876_000,
        description="hours after its last turn until a conversation goes; 0: none is kept",
    )
    turns: Whole = Field(default=200, ge=1, description="most turns of a conversation; the oldest go")
    rewrite: Literal["llm", "rule", "off"] = Field(
        default="llm",
        description="how a follow-up becomes a question of its own; where no language model does it, the rule does",
    )
    rewrite_timeout_s: Number = Field(
        default=10.0, gt=0, description="seconds until the model is given up and the rule goes instead"
    )
    history: HistorySection = Field(default_factory=HistorySection, description="earlier turns for the model")
