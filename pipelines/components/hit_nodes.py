"""Hits as LlamaIndex's nodes, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from llama_index.core.bridge.pydantic import BaseModel, PrivateAttr, SerializerFunctionWrapHandler, model_serializer
from llama_index.core.schema import BaseNode, NodeWithScore, TextNode

from pipelines.components.store.chunk_nodes import PICTURES
from pipelines.errors import InvalidRequest, Problem
from pipelines.filters.facts import FACTS
from pipelines.filters.values import given_metadata
from pipelines.types import Hit, LegScore, Span, read_pictures, written_pictures

M = TypeVar("M", bound=BaseModel)
_EMPTY = TextNode(text="")
_SCORES = "scores"


class HitNode(NodeWithScore):
    """A hit as LlamaIndex's node, which is made when it is first read: most nodes of a search never are."""

    _hit: Hit | None = PrivateAttr(default=None)

    def __getattr__(self, name: str) -> Any:
        if name != "node":
            return super().__getattr__(name)  # type: ignore[misc]  # pydantic hides it from type checkers
        assert self._hit is not None
        node = self.__dict__["node"] = _text_node(self._hit)
        return node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeWithScore) and (self.node, self.score) == (other.node, other.score)

    __hash__ = NodeWithScore.__hash__

    @model_serializer(mode="wrap")
    def _serialize(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        assert self.node is not None  # reading makes it
        fields: dict[str, Any] = serialize(self)
        return fields

    @property
    def hit(self) -> Hit | None:
        """The hit, with the node's score; None if somebody changed the node's text or metadata."""
        private, node = self.__pydantic_private__, self.__dict__.get("node")
        hit: Hit | None = private["_hit"] if private else None  # a third of the time of `self._hit`
        if hit is None or (node is not None and (node.text is not hit.content or node.metadata != _metadata(hit))):
            return None
        return hit if self.score == hit.score else replace(hit, score=self.score or 0.0)


def hit_to_node(hit: Hit) -> HitNode:
    """Return a hit as LlamaIndex's node; `node_to_hit` turns it back."""
    return _unvalidated(HitNode, {"score": hit.score}, {"_hit": hit})


def hits_to_nodes(hits: Iterable[Hit]) -> list[NodeWithScore]:
    """See `hit_to_node`."""
    return [hit_to_node(hit) for hit in hits]


def node_to_hit(scored: NodeWithScore) -> Hit:
    """Return the hit that a node was made of; for a node of another retriever, a hit that names its id and its file.

    Raises:
        InvalidRequest: A node that Footnote did not make has no file name.
    """
    if isinstance(scored, HitNode) and (hit := scored.hit) is not None:
        return hit
    node, text = scored.node, _text(scored.node)
    if "document_id" not in node.metadata:
        return _foreign_hit(scored, text)
    return payload_to_hit({**node.metadata, "text": text}, node.node_id, scored.score or 0.0, _scores(node.metadata))


def rank_node(scored: NodeWithScore | None, hit: Hit) -> NodeWithScore:
    """Return the node that ``hit`` was made of, with its scores; a new node if there is none, or a stage changed the
    text.
    """
    if scored is None or _text(scored.node) != hit.content:
        return hit_to_node(hit)
    node = scored.node
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
    """Return a stored chunk as a hit."""
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
        pictures=read_pictures(payload.get(PICTURES, ())),
        updated_at=_moment(payload.get(FACTS, {}).get("updated_at")),
    )


def _moment(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored)


def _text_node(hit: Hit) -> TextNode:
    fields = {
        "id_": hit.chunk_id,
        "text": hit.content,
        "metadata": _metadata(hit),
        "relationships": {},
        "start_char_idx": hit.span.start,
        "end_char_idx": hit.span.end,
        **_unread(_EMPTY),
    }
    return _unvalidated(TextNode, {**_EMPTY.__dict__, **fields})


def _metadata(hit: Hit) -> dict[str, Any]:
    return ({PICTURES: written_pictures(hit.pictures)} if hit.pictures else {}) | {
        "document_id": hit.document_id,
        "version": hit.version,
        "title": hit.title,
        "source": hit.source,
        "metadata": hit.metadata,
        "start": hit.span.start,
        "end": hit.span.end,
        "page": hit.page,
        "page_label": hit.page_label,
        "headings": hit.headings,
        "index": hit.index,
        "parents": [(parent.start, parent.end) for parent in hit.parents],
        FACTS: {"updated_at": hit.updated_at.isoformat()} if hit.updated_at is not None else {},
        _SCORES: hit.scores,
    }


def _unvalidated(kind: type[M], fields: dict[str, Any], private: dict[str, Any] | None = None) -> M:
    """Return an instance of a pydantic model, without validation; `model_construct` takes six times as long."""
    made = kind.__new__(kind)
    object.__setattr__(made, "__dict__", fields)
    object.__setattr__(made, "__pydantic_fields_set__", set(fields))
    object.__setattr__(made, "__pydantic_extra__", None)
    object.__setattr__(made, "__pydantic_private__", private)
    return made


def _text(node: BaseNode) -> str:
    return node.text if isinstance(node, TextNode) else node.get_content()


def _unread(node: BaseNode) -> dict[str, list[str]]:
    """Return the lists of metadata keys that models do not read, with the scores and the facts."""
    keys = ("excluded_embed_metadata_keys", "excluded_llm_metadata_keys")
    return {key: [*getattr(node, key), _SCORES, FACTS] for key in keys}


def _scores(metadata: Mapping[str, Any]) -> dict[str, LegScore]:
    """Return the scores of legs and stages; as mappings in a node that was read from JSON."""
    scores = metadata.get(_SCORES) or {}
    return {name: score if isinstance(score, LegScore) else LegScore(**score) for name, score in scores.items()}


def _foreign_hit(scored: NodeWithScore, text: str) -> Hit:
    """Return a hit of a node that Footnote did not make; its score is clipped to 0..1."""
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
