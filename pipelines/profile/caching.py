"""What a profile says of answers that are given again."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pipelines.profile.values import Number, Section, Whole


class AnswerCacheSection(Section):
    """Answers that are given again to whoever asks the same, until the next change of the documents."""

    mode: Literal["off", "exact", "semantic"] = Field(
        default="off",
        description="`exact`: the same question, but for blanks, the first letter's case and signs at its end; "
        "`semantic`: also one of the same words in the plural, with polite phrases, or with a phrase moved",
    )
    similarity: Number = Field(
        default=0.9, ge=0, le=1, description="for `semantic`: least cosine of two questions that are the same"
    )
    entries: Whole = Field(default=1000, ge=1, description="most answers; the one that was not asked for longest goes")
    bytes: Whole = Field(default=50_000_000, ge=1, description="most memory that they take, about")
    seconds: Number = Field(default=3600.0, gt=0, description="how long an answer is given again")
