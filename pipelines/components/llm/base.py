"""Requests to a language model and its replies, the same for every provider."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal

import httpx
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock

from pipelines.profile.sections.llm import LlmSection, OwnLlm
from pipelines.types import Message

AnyLlm = LlmSection | OwnLlm
Stop = Literal["end", "length", "filtered"]
Form = bool | Mapping[str, Any]
_PARTING = re.compile(
    r"<(?=[|\uff5c]|/?s>|(?:start|end)_of_turn>|[be]os>|</?SYS>>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])"
)
"""Where the signs begin that part messages: ChatML, Llama, Phi, gpt-oss, DeepSeek; Gemma; Llama 2, Mistral."""
_BYTES_PER_TOKEN = 4
_TOKENS_PER_MESSAGE = 4
_TOKENS_PER_IMAGE = 256


def part_of(section: AnyLlm) -> str:
    """Return what errors call a model."""
    return f"the language model ({section.provider}, {section.model})"


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply.

    ``stop`` says why it ended: by itself, at the token budget, or by the server's content filter. Token counts are the
    server's, None if it gives none.
    """

    text: str
    model: str
    stop: Stop
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One call: messages, most tokens of the answer, and whether it must be JSON (of a schema)."""

    messages: Sequence[Message]
    max_tokens: int
    json: Form = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an answer as it arrives; the last ones say how it ended and what it cost."""

    text: str = ""
    stop: Stop | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


Pieces = Callable[[Any, httpx.BaseTransport, Request], Iterator[Piece]]
"""A provider: makes a call over the given transport and gives the parts of the answer as they arrive."""


def tokens_in(text: str) -> int:
    """About how many tokens a text is: four bytes each, which is what English comes to, and more than code does."""
    return ceil(len(text.encode(errors="replace")) / _BYTES_PER_TOKEN)


def prompt_tokens(messages: Sequence[Message]) -> int:
    """About how many tokens a model reads of ``messages``."""
    text_tokens = sum(tokens_in(message.content) + _TOKENS_PER_MESSAGE for message in messages)
    return text_tokens + _TOKENS_PER_IMAGE * sum(len(message.images) for message in messages)


def chat_messages(messages: Sequence[Message]) -> list[ChatMessage]:
    """``messages`` as LlamaIndex has them.

    Servers read the signs that part messages, such as ``<|im_start|>``, wherever they stand: a document that holds
    them would speak as the system. What is not the profile's own has them parted by a blank of no width.
    """
    return [
        ChatMessage(
            role=message.role,
            blocks=[TextBlock(text=_parted(message)), *(ImageBlock(image=image) for image in message.images)],
        )
        for message in messages
    ]


def _parted(message: Message) -> str:
    return message.content if message.role == "system" else _PARTING.sub("\\g<0>\N{ZERO WIDTH SPACE}", message.content)


def stop_of(reason: str | None) -> Stop:
    """Return why an answer ended, from the word that servers have for it."""
    return {"length": "length", "content_filter": "filtered"}.get(reason or "", "end")  # type: ignore[return-value]
