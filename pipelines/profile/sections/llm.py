"""The profile's section on the language model, and the models that a request may choose instead."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, SecretStr, TypeAdapter, model_validator

from pipelines.profile.issues import ProfileIssue
from pipelines.profile.values import Address, KeepAlive, Line, Number, OptionalSecret, Section, Whole, section_error

BY_MODEL = ("title", "summary", "keywords", "questions")
"""The extractors that need a language model."""
Provider = Literal["ollama", "openai"]


class LlmChoice(Section):
    """A model that a request may choose; other settings are the section's."""

    provider: Provider = Field(description="provider of the model")
    model: Line = Field(description="name of the model on the server")
    base_url: Address | None = Field(
        default=None, description="where the server answers; none: the section's, or the provider's own"
    )
    api_key: OptionalSecret = Field(
        default=SecretStr(""), description="written only as ${NAME}; the section's goes to the section's server alone"
    )


class LlmTimeouts(Section):
    """When a call of the language model is given up."""

    call_s: Number = Field(default=120.0, gt=0, description="seconds for a whole call, from its first request")
    connect_s: Number = Field(default=5.0, gt=0, description="seconds until a server counts as not there")
    token_s: Number = Field(
        default=30.0, gt=0, description="seconds between two tokens; the first one has the time of the whole call"
    )
    queue_s: Number = Field(default=30.0, gt=0, description="seconds that a call may wait for its turn")
    decision_s: Number = Field(
        default=10.0,
        gt=0,
        description="seconds for a small decision before the answer: rewriting a follow-up, splitting a question, "
        "choosing tools; after that a rule decides",
    )


class LlmBase(Section):
    """Keys of every language model."""

    model: Line = Field(description="name of the model on the server")
    api_key: OptionalSecret = Field(default=SecretStr(""), description="written only as ${NAME}")
    allowed: tuple[LlmChoice, ...] = Field(default=(), description="other models that a request may choose")
    temperature: Number = Field(default=0.1, ge=0, le=2, description="0: the same answer every time")
    max_tokens: Whole = Field(default=1024, ge=1, le=131_072, description="most tokens of an answer")
    context_tokens: Whole = Field(
        default=8192, ge=256, le=2_097_152, description="context length of the model, tokens of prompt and answer"
    )
    timeouts: LlmTimeouts = Field(default_factory=LlmTimeouts, description="when a call is given up")
    concurrency: Whole = Field(default=4, ge=1, le=1024, description="concurrent calls; others wait")
    queue: Whole = Field(default=16, ge=0, le=100_000, description="calls that may wait; further ones are refused")
    fallback: Literal["extractive", "error"] = Field(
        default="extractive", description="what happens when the model does not answer"
    )

    @model_validator(mode="after")
    def _an_answer_leaves_room_for_its_prompt(self) -> Self:
        if self.max_tokens >= self.context_tokens:
            text = f"leaves no room for a prompt: context_tokens is {self.context_tokens}"
            raise section_error(ProfileIssue(("max_tokens",), text))
        return self


class OllamaLlm(LlmBase):
    """A language model served by Ollama."""

    provider: Literal["ollama"]
    base_url: Address = Field(default="http://127.0.0.1:11434", description="where the server answers")
    keep_alive: KeepAlive = Field(default=-1, description="how long the model stays loaded; -1: for good")
    think: bool = Field(default=False, description="let a reasoning model think before it answers")


class OpenAILlm(LlmBase):
    """A language model behind an OpenAI-compatible interface."""

    provider: Literal["openai"]
    base_url: Address = Field(default="https://api.openai.com/v1", description="root of the interface")


class OwnLlm(LlmBase):
    """A LlamaIndex model of the caller's own, with the limits of a profile's section; no profile names it."""

    provider: str = "own"


LlmSection = Annotated[OllamaLlm | OpenAILlm, Field(discriminator="provider")]
_SECTION: TypeAdapter[LlmSection] = TypeAdapter(LlmSection)


def llm_choices(section: LlmSection | OwnLlm) -> tuple[LlmSection | OwnLlm, ...]:
    """Return the sections of all models that a request may choose, the profile's own first."""
    return (section, *(_chosen(section, choice) for choice in section.allowed))


def _chosen(section: LlmSection | OwnLlm, choice: LlmChoice) -> LlmSection:
    values: dict[str, Any] = {name: getattr(section, name) for name in LlmBase.model_fields}
    if choice.provider == section.provider:
        values = {name: getattr(section, name) for name in type(section).model_fields}
    if choice.provider != section.provider or choice.base_url is not None:
        values |= {"api_key": choice.api_key}  # a key is sent only to the server it was given for
        values.pop("base_url", None)
    values |= {"provider": choice.provider, "model": choice.model, "allowed": ()}
    given = {"base_url": choice.base_url} if choice.base_url is not None else {}
    if choice.api_key.get_secret_value():
        given |= {"api_key": choice.api_key}  # type: ignore[dict-item]
    return _SECTION.validate_python(values | given)
