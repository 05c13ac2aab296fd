import pytest

from pipelines.errors import InvalidFilter
from pipelines.filters.language import compile_filters, require_of_documents
from pipelines.filters.sections import plain_heading, sections_of
from pipelines.profile.sections.documents import MetadataField

FIELDS = {"part": MetadataField(type="keywords", source="headings"), "year": MetadataField(type="integer")}


@pytest.mark.parametrize("heading", ["Results", "2. RESULTS", "2.1) Results:", "iv. results", " results  "])
def test_case_numbering_and_closing_punctuation_are_ignored(heading: str) -> None:
    assert plain_heading(heading) == "results"


def test_headings_of_punctuation_are_not_sections() -> None:
    assert sections_of(["1. A study", "...", "Methods", "METHODS"]) == ["a study", "methods"]


def test_a_filter_on_headings_looks_where_chunks_keep_them() -> None:
    found = compile_filters({"part": ["Methods", "2. Results"]}, FIELDS)
    assert found is not None
    assert found.model_dump(exclude_none=True)["must"] == [
        {"key": "sections", "match": {"any": ["methods", "results"]}}
    ]


@pytest.mark.parametrize(
    ("filters", "path"),
    [
        ({"year": 2020, "part": "Results"}, "filters -> part"),
        ({"or": [{"year": 2020}, {"not": {"part": "Results"}}]}, "filters -> or -> 1 -> not -> part"),
    ],
)
def test_documents_have_no_section(filters: dict[str, object], path: str) -> None:
    with pytest.raises(InvalidFilter) as refused:
        require_of_documents(filters, FIELDS)
    assert [problem.path for problem in refused.value.problems] == [path]


def test_documents_are_filtered_by_what_is_theirs() -> None:
    require_of_documents({"and": [{"year": 2020}], "not": {"year": 2021}}, FIELDS)
    require_of_documents(None, FIELDS)
