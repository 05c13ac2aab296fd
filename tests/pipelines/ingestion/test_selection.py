from pathlib import Path

import pytest

from pipelines.errors import ProfileError
from pipelines.ingestion.folder import scan
from pipelines.ingestion.selection import Selection
from pipelines.ingestion.sources import documents_at
from pipelines.profile.loader import load_profile
from tests.packing import packed


def folder(root: Path, **files: str) -> Path:
    for name, text in files.items():
        file = root / name.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def taken(root: Path, selection: Selection) -> list[str]:
    """What a synchronisation takes; a load of the folder takes the same."""
    found = list(scan(root, selection).files)
    assert sorted(str(one.source) for one in documents_at(root, {}, selection=selection)) == found
    return found


def docs(root: Path) -> Path:
    names = ("a.md", "b.txt", "guides/one.md", "guides/draft.md", "guides/deep/two.md", "node_modules/left/readme.md")
    return folder(root, **dict.fromkeys(names, "x"))


def test_packages_are_left_out_without_being_named(tmp_path: Path) -> None:
    assert taken(docs(tmp_path), Selection()) == [
        "a.md", "b.txt", "guides/deep/two.md", "guides/draft.md", "guides/one.md",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (("*.txt",), (), ["b.txt"]),
        (("guides/**",), ("draft.md",), ["guides/deep/two.md", "guides/one.md"]),
        ((), ("guides/",), ["a.md", "b.txt"]),
        (("*.md", "!draft.md"), ("deep",), ["a.md", "guides/one.md"]),
    ],
)
def test_patterns_choose_files(
    tmp_path: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    assert taken(docs(tmp_path), Selection(include, exclude)) == expected


def test_gitignore_files_hold_for_their_folder_and_the_nearest_one_decides(tmp_path: Path) -> None:
    docs(tmp_path)
    (tmp_path / ".gitignore").write_text("*.txt\ndraft.md\n!\n")
    (tmp_path / "guides" / ".gitignore").write_text("!draft.md\n/one.md\n")
    assert taken(tmp_path, Selection()) == ["a.md", "guides/deep/two.md", "guides/draft.md"]
    assert len(taken(tmp_path, Selection(gitignore=False))) == 5


def test_a_folder_of_data_is_not_looked_into(tmp_path: Path) -> None:
    root = folder(tmp_path / "docs", a__md="x", data__pets__config="x", below__data__b="x")
    link = tmp_path / "link"
    link.symlink_to(root)
    for never in ((root / "data",), (link / "data", tmp_path)):
        assert taken(root, Selection(never=never)) == ["a/md", "below/data/b"]


def test_patterns_reach_into_archives(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(packed(one_md="1", two_txt="2", venv__three_md="3"))
    assert taken(tmp_path, Selection(("*.md",))) == ["b.zip/one.md"]
    assert taken(tmp_path, Selection(exclude=("b.zip",))) == []


def test_a_profile_names_patterns(tmp_path: Path) -> None:
    text = "tenant: t\nknowledge: {path: ., include: ['*.md'], exclude: [drafts/], gitignore: false}\n"
    (tmp_path / "profile.yaml").write_text(text)
    section = load_profile(tmp_path).profile.knowledge
    assert Selection.of(section) == Selection(("*.md",), ("drafts/",), gitignore=False)


def test_a_profile_with_a_wrong_pattern_is_refused(tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text("tenant: t\nknowledge: {path: ., exclude: ['*.md', '!']}\n")
    with pytest.raises(ProfileError, match=r"knowledge -> exclude -> 1: is not a pattern"):
        load_profile(tmp_path)
