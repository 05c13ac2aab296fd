from typing import Any

import pytest

from pipelines.filters.clauses import clauses_of
from pipelines.profile.sections.documents import MetadataField

FIELDS = {
    "suite": MetadataField(type="keyword"),
    "year": MetadataField(type="integer"),
    "topics": MetadataField(type="keywords"),
}


@pytest.mark.parametrize(
    ("filters", "spelt"),
    [
        (None, []),
        ({"suite": None, "year": {"gte": None}, "not": {"topics": None}}, []),
        ({"suite": "fed", "year": 2020}, ['suite = "fed"', "year = 2020"]),
        ({"year": {"gte": 2020, "lt": 2024}}, ["year >= 2020", "year < 2024"]),
        (
            {"and": [{"suite": "a"}, {"and": [{"year": 1}, {"year": {"ne": 2}}]}]},
            ['suite = "a"', "year = 1", "year is not 2"],
        ),
        ({"suite": ["a", "b"]}, ['suite is one of "a", "b"']),
        ({"suite": {"nin": ["a"], "exists": True}}, ['suite is none of "a"', "suite is there"]),
        ({"suite": {"prefix": "a", "contains": "é"}}, ['suite begins with "a"', 'suite contains "é"']),
        (
            {"or": [{"suite": "a", "year": 1}, {"not": {"topics": "x"}}]},
            ['(suite = "a" and year = 1 or not (topics = "x"))'],
        ),
        ({"not": {"year": {"gt": 1, "lte": 5}}}, ["not (year > 1 and year <= 5)"]),
    ],
)
def test_a_filter_is_taken_apart_where_and_joins_and_put_in_words(filters: Any, spelt: list[str]) -> None:
    assert [clause.text for clause in clauses_of(filters, FIELDS)] == spelt


def test_a_clause_names_its_fields_once() -> None:
    (clause,) = clauses_of({"or": [{"suite": "a", "year": 1}, {"not": {"suite": "b"}}]}, FIELDS)
    assert clause.fields == ("suite", "year")
