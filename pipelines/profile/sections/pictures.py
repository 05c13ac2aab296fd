"""The profile's section on pictures in documents."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from pipelines.profile.issues import ProfileIssue
from pipelines.profile.values import Line, Section, Whole, section_error


class Pictures(Section):
    """Pictures in documents, and images as documents."""

    keep: bool = Field(default=False, description="keep the pictures of documents, so that footnotes show them")
    describe: Literal["off", "llm"] = Field(
        default="off",
        description="`llm`: the language model, which must be able to see, describes each picture in words that can be "
        "found",
    )
    prompt: Line | None = Field(default=None, description="what the model is asked for; none: a default")
    description_tokens: Whole = Field(default=300, ge=32, le=4096, description="most tokens of a description")
    read_text: bool = Field(default=True, description="with `ocr`, the words in a picture can be found, too")
    most: Whole = Field(default=200, ge=1, le=5000, description="most pictures of a document that are kept")
    least_side: Whole = Field(
        default=64, ge=1, le=4096, description="pixels of the shorter side; smaller pictures are decoration"
    )

    @model_validator(mode="after")
    def _describes_what_is_kept(self) -> Self:
        if self.describe != "off" and not self.keep:
            raise section_error(ProfileIssue(("describe",), "needs the pictures: set keep to true"))
        return self
