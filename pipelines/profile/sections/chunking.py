"""How documents are cut into chunks."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pipelines.profile.issues import ProfileIssue
from pipelines.profile.values import Number, Section, Whole, section_error

Unit = Literal["token", "character"]


class Chunking(Section):
    """How documents are cut into chunks."""

    splitter: Literal["sentence", "markdown", "character", "semantic", "hierarchical"] = Field(
        default="sentence",
        description="`markdown` never lets a chunk cross a heading; `character` counts characters; `semantic` cuts "
        "where the topic changes; `hierarchical` cuts chunks from larger pieces, see `parents` and the stage `parent`",
    )
    size: Whole = Field(
        default=192,
        ge=16,
        le=8192,
        description="most units in a chunk; behind the tokens that the embedding model reads (256 the bundled one), it "
        "is found by its words alone",
    )
    overlap: Whole = Field(
        default=64, ge=0, description="units that neighbours share; never across a heading, topic or parent"
    )
    unit: Unit = Field(default="token", description="tokens are the embedding model's")
    fill: Number = Field(
        default=0.5, ge=0.1, le=0.95, description="share of its size that a chunk must have to end at a sentence"
    )
    percentile: Number = Field(
        default=90.0, ge=0, le=99, description="for `semantic`: share of the sentence ends that are no change of topic"
    )
    parents: tuple[Annotated[Whole, Field(ge=32, le=65_536)], ...] = Field(
        default=(),
        description="for `hierarchical`: sizes of the larger pieces, the largest first; none: one, four times the size",
    )

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of all levels, the largest first; the last one is the chunks'."""
        if self.splitter != "hierarchical":
            return (self.size,)
        return (*(self.parents or (4 * self.size,)), self.size)

    @model_validator(mode="after")
    def _overlap_is_smaller_than_size(self) -> Self:
        if self.overlap * 2 > self.size:
            raise section_error(ProfileIssue(("overlap",), f"must be at most half of the size {self.size}"))
        return self

    @model_validator(mode="after")
    def _parents_are_larger_than_chunks(self) -> Self:
        if self.parents and self.splitter != "hierarchical":
            raise section_error(
                ProfileIssue(("parents",), f"are for the splitter hierarchical, not for {self.splitter}")
            )
        if misplaced := [index for index, (size, below) in enumerate(pairwise(self.sizes)) if size <= below]:
            raise section_error(
                *(
                    ProfileIssue(("parents", index), f"must be larger than the next level's {self.sizes[index + 1]}")
                    for index in misplaced
                )
            )
        return self
