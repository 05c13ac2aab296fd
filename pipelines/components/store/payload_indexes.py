"""The indexes of payload fields, which make filters fast."""

from __future__ import annotations

from typing import Any

from qdrant_client import models

from pipelines.filters.facts import FACTS

DOCUMENT = "document_id"
_KEYWORD = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, prefix=True, enable_hnsw=False)
_NUMBER = models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=True, range=True, enable_hnsw=False)
_SPAN = models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=False, range=True, enable_hnsw=False)
OWN_INDEXES: dict[str, Any] = {
    DOCUMENT: _KEYWORD,
    "version": _NUMBER,
    "valid_from": _SPAN,
    "valid_to": _SPAN,
}
"""Of fields that every chunk has and that hardly any search goes without."""
SERVER_INDEXES: dict[str, Any] = {
    "start": _SPAN,
    "end": _SPAN,
    f"{FACTS}.source": _KEYWORD,  # front pages are found by it, also where a profile declares a field `source`
}
"""Of the other fields that Footnote's own filters name: a server's strict mode refuses filters by others."""
FIELD_INDEXES: dict[str, Any] = {
    "keyword": _KEYWORD,
    "keywords": _KEYWORD,
    "integer": _NUMBER,
    "float": models.FloatIndexParams(type=models.FloatIndexType.FLOAT, enable_hnsw=False),
    "boolean": models.BoolIndexParams(type=models.BoolIndexType.BOOL, enable_hnsw=False),
    "datetime": models.DatetimeIndexParams(type=models.DatetimeIndexType.DATETIME, enable_hnsw=False),
}
"""By the types of metadata fields."""
SCANNED_CHUNKS = 200
"""Up to so many chunks an Edge collection has no indexes of fields. To read as many payloads takes a leg of a search a
millisecond; each index takes two megabytes, and milliseconds whenever the collection is made, opened or scrubbed.
"""
