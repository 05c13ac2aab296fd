"""The reranker stages of a profile; ``type`` chooses the kind."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pipelines.profile.values import Device, Identifier, Line, Number, Section, Whole

SECTION = "section"
"""As a field of `FieldBoostStage`: the headings above a chunk, unless a field of that name is declared."""


class MmrStage(Section):
    """Diversity: maximal marginal relevance, by the stored vectors."""

    type: Literal["mmr"]
    depth: Whole = Field(default=50, ge=1, le=1000, description="candidates read")
    diversity: Number = Field(default=0.2, ge=0, le=1, description="0 keeps the order, 1 weighs novelty alone")


class CrossEncoderStage(Section):
    """A model that reads the question and a chunk together."""

    type: Literal["cross_encoder"]
    model: Line = Field(
        description="a name of `footnote models list`, a folder beside the profile (on onnx where it holds an .onnx "
        "file), or a hub name (torch)"
    )
    device: Device = Field(default="auto", description="what computes; see `embedding -> device`")
    depth: Whole = Field(default=20, ge=1, le=1000, description="candidates read")
    weight: Number | None = Field(
        default=None,
        gt=0,
        le=10,
        description="gain of the candidate that the model finds best; the score before lies in 0..1. None: the model "
        "alone decides the order",
    )


class LlmStage(Section):
    """The language model orders the candidates."""

    type: Literal["llm"]
    depth: Whole = Field(default=10, ge=1, le=100, description="candidates read")
    passage_tokens: Whole = Field(default=200, ge=16, le=8192, description="tokens of each candidate in the prompt")


class RecencyStage(Section):
    """Newer documents first: half the weight for each half-life that one is older than the newest candidate."""

    type: Literal["recency"]
    depth: Whole = Field(default=50, ge=1, le=1000, description="candidates read")
    field: Identifier = Field(description="a datetime field; documents without it keep the weight 1")
    half_life_days: Number = Field(default=365.0, gt=0, description="days of age that halve the weight")


class FieldBoostStage(Section):
    """Weights by the value of a field, or by section."""

    type: Literal["field_boost"]
    depth: Whole = Field(default=50, ge=1, le=1000, description="candidates read")
    field: Identifier = Field(
        description="a keyword field; for the headings above a chunk, a field with `source: headings`, or "
        "`section` if none is declared"
    )
    weights: dict[str, Annotated[Number, Field(ge=0)]] = Field(
        min_length=1,
        description="weight by value, at least 0; others have 1, and of several values the largest weight counts",
    )


def boosts_sections(stage: FieldBoostStage, source: str | None) -> bool:
    """Return whether a boost is by section; ``source`` is that of the declared field, None where none is declared."""
    return stage.field == SECTION if source is None else source == "headings"


class LateInteractionStage(Section):
    """Late interaction: compares the words of question and chunk by the model's token vectors (onnx)."""

    type: Literal["late_interaction"]
    depth: Whole = Field(default=20, ge=1, le=1000, description="candidates read")
    weight: Number = Field(default=0.5, gt=0, le=10, description="gain of the best candidate; fused scores lie in 0..1")
    store: bool = Field(
        default=True,
        description="store the vectors, 15 KB per chunk (existing documents: run `reembed`); "
        "`false` computes them for each question, in some tenths of a second",
    )


class ParentStage(Section):
    """Small-to-big: finds small chunks, returns more text around them; best as the last stage."""

    type: Literal["parent"]
    method: Literal["merge", "window"] | None = Field(
        default=None,
        description="`merge` returns a parent if enough of it was found (splitter `hierarchical`), `window` the "
        "sentences around each chunk; none: `merge` if there are parents",
    )
    depth: Whole = Field(default=10, ge=1, le=1000, description="candidates that are merged or widened")
    share: Number = Field(
        default=0.3, gt=0, le=1, description="for `merge`: share of a parent that the candidates must cover together"
    )
    sentences: Whole = Field(default=2, ge=1, le=20, description="for `window`: sentences added on either side")


class BalanceStage(Section):
    """Balanced retrieval: the values of a field take turns, so that one kind of document does not fill the list."""

    type: Literal["balance"]
    field: Identifier = Field(description="declared keyword field")
    depth: Whole = Field(default=50, ge=1, le=1000, description="candidates read")
    values: tuple[Line, ...] = Field(
        default=(), description="values that are looked up by vectors where no candidate has them; none: no look-up"
    )
    each: Whole = Field(default=2, ge=1, le=20, description="most hits of such a value")
    least: Number = Field(
        default=0.6, ge=0, le=1, description="share of the best score that a hit must have to take a turn"
    )


RerankStage = Annotated[
    MmrStage
    | CrossEncoderStage
    | LlmStage
    | RecencyStage
    | FieldBoostStage
    | LateInteractionStage
    | ParentStage
    | BalanceStage,
    Field(discriminator="type"),
]
