"""Names of the tenants that folders without a profile become."""

from pathlib import Path

import pytest

from pipelines.profile.folders import tenant_name


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("My Docs", "my-docs"),
        ("My Handböök", "my-handbook"),
        ("Straße & Café", "strasse-cafe"),
        ("2024", "docs-2024"),
        ("---", "docs"),
        ("手册", "docs"),
        ("a" * 39 + "-b", "a" * 39),
    ],
)
def test_a_folder_gives_its_tenant_a_name_of_plain_letters(folder: str, name: str) -> None:
    assert tenant_name(Path("/srv") / folder) == name
