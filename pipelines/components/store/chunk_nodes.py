"""Chunks as LlamaIndex sees them: stored payloads to nodes and back, and the fusion of two result lists.

LlamaIndex stores each node a second time, as JSON inside the payload; that doubles a store, and parsing it costs more
than the search. Here the payload is the text and the metadata, and the node is made of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import VectorStoreQueryResult

from pipelines.components.store.collection import TOKENS, Leg
from pipelines.components.store.payload_indexes import DOCUMENT
from pipelines.filters.facts import FACTS
from pipelines.filters.sections import SECTIONS

Tokens = npt.NDArray[np.float16]
TEXT = "text"
EMBEDDED_KEY = "context"
"""The metadata key that is embedded and indexed for BM25 before a chunk's text."""
EXPANSION_KEY = "expansion"
"""The metadata key that is embedded and indexed for BM25 behind a chunk's text: what a language model added."""
EXTRACTED = "extracted"
"""The key of a document's or a chunk's metadata that holds what was extracted, apart from what the document says."""
LEAD_IN_KEY = "lead_in"
"""The metadata key of what leads into a chunk that begins within a list or a table, read before the chunk's text."""
PICTURES = "pictures"
"""The metadata key of the pictures whose blocks a chunk holds, or parts of them."""
_NOT_FOR_READING = (
    DOCUMENT,
    "version",
    "index",
    "valid_from",
    "valid_to",
    "start",
    "end",
    "page",
    "page_label",
    "headings",
    SECTIONS,
    "parents",
    PICTURES,
    "metadata",
    "as_given",
    FACTS,
    EMBEDDED_KEY,
    EXPANSION_KEY,
    LEAD_IN_KEY,
)


def index_context(node: BaseNode, weight: int) -> None:
    """Has BM25 read a node's context, ``weight`` times, its lead-in, text and expansion, and no more of its metadata.

    What is only known when the node is stored, such as its version, stays unread too. Code that adds an expansion to a
    node must call it again.
    """
    assert isinstance(node, TextNode)
    read = {key: str(node.metadata.get(key) or "") for key in (EMBEDDED_KEY, LEAD_IN_KEY, EXPANSION_KEY)}
    # LlamaIndex leaves a node's template aside unless its metadata give a text.
    carrier = next((key for key, text in read.items() if text.strip()), EMBEDDED_KEY)
    node.excluded_embed_metadata_keys = sorted({*node.metadata, *_NOT_FOR_READING} - {carrier})
    node.metadata_template = "\n".join(["{value}"] * (weight if carrier == EMBEDDED_KEY else 1))
    context, lead_in, expansion = (
        "{metadata_str}" if key == carrier else text.replace("{", "{{").replace("}", "}}") for key, text in read.items()
    )
    node.text_template = "\n".join(part for part in (context, lead_in, "{content}", expansion) if part)


def indexed_text(payload: Mapping[str, Any]) -> str:
    """Return the text that a stored chunk was embedded with: its context, lead-in, own text and expansion."""
    keys = (EMBEDDED_KEY, LEAD_IN_KEY, TEXT, EXPANSION_KEY)
    return "\n".join(part for part in (str(payload.get(key) or "").strip() for key in keys) if part)


def stored_id(chunk_id: str) -> str:
    """Return an id in the spelling of stored ids: a UUID may come in capitals, without hyphens, or in braces."""
    try:
        return str(UUID(chunk_id))
    except ValueError:
        return chunk_id


def to_payload(node: BaseNode) -> dict[str, Any]:
    """Return what is stored of a node beside its vectors: its metadata, its text, and the document that it belongs
    to.
    """
    payload = {**node.metadata, TEXT: node.get_content(MetadataMode.NONE)}
    payload.pop(TOKENS, None)
    if node.ref_doc_id is not None:
        payload.setdefault(DOCUMENT, node.ref_doc_id)
    return payload


def with_names(payload: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a payload that also has values under other names; see ``store -> payload`` in the profile."""
    found = {name: _value_at(payload, source.split(".")) for name, source in names.items()}
    return {**payload, **{name: value for name, value in found.items() if value is not None}}


def _value_at(payload: Any, path: Sequence[str]) -> Any:
    for key in path:
        payload = payload.get(key) if isinstance(payload, Mapping) else None
    return payload


def give_tokens(node: BaseNode, tokens: Tokens) -> None:
    """Let a node carry the vectors of its words to the store; LlamaIndex's nodes have a place for one vector only."""
    node.metadata[TOKENS] = tokens
    for unread in (node.excluded_embed_metadata_keys, node.excluded_llm_metadata_keys):
        unread.append(TOKENS)


def tokens_of(node: BaseNode) -> Tokens | None:
    """Return what `give_tokens` gave a node."""
    return node.metadata.get(TOKENS)


def to_node(chunk_id: str, payload: Mapping[str, Any], embedding: list[float] | None = None) -> TextNode:
    """Return a stored chunk as a node; what only machines read is kept away from language and embedding models."""
    metadata = {key: value for key, value in payload.items() if key != TEXT}
    document_id = payload.get(DOCUMENT)
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document_id)} if document_id else {}
    unread = [key for key in _NOT_FOR_READING if key in metadata]
    return TextNode(
        id_=chunk_id,
        text=payload.get(TEXT, ""),
        metadata=metadata,
        embedding=embedding,
        relationships=source,
        start_char_idx=payload.get("start"),
        end_char_idx=payload.get("end"),
        excluded_embed_metadata_keys=unread,
        excluded_llm_metadata_keys=unread,
    )


def convex_fusion(
    dense_result: VectorStoreQueryResult,
    sparse_result: VectorStoreQueryResult,
    alpha: float = 0.5,
    top_k: int = 2,
    **_: Any,
) -> VectorStoreQueryResult:
    """Return the weighted sum of min-max scores; ``alpha`` is the dense leg's share.

    LlamaIndex's `relative_score_fusion` leaves a leg of equal scores (a single hit, say) raw, so that a BM25 score of
    12 is added to shares of 1; here each hit of such a leg is its best. An empty leg contributes nothing.
    """
    legs = [(result, weight) for result, weight in ((dense_result, alpha), (sparse_result, 1 - alpha)) if result.ids]
    if len(legs) == 1:
        legs = [(legs[0][0], 1.0)]
    nodes: dict[str, BaseNode] = {}
    totals: dict[str, float] = {}
    for result, weight in legs:
        for node, share in zip(result.nodes or (), _shares(result), strict=True):
            nodes[node.node_id] = node
            totals[node.node_id] = totals.get(node.node_id, 0.0) + weight * share
    best = sorted(totals, key=lambda chunk_id: (-totals[chunk_id], chunk_id))[:top_k]
    return VectorStoreQueryResult(
        nodes=[nodes[chunk_id] for chunk_id in best],
        similarities=[totals[chunk_id] for chunk_id in best],
        ids=best,
    )


def _shares(result: VectorStoreQueryResult) -> list[float]:
    scores = result.similarities or []
    lowest, spread = min(scores), max(scores) - min(scores)
    return [(score - lowest) / spread if spread else 1.0 for score in scores]


def leg_result(leg: Leg, payloads: Mapping[str, Mapping[str, Any]]) -> VectorStoreQueryResult:
    """Return a leg's chunks as LlamaIndex's result; those without a payload are left out."""
    present = [(chunk_id, score) for chunk_id, score in leg if chunk_id in payloads]
    return VectorStoreQueryResult(
        nodes=[to_node(chunk_id, payloads[chunk_id]) for chunk_id, _ in present],
        similarities=[score for _, score in present],
        ids=[chunk_id for chunk_id, _ in present],
    )
