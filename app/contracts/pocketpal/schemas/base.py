"""What the shapes of PocketPal's API share: camelCase keys, limits, and the error envelope."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from app.http.contract import ClosedBody, LenientBody, LimitedText
from app.http.validation import refuse_unknown_keys

MOST_RESULTS = 100
MOST_CHUNK = 8192
DocumentType = Annotated[Literal["pdf", "txt", "md", "web"], Field(examples=["md"])]
Path = Annotated[
    str, Field(min_length=1, max_length=4096, description="path of a file on the server", examples=["jobs.md"])
]
State = Literal["queued", "processing", "completed", "error"]
Share = Annotated[float, Field(ge=0, le=1)]
Query = Annotated[LimitedText, Field(examples=["How do I repair a tenant?"])]


class Body(LenientBody):
    """A request; unknown keys are refused with the nearest known one."""

    model_config = ConfigDict(alias_generator=to_camel, allow_inf_nan=False, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _refuses_unknown_keys(cls, value: Any) -> Any:
        if isinstance(value, dict) and cls.model_config.get("extra") != "allow":
            refuse_unknown_keys(value, [str(field.alias) for field in cls.model_fields.values()])
        return value


class ClosedPart(ClosedBody):
    """A part of a request that takes no other keys."""

    model_config = ConfigDict(alias_generator=to_camel, allow_inf_nan=False)


class Shape(BaseModel):
    """A response, or a part of one."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True)


class ErrorBody(Shape):
    """What went wrong."""

    code: str
    message: str
    details: dict[str, Any] | None = None
    timestamp: datetime
    request_id: str


class RAGError(Shape):
    """Any error."""

    error: ErrorBody
