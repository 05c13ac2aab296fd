"""Any LlamaIndex extractor, for the chunks of a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.extractors import BaseExtractor
from llama_index.core.schema import BaseNode, MetadataMode, TextNode, TransformComponent

from pipelines.components.store.chunk_nodes import EXPANSION_KEY, EXTRACTED, index_context
from pipelines.errors import InvalidDocument, Problem


class OwnExtractor(TransformComponent):
    """Adds to each chunk what an extractor reads out of it.

    It stands in the chunk's metadata under ``extracted``. Texts and lists of texts are embedded, and indexed for BM25,
    behind the chunk's text. ``context_weight`` is that of `index_context`.
    """

    _extractor: BaseExtractor = PrivateAttr()
    _weight: int = PrivateAttr()

    def __init__(self, extractor: BaseExtractor, context_weight: int) -> None:
        super().__init__()
        self._extractor, self._weight = extractor, context_weight

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """The same nodes, with what was extracted.

        Raises:
            InvalidDocument: The extractor fails.
        """
        for node, found in zip(nodes, self._extracted(nodes), strict=True):
            if found:
                self._add(node, found)
        return nodes

    def _extracted(self, nodes: Sequence[BaseNode]) -> list[dict[str, Any]]:
        bare = [
            TextNode(text=node.get_content(MetadataMode.NONE), metadata={"title": node.metadata["title"]})
            for node in nodes
        ]
        try:
            return self._extractor.extract(bare)
        except Exception as error:
            problem = f"{type(self._extractor).__name__} failed ({type(error).__name__}: {error})"
            raise InvalidDocument(Problem("components -> extractors", problem)) from error

    def _add(self, node: BaseNode, found: dict[str, Any]) -> None:
        fields = node.metadata["metadata"]
        node.metadata["metadata"] = fields | {EXTRACTED: {**fields.get(EXTRACTED, {}), **found}}
        before = [node.metadata[EXPANSION_KEY]] if node.metadata.get(EXPANSION_KEY) else []
        node.metadata[EXPANSION_KEY] = "\n".join(
            [*before, *(text for value in found.values() for text in _texts(value))]
        )
        index_context(node, self._weight)


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []
