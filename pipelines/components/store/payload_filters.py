"""Filters on payloads that are at hand, with the meaning that they have in the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from qdrant_client import models
from qdrant_client.local.payload_filters import check_filter

from pipelines.filters.facts import FACTS
from pipelines.filters.values import Fields, indexed_metadata


def metadata_matcher(where: models.Filter, fields: Fields | None = None) -> Callable[[Mapping[str, Any]], bool]:
    """Return whether ``where`` matches a chunk that carries a document's metadata; ``fields`` are the declared ones."""
    return lambda metadata: check_filter(
        where,
        {"metadata": indexed_metadata(metadata, fields or {}), FACTS: getattr(metadata, "facts", {})},
        0,
        {},
    )
