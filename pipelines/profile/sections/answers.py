"""How answers are made, cached, remembered and continued."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from pipelines.profile.issues import ProfileIssue
from pipelines.profile.values import (
    Device,
    Line,
    Number,
    OptionalPath,
    Section,
    Whole,
    duplicate_positions,
    section_error,
)


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
    bytes: Whole = Field(
        default=50_000_000,
        ge=1,
        description="approximate memory limit, bytes; beyond it the least recently used answers are dropped",
    )
    seconds: Number = Field(default=3600.0, gt=0, description="how long an answer stays cached")


class ConfidenceScale(Section):
    """How the calibration's logit becomes this tenant's: ``intercept + slope * logit``."""

    intercept: Number = Field(default=0.0, ge=-100, le=100, description="added to the logit of every confidence")
    slope: Number = Field(default=1.0, gt=0, le=100, description="over 1, confidences move towards 0 and 1")


class StepsSection(Section):
    """Questions that are split into sub-questions, each with a search of its own."""

    use: Literal["never", "complex", "always"] = Field(
        default="never",
        description="`complex`: questions of several parts are split, by the language model if there is one, else by "
        "a rule; `always`: the model is asked about every question",
    )
    most: Whole = Field(default=4, ge=2, le=10, description="most sub-questions of a question")
    rounds: Whole = Field(
        default=2, ge=1, le=5, description="most rounds; a later one may ask about what an earlier one found"
    )


class AnswerSection(Section):
    """How an answer is made from the hits."""

    prompt: OptionalPath = Field(default=None, description="file of the prompt, relative to the profile")
    variants: tuple[PromptVariant, ...] = Field(
        default=(), description="prompt variants to compare; see `footnote experiments`"
    )
    max_context_tokens: Whole = Field(default=3000, ge=100, description="most tokens of context for the model")
    format: Literal["text", "json"] = Field(
        default="text",
        description="format of the model's answer: `json` is validated against a schema, and not streamed",
    )
    verify: bool = Field(default=True, description="check each claim against its citations")
    unsupported: Literal["annotate", "strike", "withhold"] = Field(
        default="withhold",
        description="what happens to a claim that its citations do not support: it keeps its verdict, is struck "
        "through (~~), or is left out",
    )
    guard: Literal["all", "model", "none"] = Field(
        default="all",
        description="text in which images, links and HTML tags lose the characters that make them work: of every "
        "answer, of answers that a language model wrote, of none; quotes of citations stay verbatim",
    )
    nli: Line | None = Field(
        default=None, description="additional entailment model for claims: a folder (ONNX or torch) or a hub name"
    )
    chooser: Line | None = Field(
        default=None,
        description="cross-encoder that selects extracts: a name of `footnote models`; none: vectors select",
    )
    checker: Line | None = Field(
        default=None,
        description="cross-encoder that reads what is shown beside the question, for the confidence, where a `chooser` "
        "selected it: a name of `footnote models`",
    )
    device: Device = Field(
        default="auto", description="what computes `chooser`, `checker` and `nli`; see `embedding -> device`"
    )
    sentences: Whole = Field(default=2, ge=1, le=20, description="most extracts of an answer without a language model")
    abstain_below: Number = Field(
        default=0.3,
        ge=0,
        le=1,
        description="least confidence of an answer; below it, the question counts as unanswered; 0: always answer",
    )
    calibration: OptionalPath = Field(
        default=None, description="file written by `footnote calibrate`, relative to the profile; none: the shipped one"
    )
    scale: ConfidenceScale = Field(
        default_factory=ConfidenceScale,
        description="adapts the calibration to the tenant; `footnote calibrate --scale` prints it",
    )
    steps: StepsSection = Field(default_factory=StepsSection, description="questions of several parts")
    cache: AnswerCacheSection = Field(default_factory=AnswerCacheSection, description="cached answers")

    @model_validator(mode="after")
    def _variants_differ(self) -> Self:
        if repeated := duplicate_positions(tuple(variant.name for variant in self.variants)):
            raise section_error(
                *(ProfileIssue(("variants", index, "name"), "another variant has this name") for index in repeated)
            )
        if self.variants and not any(variant.weight for variant in self.variants):
            raise section_error(ProfileIssue(("variants",), "must have a variant with a weight over 0"))
        return self


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
    turns: Whole = Field(
        default=200, ge=1, le=1_000_000, description="most turns of a conversation; the oldest are dropped"
    )
    rewrite: Literal["llm", "rule", "off"] = Field(
        default="llm",
        description="how a follow-up becomes a standalone question; without a language model, by the rule",
    )
    history: HistorySection = Field(default_factory=HistorySection, description="earlier turns for the model")


class FeedbackSection(Section):
    """How long answers are remembered, so that users can give feedback."""

    keep_days: Number = Field(
        default=90.0,
        ge=0,
        le=36_500,
        description="days for which answers (without text) and feedback are kept; 0: nothing is kept",
    )
