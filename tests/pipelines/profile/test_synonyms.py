from pathlib import Path

import pytest

from pipelines.errors import ProfileError
from pipelines.profile.synonyms import Synonyms, read_synonyms, synonym_problems

KEY = "retrieval -> expansion -> synonyms"


def test_lines_are_read_with_remarks_left_out(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.txt"
    file.write_text(
        "# of drugs\nGLP-1,  incretin   mimetic # both\n\nsemaglutide, liraglutide => GLP-1\n", encoding="utf-8"
    )
    both = ("GLP-1", "incretin mimetic")
    assert read_synonyms(file) == (Synonyms(both, both), Synonyms(("semaglutide", "liraglutide"), ("GLP-1",)))


def test_without_a_file_there_are_no_synonyms() -> None:
    assert read_synonyms(None) == ()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("alone", "line 2: a single phrase has no synonym; add others, separated by commas"),
        ("a =>", 'line 2: one side of "=>" is empty'),
        ("a ~", 'line 2: one side of "~" is empty'),
        ("a ~ b ~ c", 'line 2: "~" occurs twice; write two lines'),
        ("a => b ~ c", 'line 2: "=>" and "~" stand in one line; write two lines'),
        ("a => b => c", 'line 2: "=>" occurs twice; write two lines'),
    ],
)
def test_an_empty_rule_is_reported_with_its_line(line: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "synonyms.txt"
    file.write_text(f"a, b\n{line}\n")
    assert list(map(str, synonym_problems(file))) == [f"{KEY}: synonyms.txt, {fault}"]
    with pytest.raises(ProfileError, match="line 2"):
        read_synonyms(file)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    [problem] = synonym_problems(tmp_path / "words.txt")
    assert (
        str(problem) == f"{KEY}: words.txt cannot be read (relative to the profile's folder): No such file or directory"
    )


def test_text_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.txt"
    file.write_bytes("grün, vert".encode("latin-1"))
    assert list(map(str, synonym_problems(file))) == [f"{KEY}: synonyms.txt is not UTF-8 text"]


def test_the_path_counts_from_the_profile(write, load) -> None:
    write("a, b\n", "words/synonyms.txt")
    profile = load("retrieval: {expansion: {synonyms: words/synonyms.txt}}")
    assert read_synonyms(profile.retrieval.expansion.synonyms) == (Synonyms(("a", "b"), ("a", "b")),)


def test_related_terms_are_for_synonyms_and_not_for_names(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.txt"
    file.write_text("foot ~ neuropathy, ulcer\n")
    assert read_synonyms(file) == (Synonyms(("foot",), ("neuropathy", "ulcer"), related=True),)
    [problem] = synonym_problems(file, "names")
    assert "is for the file of synonyms" in problem.message


def test_a_name_may_stand_alone_for_a_thing_that_goes_by_no_other(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("Pug\n")
    assert read_synonyms(file, "names") == (Synonyms(("Pug",), ("Pug",)),)
