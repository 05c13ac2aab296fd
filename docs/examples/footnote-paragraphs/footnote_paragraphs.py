"""A splitter and a reranker stage that profiles name as ``paragraphs`` and ``short_first``."""

from llama_index.core.node_parser import TextSplitter
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle
from pydantic import Field

from pipelines.profile.plugins import Component, Section


class ParagraphsSection(Section):
    """What a profile may say below ``chunking``, beside ``size``, ``overlap`` and the like."""

    least_chars: int = Field(default=1, ge=1, description="shorter paragraphs join the one before")


class Paragraphs(TextSplitter):
    """Cuts a chunk for each paragraph."""

    least_chars: int

    def split_text(self, text: str) -> list[str]:
        """The paragraphs of a text."""
        chunks: list[str] = []
        for paragraph in text.split("\n\n"):
            if chunks and len(paragraph) < self.least_chars:
                chunks[-1] += f"\n\n{paragraph}"
            else:
                chunks.append(paragraph)
        return chunks


class ShortFirstSection(Section):
    """What a profile may say of the stage, beside ``depth``."""

    chars: int = Field(default=200, ge=1, description="length that halves the weight")


class ShortFirst(BaseNodePostprocessor):
    """Prefers short passages."""

    chars: int

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        weighed = [NodeWithScore(node=found.node, score=self._score(found)) for found in nodes]
        return sorted(weighed, key=lambda found: -(found.score or 0.0))

    def _score(self, found: NodeWithScore) -> float:
        return (found.score or 0.0) * self.chars / (self.chars + len(found.node.get_content()))


PARAGRAPHS = Component(
    kind="splitter",
    name="paragraphs",
    section=ParagraphsSection,
    factory=lambda section: Paragraphs(least_chars=section.least_chars),
)
SHORT_FIRST = Component(
    kind="reranker",
    name="short_first",
    section=ShortFirstSection,
    factory=lambda section: ShortFirst(chars=section.chars),
)
