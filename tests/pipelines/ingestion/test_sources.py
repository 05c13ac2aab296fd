from pathlib import Path

import pytest

from pipelines.errors import InvalidRequest
from pipelines.ingestion.sources import documents_at


def test_files_of_a_folder_are_named_by_their_relative_paths(tmp_path: Path) -> None:
    for name in ("b/two.md", "a.md", "b/c/three.pdf", ".git/config", "b/.hidden.md"):
        file = tmp_path / "docs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    found = documents_at(tmp_path / "docs", {"year": 2024})
    assert [document.source for document in found] == ["a.md", "b/c/three.pdf", "b/two.md"]
    assert all(document.metadata == {"year": 2024} for document in found)


def test_links_that_lead_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "docs" / "link.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "docs" / "up").symlink_to(tmp_path)
    assert documents_at(tmp_path / "docs", {}) == []


def test_nothing_at_the_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="no such file or folder"):
        documents_at(tmp_path / "absent", {})
