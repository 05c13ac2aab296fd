"""Language models behind an OpenAI-compatible interface, through LlamaIndex."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx

from pipelines.components.llm.base import Form, Piece, Request, chat_messages, stop_of
from pipelines.profile.sections.llm import LlmSection

_NO_KEY = "-"  # the transport sends the profile's, if it has one, and the client insists on some


def openai_pieces(section: LlmSection, transport: httpx.BaseTransport, request: Request) -> Iterator[Piece]:
    """The parts of an answer as they arrive; see `Pieces`."""
    import openai

    client = openai.OpenAI(
        api_key=_NO_KEY,
        base_url=section.base_url,
        max_retries=0,
        http_client=httpx.Client(transport=transport, base_url=section.base_url),
    )
    llm = _compatible()(
        model=section.model,
        api_key=_NO_KEY,
        api_base=section.base_url,
        temperature=section.temperature,
        max_tokens=request.max_tokens,
        max_retries=0,
        additional_kwargs={"stream_options": {"include_usage": True}},
        openai_client=client,
    )
    for response in llm.stream_chat(chat_messages(request.messages), **_format(request.json)):
        yield _piece(response.delta or "", response.raw)


@cache
def _compatible() -> Any:
    """LlamaIndex's class for any model: its own knows the names of OpenAI's alone."""
    from llama_index.core.base.llms.types import LLMMetadata
    from llama_index.llms.openai import OpenAI

    class Compatible(OpenAI):
        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata(model_name=self.model, is_chat_model=True, num_output=self.max_tokens or -1)

    return Compatible


def _format(json: Form) -> dict[str, Any]:
    if json is False:
        return {}
    if json is True:
        return {"response_format": {"type": "json_object"}}
    schema = {"name": "answer", "schema": dict(json), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _piece(text: str, raw: Any) -> Piece:
    reason = raw.choices[0].finish_reason if raw.choices else None
    usage = raw.usage
    return Piece(
        text,
        stop_of(reason) if reason else None,
        usage.prompt_tokens if usage else None,
        usage.completion_tokens if usage else None,
    )
