"""The profile's section on cached answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pipelines.profile.values import Number, Section, Whole


class AnswerCacheSection(Section):
    """Cached answers for repeated questions, until the documents change."""

    mode: Literal["off", "exact", "semantic"] = Field(
        default="off",
        description="`exact`: the same question, ignoring spaces, the first letter's case and punctuation at its end; "
        "`semantic`: also the same words in the plural, with polite phrases, or in another order",
    )
    similarity: Number = Field(
        default=0.9, ge=0, le=1, description="for `semantic`: least cosine of two questions that count as the same"
    )
    entries: Whole = Field(
        default=1000, ge=1, description="most cached answers; the least recently used one is dropped"
    )
    bytes: Whole = Field(default=50_000_000, ge=1, description="approximate memory limit, bytes")
    seconds: Number = Field(default=3600.0, gt=0, description="how long an answer stays cached")
