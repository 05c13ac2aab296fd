"""Language models, by provider."""

from __future__ import annotations

from pipelines.components.llm.base import Form, Reply, prompt_tokens, tokens_in
from pipelines.components.llm.gate import Gate
from pipelines.components.llm.model import Llm
from pipelines.components.llm.servers import Servers
from pipelines.events import Observe, ignore_event
from pipelines.profile.sections.llm import LlmSection
from pipelines.types import Message

__all__ = ["Form", "Llm", "Message", "Reply", "build_llm", "prompt_tokens", "tokens_in"]


def build_llm(section: LlmSection, observe: Observe = ignore_event) -> Llm:
    """Return the profile's language model; nothing is asked of its server before the first call."""
    gate = Gate(section.concurrency, section.queue, section.timeouts.queue_s)
    return Llm(section, gate, Servers(), observe)
