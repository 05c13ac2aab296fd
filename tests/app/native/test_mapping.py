"""What the mapping makes of the core's values, where the wire differs from them."""

from __future__ import annotations

import pytest

from app.http.errors import DocumentFailed
from app.native import mapping
from pipelines.errors import Problem
from pipelines.types import IngestResult

FAILED = IngestResult(
    "a", "failed", reason="year: not a number", code="document_invalid", problems=(Problem("year", "not a number"),)
)


def test_the_failure_of_the_one_document_is_an_error_with_its_code_and_problems() -> None:
    with pytest.raises(DocumentFailed, match="year: not a number") as raised:
        mapping.ingestion([FAILED], several=False)
    assert (raised.value.code, raised.value.problems) == ("document_invalid", FAILED.problems)


def test_a_failure_among_several_is_told_beside_the_others() -> None:
    ready = IngestResult("b", "ready", version=1, chunks_created=1, embeddings_generated=1, snapshot=1)
    told = mapping.ingestion([FAILED, ready], several=True).model_dump()["documents"]
    assert [(one["document_id"], one["state"], one.get("reason")) for one in told] == [
        ("a", "failed", "year: not a number"),
        ("b", "ready", None),
    ]
