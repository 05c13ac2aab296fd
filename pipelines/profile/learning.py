"""What a profile says of learning from use: prompts tried against each other, and what is kept for feedback."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from pipelines.profile.values import Number, OptionalPath, Section


def _variant_name(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9_.-]{0,63}", value):
        raise ValueError("must be at most 64 lower-case letters, digits and _ . -, beginning with a letter or a digit")
    return value


class PromptVariant(Section):
    """One of several prompts that are tried against each other."""

    name: Annotated[str, AfterValidator(_variant_name)] = Field(description="what answers and reports call it")
    prompt: OptionalPath = Field(
        default=None, description="file of its prompt, relative to the profile; none: that of the section answer"
    )
    weight: Number = Field(
        default=1.0,
        ge=0,
        le=1_000_000,
        description="its share of those who ask, beside the weights of the others; 0: only the conversations it has",
    )


class FeedbackSection(Section):
    """What is remembered of answers, so that feedback can be given on them."""

    keep_days: Number = Field(
        default=90.0,
        ge=0,
        le=36_500,
        description="days for which answers are remembered without their text, and the feedback on them; 0: nothing is",
    )
