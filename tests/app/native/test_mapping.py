"""What the mapping makes of the core's values, where the wire differs from them."""

from __future__ import annotations

import pytest

from app.http.errors import DocumentFailed, MalformedRequest
from app.http.strict_json import InvalidJson
from app.native import mapping, requests
from pipelines.errors import Problem
from pipelines.types import Deletion, IngestResult, Rename, SyncResult

FAILED = IngestResult(
    "a", "failed", reason="year: not a number", code="document_invalid", problems=(Problem("year", "not a number"),)
)


def test_the_failure_of_the_one_document_is_an_error_with_its_code_and_problems() -> None:
    with pytest.raises(DocumentFailed, match="year: not a number") as raised:
        mapping.ingestion([FAILED], several=False)
    assert (raised.value.code, raised.value.problems) == ("document_invalid", FAILED.problems)


def test_a_failure_among_several_is_listed_with_the_others() -> None:
    ready = IngestResult("b", "ready", version=1, chunks_created=1, embeddings_generated=1, snapshot=1)
    reported = mapping.ingestion([FAILED, ready], several=True).model_dump()["documents"]
    assert [(one["document_id"], one["state"], one.get("reason")) for one in reported] == [
        ("a", "failed", "year: not a number"),
        ("b", "ready", None),
    ]


def test_a_synchronisation_counts_every_file_and_lists_those_that_changed() -> None:
    ready, unchanged = IngestResult("b", "ready", version=1), IngestResult("c", "unchanged", version=1)
    removed = Deletion("d", 1, 1, 0, versions_left=1, chunks_left=1, snapshot=3)
    synced = SyncResult((FAILED, ready, unchanged), (removed,), (Rename("e", "f"),), ("g",), ("b",))
    reported = mapping.synchronisation(synced).model_dump()
    assert reported["counts"] == {"ready": 1, "unchanged": 1, "failed": 1, "renamed": 1, "removed": 1, "busy": 1}
    assert [one["document_id"] for one in reported["documents"]] == ["a", "b"]
    assert (reported["renamed"], reported["busy"]) == ([{"before": "e", "after": "f"}], ["g"])
    assert reported["reread"] == ["b"]
    assert [receipt["document_id"] for receipt in reported["removed"]] == ["d"]
    assert reported["job_id"] is None


@pytest.mark.parametrize(
    ("text", "filters"), [(None, None), ("null", None), ("{}", {}), ('{"year": {"gte": 1}}', {"year": {"gte": 1}})]
)
def test_a_filter_is_read_from_its_text(text: str | None, filters: object) -> None:
    assert requests.filters(text) == filters


@pytest.mark.parametrize(("text", "error"), [("[]", MalformedRequest), ('"a"', MalformedRequest), ("{", InvalidJson)])
def test_an_invalid_filter_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="filters"):
        requests.filters(text)
