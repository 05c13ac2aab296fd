"""Copies the points of a shard into an empty one, whose files then hold nothing else."""

from __future__ import annotations

import qdrant_edge as edge

_BATCH = 256


def copy_points(source: edge.EdgeShard, target: edge.EdgeShard) -> None:
    """Copy payload indexes, points, vectors and payloads from ``source`` to ``target``."""
    for name, index in source.info().payload_schema.items():
        target.update(edge.UpdateOperation.create_field_index(name, index.params or index.data_type))
    offset: edge.PointId | None = None
    while True:
        request = edge.ScrollRequest(offset=offset, limit=_BATCH, with_payload=True, with_vector=True)
        records, offset = source.scroll(request)
        points = [edge.Point(record.id, record.vector or {}, record.payload) for record in records]
        if points:
            target.update(edge.UpdateOperation.upsert_points(points))
        if offset is None:
            return
