"""Language models served by Ollama, through LlamaIndex."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx

from pipelines.components.llm.base import Form, Piece, Request, chat_messages, stop_of
from pipelines.profile.sections.llm import LlmSection, OllamaLlm


def ollama_pieces(section: LlmSection, transport: httpx.BaseTransport, request: Request) -> Iterator[Piece]:
    """The parts of an answer as they arrive; see `Pieces`."""
    from llama_index.llms.ollama import Ollama
    from ollama import Client

    assert isinstance(section, OllamaLlm)
    llm = Ollama(
        model=section.model,
        base_url=section.base_url,
        temperature=section.temperature,
        context_window=section.context_tokens,
        keep_alive=section.keep_alive,
        thinking=section.think,
        additional_kwargs={"num_predict": request.max_tokens},
        client=Client(host=section.base_url, transport=transport),
    )
    for response in llm.stream_chat(chat_messages(request.messages), **_format(request.json)):
        yield _piece(response.delta or "", response.raw)


def _format(json: Form) -> dict[str, Any]:
    if json is False:
        return {}
    return {"format": "json" if json is True else dict(json)}


def _piece(text: str, raw: Any) -> Piece:
    if not raw.get("done"):
        return Piece(text)
    return Piece(text, stop_of(raw.get("done_reason")), raw.get("prompt_eval_count"), raw.get("eval_count"))
