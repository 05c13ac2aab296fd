from typing import Any

import pytest

from app.contracts.openpharma.mapping import known_filters, reference


@pytest.mark.parametrize(
    ("authors", "date", "cited"),
    [
        (["Ann B. Smith"], "2023-05-01", 'Smith 2023, "Metformin"'),
        (["Ann Smith", "Bo Jones"], "2023-05-01", 'Smith and Jones 2023, "Metformin"'),
        (["Ann Smith", "Bo Jones", "Cy Lee"], "2023", 'Smith et al. 2023, "Metformin"'),
        (["Smith, Ann B."], "2023", 'Smith 2023, "Metformin"'),
        (["Smith AB"], "2023", 'Smith 2023, "Metformin"'),
        (["Smith A. B."], "2023", 'Smith 2023, "Metformin"'),
        (["Ann Smith Jr."], "2023", 'Smith 2023, "Metformin"'),
        (["Maria van der Berg"], "2023", 'van der Berg 2023, "Metformin"'),
        (["The Duck Study Group"], "2023", 'The Duck Study Group 2023, "Metformin"'),
        (["Footnote"], "2026-11-20", 'Footnote 2026, "Metformin"'),
        (["李明"], "", '李明, "Metformin"'),
        ([], "2023-05-01", '2023, "Metformin"'),
        ([], None, "Metformin"),
    ],
)
def test_a_citation_uses_the_known_bibliographic_parts(authors: list[str], date: str | None, cited: str) -> None:
    assert reference("Metformin", authors, date) == cited


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ("7654321", ["7654321", "PMC7654321"]),
        ("PMC7654321", ["7654321", "PMC7654321"]),
        (["NCT01", "pmc12"], ["NCT01", "12", "PMC12"]),
        ({"ne": "12"}, {"nin": ["12", "PMC12"]}),
        ({"prefix": "NCT0"}, {"prefix": "NCT0"}),
        ({"prefix": 5, "exists": True}, {"prefix": 5, "exists": True}),
        ({"eq": 5}, {"eq": 5}),
        ({"in": "PMC12"}, {"in": "PMC12"}),
    ],
)
def test_a_pmc_id_filter_matches_with_and_without_its_prefix(given: Any, known: Any) -> None:
    assert known_filters({"source_id": given, "journal": "PMC12"}) == {"source_id": known, "journal": "PMC12"}


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ({"prefix": "pmc70"}, [{"or": [{"source_id": {"prefix": "70"}}, {"source_id": {"prefix": "PMC70"}}]}]),
        (
            {"in": ["PMC1", "PMC2"], "ne": "2"},
            [{"source_id": {"in": ["1", "PMC1", "2", "PMC2"]}}, {"source_id": {"nin": ["2", "PMC2"]}}],
        ),
        (
            {"eq": "PMC1", "in": ["PMC1"]},
            [{"source_id": {"in": ["1", "PMC1"]}}, {"source_id": {"in": ["1", "PMC1"]}}],
        ),
        ({"eq": "PMC1", "exists": True}, [{"source_id": {"in": ["1", "PMC1"]}}, {"source_id": {"exists": True}}]),
    ],
)
def test_each_operator_on_a_pmc_id_is_translated(given: Any, parts: Any) -> None:
    assert known_filters({"source_id": given, "journal": "J"}) == {"journal": "J", "and": parts}
    asked = {"and": [{"source_id": given}, {"journal": "J"}], "source_id": given}
    assert known_filters(asked) == {"and": [{"and": parts}, {"journal": "J"}, *parts]}
    assert known_filters({"and": "J", "source_id": given}) == {"and": "J", "source_id": given}, "refused by the core"
