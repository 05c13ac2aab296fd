from pathlib import Path

import pytest

from pipelines.errors import FileNotFound, InvalidRequest, OutsideRoots
from pipelines.ingestion.sources import documents_at, named_file
from tests.packing import packed
from tests.pipelines.ingestion.test_folder import unprivileged


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


def test_links_in_a_circle_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "there.md").symlink_to("back.md")
    (tmp_path / "back.md").symlink_to("there.md")
    (tmp_path / "here").symlink_to(".")
    assert [document.source for document in documents_at(tmp_path, {})] == ["a.md"]


def test_what_may_not_be_read_fails_by_name(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for name in ("a.md", "closed/b.md", "listed/c.md"):
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text("x")
    with unprivileged(tmp_path):
        (docs / "closed").chmod(0)
        (docs / "listed").chmod(0o600)
        try:
            found = documents_at(docs, {})
            with pytest.raises(InvalidRequest, match="may not be read"):
                documents_at(docs / "closed", {})
        finally:
            (docs / "closed").chmod(0o700)
            (docs / "listed").chmod(0o700)
    assert [document.source for document in found] == ["a.md", "closed", "listed/c.md"]


def test_an_archive_counts_as_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(packed(one_md="1", deep__two_md="2"))
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 broken")
    found = documents_at(tmp_path, {})
    assert [document.source for document in found] == ["a.md", "b.zip/deep/two.md", "b.zip/one.md", "broken.zip"]
    assert [document.source for document in documents_at(tmp_path / "b.zip", {})] == [
        "b.zip/deep/two.md",
        "b.zip/one.md",
    ]


def test_nothing_at_the_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="no such file or folder"):
        documents_at(tmp_path / "absent", {})


def test_a_relative_link_that_leads_out_of_one_of_several_folders_is_refused(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for root in (first, second):
        root.mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (second / "link.md").symlink_to(tmp_path / "secret.md")
    (second / "plain.md").write_text("plain")
    roots = (first.resolve(), second.resolve())
    with pytest.raises(OutsideRoots):
        named_file("link.md", roots, first)
    with pytest.raises(FileNotFound):
        named_file("none.md", roots, first)
    assert named_file("plain.md", roots, first) == (roots[1] / "plain.md", "second/plain.md")
    (first / "link.md").write_text("a file of this name in another folder is meant")
    assert named_file("link.md", roots, roots[0]) == (roots[0] / "link.md", "link.md")
