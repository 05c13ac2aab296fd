"""The profile's language model as LlamaIndex's."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.callbacks import CallbackManager
from llama_index.core.llms import CustomLLM

from pipelines.components.llm.model import Llm
from pipelines.types import Message


class FootnoteLLM(CustomLLM):
    """Completes prompts with a tenant's language model, under the profile's limits and in its queue."""

    _llm: Llm = PrivateAttr()

    def __init__(self, llm: Llm) -> None:
        super().__init__(callback_manager=CallbackManager())
        self._llm = llm

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex writes it down."""
        return "FootnoteLLM"

    @property
    def metadata(self) -> LLMMetadata:
        """The model's name, and the tokens that a prompt may have."""
        return LLMMetadata(model_name=self._llm.name, context_window=self._llm.room)

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        """Complete ``prompt``.

        Raises:
            LlmUnavailable: The model does not answer.
            LlmTimeout: It is too slow.
        """
        return CompletionResponse(text=self._llm.complete([Message("user", prompt)]).text)

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:
        """Complete ``prompt`` piece by piece; see `complete`."""
        return self._streamed(prompt)

    def _streamed(self, prompt: str) -> CompletionResponseGen:
        text = ""
        for piece in self._llm.stream([Message("user", prompt)]):
            text += piece
            yield CompletionResponse(text=text, delta=piece)
