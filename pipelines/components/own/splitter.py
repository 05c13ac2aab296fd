"""Any LlamaIndex node parser as a splitter whose chunks have exact spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship, TextNode, TransformComponent

from pipelines.errors import InvalidDocument, Problem
from pipelines.types import Span

_PATH = "components -> splitter"
_SHOWN = 60  # characters


class OwnSplitter(TransformComponent):
    """Cuts documents with a node parser, and finds each chunk's span in the document's text.

    The parser gets the bare text: LlamaIndex's parsers keep room for metadata within a chunk. Of a hierarchical parser
    the smallest pieces are taken.
    """

    _parser: NodeParser = PrivateAttr()

    def __init__(self, parser: NodeParser) -> None:
        super().__init__()
        self._parser = parser

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """The chunks of the documents ``nodes``.

        Raises:
            InvalidDocument: The parser fails, or makes a chunk that is not verbatim in the text.
        """
        return [chunk for document in nodes for chunk in self._cut(document)]

    def _cut(self, document: BaseNode) -> Iterator[TextNode]:
        text, source = document.get_content(MetadataMode.NONE), document.as_related_node_info()
        for span in self._spans(text):
            yield TextNode(
                text=text[span.start : span.end],
                start_char_idx=span.start,
                end_char_idx=span.end,
                metadata=dict(document.metadata),
                relationships={NodeRelationship.SOURCE: source},
            )

    def _spans(self, text: str) -> Iterator[Span]:
        start = -1
        for node in self._parsed(text):
            chunk = node.get_content(MetadataMode.NONE).strip()
            if not chunk or NodeRelationship.CHILD in node.relationships:
                continue
            start = text.find(chunk, start + 1)
            if start < 0:
                start = text.find(chunk)
            if start < 0:
                raise InvalidDocument(Problem(_PATH, f"{self._name} changed the text: {chunk[:_SHOWN]!r} is not in it"))
            yield Span(start, start + len(chunk))

    def _parsed(self, text: str) -> Sequence[BaseNode]:
        try:
            return self._parser.get_nodes_from_documents([Document(text=text)])
        except Exception as error:
            problem = f"{self._name} failed ({type(error).__name__}: {error})"
            raise InvalidDocument(Problem(_PATH, problem)) from error

    @property
    def _name(self) -> str:
        return type(self._parser).__name__
