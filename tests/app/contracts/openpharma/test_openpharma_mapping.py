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
        ({"prefix": "PMC1"}, {"prefix": "PMC1"}),
        ({"eq": 5}, {"eq": 5}),
        ({"in": "PMC12"}, {"in": "PMC12"}),
    ],
)
def test_a_pmc_id_filter_matches_with_and_without_its_prefix(given: Any, known: Any) -> None:
    assert known_filters({"source_id": given, "journal": "PMC12"}) == {"source_id": known, "journal": "PMC12"}
