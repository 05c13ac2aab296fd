"""Hits as LlamaIndex's nodes, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from llama_index.core.schema import BaseNode, NodeWithScore, TextNode

from pipelines.errors import InvalidRequest, Problem
from pipelines.filters.values import given_metadata
from pipelines.types import Hit, LegScore, Span

_EMPTY = TextNode(text="")
_SCORES = "scores"


def hit_to_node(hit: Hit) -> NodeWithScore:
    """A hit as LlamaIndex's node; `node_to_hit` turns it back."""
    span = hit.span
    metadata = {
        "document_id": hit.document_id,
        "version": hit.version,
        "title": hit.title,
        "source": hit.source,
        "metadata": hit.metadata,
        "start": span.start,
        "end": span.end,
        "page": hit.page,
        "page_label": hit.page_label,
        "headings": hit.headings,
        "index": hit.index,
        "parents": [(parent.start, parent.end) for parent in hit.parents],
        _SCORES: hit.scores,
    }
    node = _EMPTY.model_copy(  # a fifth of the time of a constructor that validates
        update={
            "id_": hit.chunk_id,
            "text": hit.content,
            "metadata": metadata,
            "relationships": {},
            "start_char_idx": span.start,
            "end_char_idx": span.end,
            **_unread(_EMPTY),
        }
    )
    return NodeWithScore(node=node, score=hit.score)


def hits_to_nodes(hits: Iterable[Hit]) -> list[NodeWithScore]:
    """See `hit_to_node`."""
    return [hit_to_node(hit) for hit in hits]


def node_to_hit(scored: NodeWithScore) -> Hit:
    """The hit that a node was made of; for a node of another retriever, a hit that names its id and its file.

    Raises:
        InvalidRequest: A node that Footnote did not make has no file name.
    """
    node, text = scored.node, _text(scored.node)
    if "document_id" not in node.metadata:
        return _foreign_hit(scored, text)
    return payload_to_hit({**node.metadata, "text": text}, node.node_id, scored.score or 0.0, _scores(node.metadata))


def rank_node(scored: NodeWithScore, hit: Hit) -> NodeWithScore:
    """The node with the scores of ``hit``, which was made of it; a new node if a stage changed the text."""
    node = scored.node
    if _text(node) != hit.content:
        return hit_to_node(hit)
    scores = {"metadata": {**node.metadata, _SCORES: hit.scores}}
    unread = {} if _SCORES in node.metadata else _unread(node)
    return NodeWithScore(node=node.model_copy(update=scores | unread), score=hit.score)


def nodes_to_hits(nodes: Iterable[NodeWithScore]) -> list[Hit]:
    """See `node_to_hit`.

    Raises:
        InvalidRequest: A node that Footnote did not make has no file name.
    """
    return [node_to_hit(node) for node in nodes]


def payload_to_hit(payload: Mapping[str, Any], chunk_id: str, score: float, scores: Mapping[str, LegScore]) -> Hit:
    """A stored chunk as a hit."""
    return Hit(
        chunk_id=chunk_id,
        document_id=payload["document_id"],
        version=payload["version"],
        title=payload["title"],
        source=payload["source"],
        content=payload["text"],
        metadata=given_metadata(payload),
        score=score,
        scores=scores,
        span=Span(payload["start"], payload["end"]),
        page=payload["page"],
        page_label=payload["page_label"],
        headings=tuple(payload["headings"]),
        index=payload["index"],
        parents=tuple(Span(start, end) for start, end in payload.get("parents", ())),
    )


def _text(node: BaseNode) -> str:
    return node.text if isinstance(node, TextNode) else node.get_content()


def _unread(node: BaseNode) -> dict[str, list[str]]:
    """The lists of metadata keys that models do not read, with the scores."""
    keys = ("excluded_embed_metadata_keys", "excluded_llm_metadata_keys")
    return {key: [*getattr(node, key), _SCORES] for key in keys}


def _scores(metadata: Mapping[str, Any]) -> dict[str, LegScore]:
    """The scores of legs and stages; as mappings in a node that was read from JSON."""
    scores = metadata.get(_SCORES) or {}
    return {name: score if isinstance(score, LegScore) else LegScore(**score) for name, score in scores.items()}


def _foreign_hit(scored: NodeWithScore, text: str) -> Hit:
    """A hit of a node that Footnote did not make; its score is clipped to 0..1."""
    node, metadata = scored.node, scored.node.metadata
    source = metadata.get("file_name") or metadata.get("file_path")
    if not source:
        problem = f"node {node.node_id} has no file_name in its metadata; citations need one"
        raise InvalidRequest(Problem("nodes -> metadata -> file_name", problem))
    return Hit(
        chunk_id=node.node_id,
        document_id=node.ref_doc_id or node.node_id,
        version=0,
        title=str(metadata.get("title") or source),
        source=str(source),
        content=text,
        metadata=metadata,
        score=min(max(scored.score or 0.0, 0.0), 1.0),
        scores={},
        span=Span(0, len(text)),
        page_label=metadata.get("page_label"),
    )
