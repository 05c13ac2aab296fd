from pathlib import Path

import pytest

from pipelines.errors import ProfileError
from pipelines.profile.loader import load_profile
from pipelines.profile.synonyms import Synonyms, read_synonyms

KEY = "retrieval -> expansion -> synonyms"


def test_lines_are_read_with_remarks_left_out(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.txt"
    file.write_text(
        "# of drugs\nGLP-1,  incretin   mimetic # both\n\nsemaglutide, liraglutide => GLP-1\n", encoding="utf-8"
    )
    both = ("GLP-1", "incretin mimetic")
    assert read_synonyms(file) == (Synonyms(both, both), Synonyms(("semaglutide", "liraglutide"), ("GLP-1",)))


def test_no_file_is_no_synonyms() -> None:
    assert read_synonyms(None) == ()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("alone", "line 2: one phrase alone means nothing else; write others behind it, with commas between them"),
        ("a =>", 'line 2: nothing stands on one side of "=>"'),
        ("a => b => c", 'line 2: "=>" stands in it twice; write two lines'),
    ],
)
def test_a_line_that_says_nothing_is_told_when_the_profile_is_checked(line: str, fault: str, write, problems) -> None:
    write(f"a, b\n{line}\n", "synonyms.txt")
    assert problems("retrieval: {expansion: {synonyms: synonyms.txt}}") == [f"{KEY}: synonyms.txt, {fault}"]


def test_a_file_that_is_missing_is_told(problems) -> None:
    found = problems("retrieval: {expansion: {synonyms: words.txt}}")
    assert found == [f"{KEY}: words.txt cannot be read, seen from the profile's folder: No such file or directory"]


def test_text_that_is_not_utf8_is_told(write, problems) -> None:
    write("grün, vert".encode("latin-1"), "synonyms.txt")
    assert problems("retrieval: {expansion: {synonyms: synonyms.txt}}") == [f"{KEY}: synonyms.txt is not text in UTF-8"]


def test_the_path_counts_from_the_profile(write, load) -> None:
    write("a, b\n", "words/synonyms.txt")
    profile = load("retrieval: {expansion: {synonyms: words/synonyms.txt}}")
    assert profile.retrieval.expansion.synonyms.is_absolute()
    assert read_synonyms(profile.retrieval.expansion.synonyms) == (Synonyms(("a", "b"), ("a", "b")),)


def test_a_profile_without_synonyms_can_be_loaded(write) -> None:
    assert load_profile(write("tenant: a")).profile.retrieval.expansion.synonyms is None
    with pytest.raises(ProfileError):
        read_synonyms(Path("/nonexistent/synonyms.txt"))
