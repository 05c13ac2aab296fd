"""The parts of OpenAI's schemas that answers with footnotes use."""

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
    """Return a field that may be absent or have its neutral value."""
    return Field(default=None, json_schema_extra={"enum": [*_HARMLESS[name], None]})


def _is_same(value: Any, other: Any) -> bool:
    """Return whether two values are the same in JSON, where 0 is not false."""
    return bool(value == other) and isinstance(value, bool) == isinstance(other, bool)


class TextPart(ContractBody):
    """A part of a message; images and sounds are refused."""

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
        """The text."""
        return "\n".join(part.text for part in self.content)


class StreamOptions(ContractBody):
    """Options of a stream."""

    include_usage: bool | None = False


class TenantFields(StrictBody):
    """Fields that OpenAI's protocol lacks, as in the body of the native `POST query`."""

    top_k: int | None = None
    filters: Filters | None = None
    scope: Scope | None = None
    inherit: Inherit = True
    as_of: Snapshot | None = None
    llm: LlmRequest | None = None


class ChatRequest(ContractBody):
    """A question, and the conversation before it."""

    model: str = Field(description="a tenant", examples=["smartbreeds"])
    # one error is enough; a body may hold hundreds of thousands
    messages: Annotated[list[ChatMessage], FailFast()] = Field(
        min_length=1,
        description="the user's last message is the question",
        examples=[[{"role": "user", "content": "How much exercise does a beagle need?"}]],
    )
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    footnote: TenantFields | None = Field(default=None, description="what to answer from", examples=[{"top_k": 5}])
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
            raise ValueError("cannot be followed here, where documents answer; leave it out")
        return value

    @field_validator("messages")
    @classmethod
    def _asks_something(cls, messages: list[ChatMessage]) -> list[ChatMessage]:
        if not any(message.role == "user" for message in messages):
            raise ValueError("must have one of the role user, which is the question")
        return messages


class _Answered(BaseModel):
    """A response; fields that are None are left out, as OpenAI does."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


def _is_none(value: Any) -> bool:
    return value is None


class Model(_Answered):
    """A tenant."""

    id: str
    object: Literal["model"] = "model"
    created: int = Field(description="start of service, in seconds since 1970")
    owned_by: Literal["footnote"] = "footnote"


class ModelList(_Answered):
    """The tenants that a key may ask."""

    object: Literal["list"] = "list"
    data: list[Model]


class Usage(_Answered):
    """Estimated numbers of tokens read and written."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class AnswerMessage(_Answered):
    """An answer: its text with a list of sources, and the native answer."""

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
    """The next part of an answer; the last one has the native answer."""

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
    """A part of a streamed answer."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: list[ChunkChoice]


class CountedChunk(ChatCompletionChunk):
    """A part of an answer whose usage is wanted: the last part, which has no choices, has it."""

    usage: Usage | None = None


class ErrorBody(_Answered):
    """An error: message, kind, parameter and a stable code."""

    message: str
    type: Literal[
        "invalid_request_error", "authentication_error", "permission_error", "rate_limit_error", "server_error"
    ]
    param: str | None
    code: str


class ErrorResponse(_Answered):
    """Any error."""

    error: ErrorBody
