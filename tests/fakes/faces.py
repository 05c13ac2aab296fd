"""The forms in which a language model's server gives an answer: Ollama's two, as lines of JSON, and OpenAI's events.

Sources: Ollama's docs/api.md (POST /api/chat, /api/generate), OpenAI's API reference (POST /v1/chat/completions).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

_NS_PER_TOKEN = 1_000_000
_LOAD_NS = 5_000_000


@dataclass
class Figures:
    """What an answer cost: tokens of the prompt, those of them that the cache held, and tokens of the answer."""

    prompt: int = 0
    cached: int = 0
    answer: int = 0
    reason: str = "stop"


class Face(Protocol):
    """One of the forms."""

    media_type: str
    streamed: str  # the media type of a stream

    def piece(self, token: str, thinking: bool = False) -> str: ...
    def last(self, figures: Figures) -> str: ...
    def whole(self, text: str, thoughts: str, figures: Figures) -> Any: ...
    def fault(self, message: str) -> Any: ...
    def broken_line(self, message: str) -> str: ...


@dataclass
class OllamaFace:
    """Ollama's: a line of JSON for each token, and a last one with the figures."""

    model: str
    chat: bool
    media_type: str = "application/json"
    streamed: str = "application/x-ndjson"

    def piece(self, token: str, thinking: bool = False) -> str:
        return json.dumps(self._line(token, thinking) | {"done": False}) + "\n"

    def last(self, figures: Figures) -> str:
        return json.dumps(self._line("") | _ollama_figures(figures)) + "\n"

    def whole(self, text: str, thoughts: str, figures: Figures) -> Any:
        line = self._line(text)
        if thoughts:
            (line["message"] if self.chat else line)["thinking"] = thoughts
        return line | _ollama_figures(figures)

    def done(self, reason: str) -> Any:
        """The answer to a request that says nothing: the model was loaded or unloaded."""
        return self._line("") | {"done": True, "done_reason": reason}

    def fault(self, message: str) -> Any:
        return {"error": message}

    def broken_line(self, message: str) -> str:
        return json.dumps({"error": message}) + "\n"

    def _line(self, text: str, thinking: bool = False) -> dict[str, Any]:
        head = {"model": self.model, "created_at": datetime.now(UTC).isoformat().replace("+00:00", "Z")}
        if not self.chat:
            return head | ({"response": "", "thinking": text} if thinking else {"response": text})
        words = {"content": "", "thinking": text} if thinking else {"content": text}
        return head | {"message": {"role": "assistant", **words}}


def _ollama_figures(figures: Figures) -> dict[str, Any]:
    prompt_ns = (figures.prompt - figures.cached) * _NS_PER_TOKEN
    answer_ns = figures.answer * _NS_PER_TOKEN
    return {
        "done": True,
        "done_reason": figures.reason,
        "total_duration": _LOAD_NS + prompt_ns + answer_ns,
        "load_duration": _LOAD_NS,
        "prompt_eval_count": figures.prompt,
        "prompt_eval_duration": prompt_ns,
        "eval_count": figures.answer,
        "eval_duration": answer_ns,
    }


@dataclass
class OpenAIFace:
    """OpenAI's: server-sent events, a last one with the figures where they were asked for, and ``[DONE]``."""

    model: str
    with_usage: bool
    media_type: str = "application/json"
    streamed: str = "text/event-stream"
    first: bool = field(default=True, init=False)

    def piece(self, token: str, thinking: bool = False) -> str:
        delta: dict[str, Any] = {"reasoning_content" if thinking else "content": token}
        if self.first:
            delta, self.first = {"role": "assistant", **delta}, False
        return self._event([{"index": 0, "delta": delta, "finish_reason": None}])

    def last(self, figures: Figures) -> str:
        ended = self._event([{"index": 0, "delta": {}, "finish_reason": figures.reason}])
        usage = self._event([], usage=_usage(figures)) if self.with_usage else ""
        return f"{ended}{usage}data: [DONE]\n\n"

    def whole(self, text: str, thoughts: str, figures: Figures) -> Any:
        message = {"role": "assistant", "content": text} | ({"reasoning_content": thoughts} if thoughts else {})
        choice = {"index": 0, "message": message, "finish_reason": figures.reason}
        return self._head("chat.completion") | {"choices": [choice], "usage": _usage(figures)}

    def fault(self, message: str) -> Any:
        return {"error": {"message": message, "type": "api_error", "param": None, "code": None}}

    def broken_line(self, message: str) -> str:
        return f"data: {json.dumps(self.fault(message))}\n\n"

    def _event(self, choices: list[Any], **more: Any) -> str:
        return f"data: {json.dumps(self._head('chat.completion.chunk') | {'choices': choices, **more})}\n\n"

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": self.model}


def _usage(figures: Figures) -> dict[str, Any]:
    return {
        "prompt_tokens": figures.prompt,
        "completion_tokens": figures.answer,
        "total_tokens": figures.prompt + figures.answer,
        "prompt_tokens_details": {"cached_tokens": figures.cached},
    }
