"""The shapes of OpenAI's protocol, as far as answers with footnotes have a use for them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, ValidationInfo, field_validator

from app.http.contract import ContractBody
from app.http.validation import StrictBody
from app.native.schemas.base import Filters, Inherit, Scope, Snapshot
from app.native.schemas.search import LlmRequest, QueryResponse

_HARMLESS: dict[str, tuple[Any, ...]] = {
    "n": (1,),
    "tools": ([],),
    "functions": ([],),
    "response_format": ({"type": "text"},),
    "logprobs": (False,),
    "modalities": (["text"],),
    "audio": (),
}


def _only(name: str) -> Any:
    """A field that may be left out, or have a value that changes nothing."""
    return Field(default=None, json_schema_extra={"enum": [*_HARMLESS[name], None]})


def _is_same(value: Any, other: Any) -> bool:
    """Whether two values are the same in JSON, where 0 is not false."""
    return bool(value == other) and isinstance(value, bool) == isinstance(other, bool)


class TextPart(ContractBody):
    """A part of a message; images and sounds are no questions that documents answer."""

    type: Literal["text"]
    text: str


def _parts(content: Any) -> Any:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if content is not None and not isinstance(content, list):
        raise ValueError("must be a text, or a list of parts")
    return content or []


class ChatMessage(ContractBody):
    """A message of a conversation."""

    role: Literal["system", "developer", "user", "assistant"]
    content: Annotated[list[TextPart], BeforeValidator(_parts, json_schema_input_type=str | list[TextPart] | None)] = (
        Field(default_factory=list)
    )

    @property
    def text(self) -> str:
        """What it says."""
        return "\n".join(part.text for part in self.content)


class StreamOptions(ContractBody):
    """What a stream says beside the answer."""

    include_usage: bool | None = False


class Among(StrictBody):
    """What OpenAI's protocol has no words for: as in the body of the native `POST query`."""

    top_k: int | None = None
    filters: Filters | None = None
    scope: Scope | None = None
    inherit: Inherit = True
    as_of: Snapshot | None = None
    llm: LlmRequest | None = None


class ChatRequest(ContractBody):
    """A question, and the conversation before it."""

    model: str = Field(description="a tenant", examples=["smartbreeds"])
    # hundreds of thousands may be wrong, and the first says enough
    messages: Annotated[list[ChatMessage], FailFast()] = Field(
        min_length=1,
        description="the last one of a user is the question",
        examples=[[{"role": "user", "content": "How much exercise does a beagle need?"}]],
    )
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    footnote: Among | None = Field(default=None, description="what is answered from", examples=[{"top_k": 5}])
    n: Any = _only("n")
    tools: Any = _only("tools")
    functions: Any = _only("functions")
    response_format: Any = _only("response_format")
    logprobs: Any = _only("logprobs")
    modalities: Any = _only("modalities")
    audio: Any = _only("audio")

    @field_validator(*_HARMLESS)
    @classmethod
    def _can_be_followed(cls, value: Any, info: ValidationInfo) -> Any:
        if value is not None and not any(_is_same(value, harmless) for harmless in _HARMLESS[str(info.field_name)]):
            raise ValueError("cannot be followed here, where documents are asked; leave it out")
        return value

    @field_validator("messages")
    @classmethod
    def _asks_something(cls, messages: list[ChatMessage]) -> list[ChatMessage]:
        if not any(message.role == "user" for message in messages):
            raise ValueError("must have one of the role user, which is the question")
        return messages


class _Answered(BaseModel):
    """What is answered; what is None here is left out of it, where OpenAI leaves it out."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


def _is_none(value: Any) -> bool:
    return value is None


class Model(_Answered):
    """A tenant."""

    id: str
    object: Literal["model"] = "model"
    created: int = Field(description="when it began to be served, in seconds since 1970")
    owned_by: Literal["footnote"] = "footnote"


class ModelList(_Answered):
    """The tenants that a key may ask."""

    object: Literal["list"] = "list"
    data: list[Model]


class Usage(_Answered):
    """About how many tokens were read and written."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class AnswerMessage(_Answered):
    """An answer: its text with a list of its footnotes, and all that is known of it."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None
    footnote: QueryResponse


FinishReason = Literal["stop", "length"]


class Choice(_Answered):
    """The answer."""

    index: Literal[0] = 0
    message: AnswerMessage
    logprobs: None = None
    finish_reason: FinishReason


class ChatCompletion(_Answered):
    """The answer to a question."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: Usage


class Delta(_Answered):
    """What comes next of an answer; the last one has all that is known of it."""

    role: Literal["assistant"] | None = Field(default=None, exclude_if=_is_none)
    content: str | None = Field(default=None, exclude_if=_is_none)
    footnote: QueryResponse | None = Field(default=None, exclude_if=_is_none)


class ChunkChoice(_Answered):
    """A part of the answer."""

    index: Literal[0] = 0
    delta: Delta
    logprobs: None = None
    finish_reason: FinishReason | None = None


class ChatCompletionChunk(_Answered):
    """A part of a streamed answer; one without choices has the usage."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: list[ChunkChoice]
    usage: Usage | None = Field(default=None, exclude_if=_is_none)


class ErrorBody(_Answered):
    """What went wrong: in words, its kind, the parameter that is to blame, and a stable code."""

    message: str
    type: Literal[
        "invalid_request_error", "authentication_error", "permission_error", "rate_limit_error", "server_error"
    ]
    param: str | None
    code: str


class ErrorResponse(_Answered):
    """Any error."""

    error: ErrorBody
