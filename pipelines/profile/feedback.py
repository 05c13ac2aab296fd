"""The profile's sections on prompt variants and feedback."""

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
    """One of several prompts in an experiment."""

    name: Annotated[str, AfterValidator(_variant_name)] = Field(description="its name in answers and reports")
    prompt: OptionalPath = Field(
        default=None, description="file of its prompt, relative to the profile; none: that of the section answer"
    )
    weight: Number = Field(
        default=1.0,
        ge=0,
        le=1_000_000,
        description="its share of the users, relative to the other weights; 0: only conversations that already use it",
    )


class FeedbackSection(Section):
    """How long answers are remembered, so that users can give feedback."""

    keep_days: Number = Field(
        default=90.0,
        ge=0,
        le=36_500,
        description="days for which answers (without text) and feedback are kept; 0: nothing is kept",
    )
