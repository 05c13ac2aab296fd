"""Filters on the sections that chunks stand in, through whole searches."""

import pytest

from pipelines.errors import InvalidFilter
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

PROFILE = """
tenant: papers
metadata:
  fields:
    section: {type: keywords, source: headings}
    year: {type: integer}
chunking: {splitter: markdown, size: 32, overlap: 8}
"""
TEXT = """# Of beagles

## 1. Methods

Forty beagles were walked every day.

## 2. RESULTS

### Weight

Walked beagles weighed less than other beagles.
"""


def found(engine, **filters):
    hits = engine.search("beagles walked", filters=filters, top_k=10)
    return {hit.headings[-1] for hit in hits}


@pytest.fixture
def engine(open_tenant: OpenTenant):
    engine = open_tenant(PROFILE)
    metadata = {"year": 2020, "section": "what the document says of itself"}
    [result] = engine.ingest([DocumentInput(TEXT, "a", media_type="text/markdown", metadata=metadata)])
    assert result.state == "ready", result.reason
    return engine


def test_a_section_is_a_filter_whatever_its_case_and_number(engine) -> None:
    assert found(engine, section="methods") == {"1. Methods"}
    assert found(engine, section="Of beagles") == {"1. Methods", "Weight"}
    assert found(engine, section="Results") == {"Weight"}
    assert found(engine, section="weight", year=2020) == {"Weight"}
    assert found(engine, section=["Methods", "Results"]) == {"1. Methods", "Weight"}
    assert found(engine, section={"prefix": "meth"}) == {"1. Methods"}
    assert found(engine, section="Discussion") == set()
    assert found(engine, section="What the document says of itself") == {"1. Methods", "Weight"}
    assert "Weight" not in found(engine, **{"not": {"section": "Results"}})


def test_metadata_stays_as_it_was_given(engine) -> None:
    [hit] = engine.search("weighed", filters={"section": "Weight"})
    assert hit.metadata == {"year": 2020, "section": "what the document says of itself"}


def test_documents_cannot_be_listed_by_section(engine) -> None:
    with pytest.raises(InvalidFilter, match="is of chunks, not of documents"):
        engine.documents(filters={"section": "Results"})
    assert "section" not in engine.facets().fields


def test_an_explanation_reads_the_sections_of_chunks(engine) -> None:
    other = "# Of cats\n\n## Methods\n\nTen cats were walked.\n"
    engine.ingest([DocumentInput(other, "b", media_type="text/markdown", metadata={"year": 2021})])
    engine.ingest([DocumentInput("Cats walked.", "c", metadata={"year": 2021})])

    def explained(document_id="a", **filters):
        return engine.explain("beagles walked", document_id=document_id, filters=filters)

    shown = explained(section="methods")
    assert shown.found
    assert {hit.chunk_id for hit in engine.search("beagles walked", filters={"section": "methods"})} >= {shown.chunk_id}
    assert [(row.matches, row.left, row.fits) for row in shown.filter] == [(3, 3, True), (2, 2, True)]
    assert explained(**{"not": {"section": "methods"}}).found

    shown = explained(year=2020, section="methods", **{"not": {"section": "weight"}})
    assert [(row.matches, row.left, row.fits) for row in shown.filter] == [
        (3, 3, True),
        (1, 1, True),
        (2, 1, True),
        (3, 1, True),
    ]

    shown = explained("b", **{"or": [{"section": "results"}, {"year": 2020}]})
    assert shown.dropped_by == 'filter: (section = "results" or year = 2020)'
    assert 'its section is ["of cats", "methods"], its year is 2021' in shown.hint
    assert not shown.filter[1].fits

    shown = explained("c", section="methods", year=2021)
    assert shown.dropped_by == 'filter: section = "methods"'
    assert "it has no section" in shown.hint


def test_clauses_that_no_chunk_fits_together_exclude_a_document(engine) -> None:
    both = {"and": [{"section": "methods"}, {"section": "results"}]}
    shown = engine.explain("beagles walked", document_id="a", filters=both)
    assert shown.dropped_by.startswith("filter: section = ")
    assert [(row.matches, row.left, row.fits) for row in shown.filter] == [(1, 1, True), (1, 1, True), (1, 0, True)]


def test_the_index_is_sound(engine) -> None:
    assert engine.doctor().healthy
