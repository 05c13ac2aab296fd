"""`footnote conversations`, and `footnote ask --conversation`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.running import RunCli


@pytest.fixture
def file(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    (tmp_path / "beagle.txt").write_text(
        "Beagles need 60 minutes of exercise a day.\n\nBeagles live for 12 to 15 years.\n"
    )
    (tmp_path / "pug.txt").write_text("Pugs need 30 minutes of exercise a day.\n\nPugs live for 13 to 15 years.\n")
    file = tmp_path / "kennel.yaml"
    file.write_text("tenant: kennel\n")
    assert run_cli("ingest", str(file), str(tmp_path / "beagle.txt"), str(tmp_path / "pug.txt")).code == 0
    return str(file)


def test_a_conversation_is_continued_shown_and_deleted(file: str, run_cli: RunCli) -> None:
    assert run_cli("conversations", file).out == "There are no conversations.\n"
    first = run_cli("ask", file, "How much exercise does a beagle need?", "--conversation", "mine")
    assert first.out.endswith("\nconversation mine\n")
    second = run_cli("ask", file, "How long do they live?", "--conversation", "mine")
    assert "\nlooked for: How long do they live? beagle\n" in second.out
    listed = run_cli("conversations", file, "list").out.splitlines()
    assert listed[0].split() == ["ID", "TURNS", "LAST", "EXPIRES", "FIRST", "QUESTION"]
    assert listed[1].startswith("mine  2      ")
    shown = run_cli("conversations", file, "show", "mine").out
    assert "How long do they live?\nlooked for: How long do they live? beagle\n\nBeagles live for" in shown
    assert "[1] beagle" in shown
    exported = json.loads(run_cli("conversations", file, "export", "mine").out)
    assert [turn["question"] for turn in exported["turns"]] == [
        "How much exercise does a beagle need?",
        "How long do they live?",
    ]
    assert exported["turns"][1]["citations"][0]["quote"] == "Beagles live for 12 to 15 years."
    assert run_cli("conversations", file, "delete", "mine").out == "deleted mine: 2 turns\n"
    gone = run_cli("conversations", file, "show", "mine")
    assert (gone.code, gone.err) == (1, 'footnote: no conversation "mine"\n')


def test_the_list_as_json_is_one_document(file: str, run_cli: RunCli) -> None:
    for name in ("one", "two"):
        run_cli("ask", file, "How much exercise does a beagle need?", "--conversation", name)
    listed = json.loads(run_cli("conversations", file, "--json").out)
    assert [one["conversation_id"] for one in listed["conversations"]] == ["two", "one"]


@pytest.mark.parametrize("arguments", [("show",), ("list", "mine"), ("delete",), ("export",), ("throw", "mine")])
def test_an_action_without_its_argument_is_wrong_usage(file: str, run_cli: RunCli, arguments: tuple[str, ...]) -> None:
    assert run_cli("conversations", file, *arguments).code == 2
