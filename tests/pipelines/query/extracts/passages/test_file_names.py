"""What the name of a file says of a document beyond its title."""

import pytest

from pipelines.query.extracts.passages.file_names import unsaid_file_name


@pytest.mark.parametrize(
    ("source", "above", "said"),
    [
        ("bills/bill QX-40417.pdf", "Ebb Ferries bill", "bill QX-40417"),
        ("bills/bill QX-40417.pdf", "Ebb Ferries bill 40417", ""),
        ("docs/tide_tables.md", "Tide tables", ""),
        ("docs/tide_tables.md", "Tables", "tide tables"),
        ("docs/tides 2.md", "Tides", ""),
        ("docs/tides-0042.md", "Tides 42", ""),
    ],
)
def test_a_name_says_more_if_a_word_or_a_number_of_it_is_nowhere_above(source: str, above: str, said: str) -> None:
    assert unsaid_file_name(source, above) == said
