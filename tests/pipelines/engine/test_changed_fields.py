"""Documents that came in while the profile declared their metadata otherwise."""

from pathlib import Path

from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

TAGGED = """
tenant: tagged
metadata:
  fields:
    level: {type: keywords}
    suite: {type: keyword}
"""
PLACED = """
tenant: tagged
metadata:
  fields:
    level: {type: keyword, values: [platform, suite]}
    suite: {type: keyword}
  hierarchy: {level: level, path: [suite], weights: {suite: 2}}
"""


def test_a_level_that_was_a_list_has_no_weight(open_tenant: OpenTenant, tmp_path: Path) -> None:
    with open_tenant(TAGGED, tmp_path) as former:
        former.ingest([DocumentInput("Pumps are rinsed daily.", "old", metadata={"level": ["suite"]})])
    with open_tenant(PLACED, tmp_path) as engine:
        engine.ingest([DocumentInput("Pumps are rinsed.", "new", metadata={"level": "suite", "suite": "a"})])
        assert {hit.document_id for hit in engine.search("How are pumps rinsed?")} == {"old", "new"}


def test_letter_case_is_ignored_once_stale_documents_are_brought_up_to_date(
    open_tenant: OpenTenant, tmp_path: Path
) -> None:
    exact = "tenant: cased\nmetadata: {fields: {topic: {type: keyword}}}\n"
    folded = exact.replace("keyword}", "keyword, ignore_case: true}")
    with open_tenant(exact, tmp_path) as former:
        former.ingest([DocumentInput("Pumps are rinsed daily.", "a", metadata={"topic": "Hull Paint"})])
    with open_tenant(folded, tmp_path) as engine:
        assert engine.stats().stale == 1
        engine.reembed()
        assert engine.stats().stale == 0
        assert [hit.document_id for hit in engine.search("pumps", filters={"topic": "hull paint"})] == ["a"]
