"""Models that profiles name: the embedding ``letters``, the language model ``first_source``, the extractor ``years``.

They are as small as such models can be. Put your own LlamaIndex objects in their places.
"""

import re
from collections.abc import Sequence
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.extractors import BaseExtractor
from llama_index.core.llms import CustomLLM
from llama_index.core.schema import BaseNode
from pydantic import Field

from pipelines.profile.plugins import Component, Section


class LettersSection(Section):
    """What a profile may say below ``embedding``, beside ``cache`` and the like."""

    letters: str = Field(default="abcdefghijklmnopqrstuvwxyz", min_length=2, description="letters that are counted")


class Letters(BaseEmbedding):
    """Counts letters: texts with the same letters are alike."""

    letters: str

    def _get_text_embedding(self, text: str) -> list[float]:
        return [text.lower().count(letter) + 0.01 for letter in self.letters]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class FirstSourceSection(Section):
    """What a profile may say below ``llm``, beside ``max_tokens``, ``timeouts`` and the like."""

    ending: str = Field(default=" [1]", description="what stands behind the sentence")


class FirstSource(CustomLLM):
    """Answers with the first sentence of the first source."""

    ending: str

    @property
    def metadata(self) -> LLMMetadata:
        """The model's name."""
        return LLMMetadata(model_name="first_source")

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        """Complete a prompt."""
        found = re.search(r'"source": 1.*?"text": "(.*?[.!?])', prompt)
        sentence = found[1] if found else "I do not know."
        return CompletionResponse(text=sentence[:-1] + self.ending + sentence[-1])

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:
        """Complete a prompt in one piece."""
        text = self.complete(prompt).text
        yield CompletionResponse(text=text, delta=text)


class YearsSection(Section):
    """An extractor has no settings in profiles; it gets the defaults."""

    century: str = Field(default="20", description="the first digits of a year")


class Years(BaseExtractor):
    """Reads the years that a chunk names."""

    century: str

    async def aextract(self, nodes: Sequence[BaseNode]) -> list[dict[str, Any]]:
        """The years of each node."""
        return [{"years": re.findall(rf"\b{self.century}\d\d\b", node.get_content())} for node in nodes]


LETTERS = Component(
    kind="embedding",
    name="letters",
    section=LettersSection,
    factory=lambda section: Letters(model_name="letters", letters=section.letters),
)
FIRST_SOURCE = Component(
    kind="llm",
    name="first_source",
    section=FirstSourceSection,
    factory=lambda section: FirstSource(ending=section.ending),
)
YEARS = Component(
    kind="extractor",
    name="years",
    section=YearsSection,
    factory=lambda section: Years(century=section.century),
)
