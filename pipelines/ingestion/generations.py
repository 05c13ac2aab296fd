"""Builds a tenant's chunks a second time, with another embedding model, beside those that readers see.

Chunks keep their ids and their validity, so that history goes over too. The first look at the old store is long; what
is written in between is found by a second pass; the last pass, without writers, has next to nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from llama_index.core.schema import TextNode

from pipelines.components.store.chunk_nodes import EMBEDDED_KEY, index_context, to_node
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.ingestion.space import Space
from pipelines.ingestion.visibility import only

_AT_ONCE = 256
_FEW = 512
_MOST_LOOKS = 5

CountReport = Callable[[int], None]


def build_beside(old: ChunkStore, new: Space, report: CountReport) -> None:
    """Fill ``new`` from ``old`` until little is left for `bring_level`; ``report`` receives the number of chunks done.

    What a look finds already there is kept, so that this goes on where it was interrupted.
    """
    for _ in range(_MOST_LOOKS):
        if bring_level(old, new, report) <= _FEW:
            break
    new.optimize_if_needed()


def bring_level(old: ChunkStore, new: Space, report: CountReport) -> int:
    """Make ``new`` hold exactly the chunks of ``old``; return how many had to be written, changed or removed."""
    known = {chunk_id: (_validity(payload), _content(payload)) for chunk_id, payload in new.store.scan()}
    changed = done = 0
    for batch in _batches(old):
        missing = {
            chunk_id: payload
            for chunk_id, payload in batch.items()
            if chunk_id not in known or known[chunk_id][1] != _content(payload)
        }
        if missing:
            new.store.add(new.embed(nodes_of(missing, new.store.encoder.title_weight)))
        changed += len(missing)
        for chunk_id in batch.keys() & known.keys():
            validity = _validity(batch[chunk_id])
            if known.pop(chunk_id)[0] != validity and chunk_id not in missing:
                new.store.set_fields(dict(zip(("valid_from", "valid_to"), validity, strict=True)), only([chunk_id]))
                changed += 1
        done += len(batch)
        report(done)
    if known:
        new.store.remove(only(list(known)))
    return changed + len(known)


def nodes_of(payloads: Mapping[str, dict[str, Any]], title_weight: int) -> list[TextNode]:
    """Return stored chunks by id, as nodes to be embedded."""
    nodes = [to_node(chunk_id, payload) for chunk_id, payload in payloads.items()]
    for node in nodes:
        index_context(node, title_weight)
    return nodes


def _validity(payload: dict[str, Any]) -> tuple[int, int]:
    return payload["valid_from"], payload["valid_to"]


def _content(payload: dict[str, Any]) -> int:
    """Return what tells a chunk from another of the same id: numbers of versions that never came to be are given
    again.
    """
    return hash((payload["text"], payload[EMBEDDED_KEY], payload["start"], str(payload["metadata"])))


def _batches(store: ChunkStore) -> Iterator[dict[str, dict[str, Any]]]:
    batch: dict[str, dict[str, Any]] = {}
    for chunk_id, payload in store.scan():
        batch[chunk_id] = payload
        if len(batch) == _AT_ONCE:
            yield batch
            batch = {}
    if batch:
        yield batch
