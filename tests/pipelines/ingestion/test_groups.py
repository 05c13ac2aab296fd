"""How documents are brought in group by group."""

from pipelines.types import DocumentInput, Progress
from tests.conftest import OpenTenant

PROFILE = "tenant: kennel\n"


def test_progress_is_reported_where_no_document_has_chunks_to_embed(open_tenant: OpenTenant) -> None:
    reported: list[Progress] = []
    empty = [DocumentInput("", document_id=f"dog {number}") for number in range(600)]
    results = open_tenant(PROFILE).ingest(empty, reported.append)
    assert [result.document_id for result in results] == [offered.document_id for offered in empty]
    assert len(reported) > 2
    assert [one.documents_done for one in reported] == sorted({one.documents_done for one in reported})
    assert reported[-1].documents_done == 600
