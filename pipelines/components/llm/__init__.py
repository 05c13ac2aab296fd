"""Language models, by provider."""

from __future__ import annotations

from typing import Any

from llama_index.core.llms import LLM

from pipelines.components.llm.backends import SERVED, Backend, OwnBackend, ServerBackend
from pipelines.components.llm.base import AnyLlm, Form, Reply, prompt_tokens, tokens_in
from pipelines.components.llm.gate import Gate
from pipelines.components.llm.model import Llm
from pipelines.events import Observe, ignore_event
from pipelines.profile.sections.llm import LlmSection, OwnLlm
from pipelines.types import Message

__all__ = ["Form", "Llm", "Message", "Reply", "build_llm", "own_section", "prompt_tokens", "tokens_in"]

_LIMITS = ("max_tokens", "context_tokens", "concurrency", "queue", "fallback")


def build_llm(section: AnyLlm, observe: Observe = ignore_event, own: LLM | None = None) -> Llm:
    """Return the tenant's language model; nothing is asked of its server before the first call.

    ``own`` is called in place of a server.
    """
    gate = Gate(section.concurrency, section.queue, section.timeouts.queue_s)
    backends: dict[str, Backend] = dict.fromkeys(SERVED, ServerBackend())
    if own is not None:
        backends[section.provider] = OwnBackend(own)
    return Llm(section, gate, backends, observe)


def own_section(model: LLM, section: LlmSection | None) -> OwnLlm:
    """Return the section of a model of the caller's own, with the limits of the profile's, if it has one."""
    about = model.metadata
    room = max(about.context_window, 256)
    limits: dict[str, Any] = {"context_tokens": room, "max_tokens": min(max(about.num_output, 1), room // 2)}
    if section is not None:
        limits = {name: getattr(section, name) for name in ("timeouts", *_LIMITS)}
    name = about.model_name if about.model_name != "unknown" else model.class_name()
    return OwnLlm(model=name, **limits)
