"""The ids of chunks: a version's chunks get the same ones whenever they are made."""

from __future__ import annotations

import uuid

_NAMESPACE = uuid.UUID("6b1f3f0e-2f0c-5a52-9a53-6f6f746e6f74")


def chunk_id(tenant: str, document_id: str, version: int, index: int) -> str:
    """Return the id of the chunk at ``index`` (from 0) of a version: a UUID in its usual form."""
    return str(uuid.uuid5(_NAMESPACE, f"{tenant}\0{document_id}\0{version}\0{index}"))
