"""What the native API's shapes have in common."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.http.strict_json import text_flaw
from app.http.validation import StrictModel

Filters = dict[str, Any]
Inherit = Annotated[
    bool, Field(description="false: the documents of the scope's own place alone, without what it inherits")
]


def _storable(text: str) -> str:
    if flaw := text_flaw(text):
        raise ValueError(flaw)
    return text


# Parameters of an address, which no reader of JSON has looked through.
ParameterText = Annotated[str, AfterValidator(_storable)]
Snapshot = Annotated[
    int, Field(ge=0, lt=2**63, description="the snapshot to read, as answers name it; none: the newest")
]
Limit = Annotated[int, Field(ge=1, le=1000, description="most of them in the page")]
Cursor = Annotated[ParameterText, Field(description="`next_cursor` of the page before")]


ScopeText = Annotated[
    ParameterText, Field(description="a place in the hierarchy, as JSON text", examples=['{"suite": "fedsuite"}'])
]
Scope = Annotated[
    dict[str, Any],
    Field(description="the place in the profile's hierarchy that is looked from", examples=[{"suite": "fedsuite"}]),
]


class NoParameters(StrictModel):
    """Query parameters of a route that takes none."""


class WaitParameters(StrictModel):
    """Query parameters of what may be waited for."""

    wait: bool = Field(
        default=True, description="false, here or in the body: a job does the work, and is named at once"
    )


class Shape(BaseModel):
    """What is answered: filled from the core's values, whose attributes have the same names."""

    model_config = ConfigDict(from_attributes=True, json_schema_serialization_defaults_required=True, defer_build=True)
