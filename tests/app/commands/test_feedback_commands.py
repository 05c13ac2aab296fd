"""`footnote feedback` and `footnote experiments`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.running import Done, RunCli
from tests.fakes.ollama import ollama_server

PROFILE = """
tenant: kennel
answer: {variants: [{name: plain}, {name: terse}]}
llm: {provider: ollama, model: m, base_url: "URL"}
"""
Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    (tmp_path / "beagle.txt").write_text("Beagles need 60 minutes of exercise a day.\n")
    file = tmp_path / "kennel.yaml"

    def say(command: str, *arguments: str) -> Done:
        return run_cli(command, str(file), *arguments)

    with ollama_server(
        lambda asked: "I do not know." if "cats" in asked.last else "Beagles need 60 minutes [1]."
    ) as it:
        file.write_text(PROFILE.replace("URL", it.url))
        assert say("ingest", str(tmp_path / "beagle.txt")).code == 0
        yield say


def ask(run: Run, question: str) -> str:
    answer_id: str = json.loads(run("ask", question, "--json").out)["answer_id"]
    return answer_id


def test_feedback_is_given_listed_exported_and_withdrawn(run: Run) -> None:
    assert run("feedback").out == "There is no feedback.\n"
    reported = run("ask", "How much exercise does a beagle need?").out.splitlines()[-1]
    found = re.fullmatch(r"answer (\S+), prompt (plain|terse)", reported)
    assert found is not None
    good = found[1]
    given = run("feedback", good, "--helpful", "--right", "1", "--comment", "Yes \x1b[31m!")
    assert (given.code, given.out) == (0, f"{good}: helpful: yes, citation 1 right\n")
    bad, unknown = ask(run, "How many minutes do beagles need?"), ask(run, "And what of cats?")
    assert run("feedback", bad, "--not-helpful", "--wrong", "1").code == 0
    assert run("feedback", unknown, "--helpful").code == 0
    listed = run("feedback").out.splitlines()
    assert listed[0].split() == ["ANSWER", "WHEN", "BY", "HELPFUL", "WRONG", "QUESTION", "COMMENT"]
    assert [line.split()[0] for line in listed[1:]] == [unknown, bad, good]
    assert listed[3].endswith("Yes [31m!")
    assert [
        one["answer_id"] for one in json.loads(run("feedback", "list", "--not-helpful", "--json").out)["feedback"]
    ] == [bad]
    lines = {line["id"]: line for line in map(json.loads, run("feedback", "export").out.splitlines())}
    assert lines[good]["documents"] == ["beagle.txt"]
    assert "documents" not in lines[bad]
    assert (lines[unknown]["unanswerable"], lines[unknown]["question"]) == (True, "And what of cats?")
    assert lines[good]["feedback"][0]["comment"] == "Yes \x1b[31m!"
    assert run("feedback", bad, "--withdraw").out == f"taken back: {bad}\n"
    assert bad not in run("feedback").out
    again = run("feedback", bad, "--withdraw")
    assert (again.code, again.err) == (1, f'footnote: there is no feedback of yours on answer "{bad}"\n')


def test_the_export_names_documents_by_their_files(run: Run, tmp_path: Path) -> None:
    """As golden questions do, which `metadata -> identity` calls otherwise; one that is gone is not expected."""
    with (tmp_path / "kennel.yaml").open("a") as profile:
        profile.write("metadata: {fields: {kind: {type: keyword}}, identity: {fields: [kind], id: fields}}\n")
    for name in ("collie", "husky"):
        (tmp_path / f"{name}.md").write_text(f"---\nkind: breed\n---\nA {name} sleeps twelve hours a day.\n")
        assert run("ingest", str(tmp_path / f"{name}.md")).code == 0
    answers = {name: ask(run, f"How long does a {name} sleep each day?") for name in ("collie", "husky")}
    for answer_id in answers.values():
        assert run("feedback", answer_id, "--helpful", "--right", "1").code == 0
    assert run("documents", "delete", "breed_husky").code == 0
    lines = {line["id"]: line for line in map(json.loads, run("feedback", "export").out.splitlines())}
    assert lines[answers["collie"]]["documents"] == ["collie.md"]
    assert "documents" not in lines[answers["husky"]]


def test_variants_are_reported_as_text_and_as_json(run: Run) -> None:
    answer_id = ask(run, "How much exercise does a beagle need?")
    run("feedback", answer_id, "--helpful")
    report = run("experiments").out.splitlines()
    assert report[0].split()[:3] == ["VARIANT", "WEIGHT", "ANSWERS"]
    assert {line.split()[0] for line in report[1:3]} == {"plain", "terse"}
    assert any("1/1, 100 % (21-100)" in line for line in report[1:3])
    assert "no comparison until users have rated answers of both." in " ".join(report)
    reported = json.loads(run("experiments", "--json").out)
    assert sum(one["answers"] for one in reported["variants"]) == 1
    assert [one["tells_apart"] for one in reported["contrasts"]] == [False]


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "--comment", "x"),
        ("export", "--withdraw"),
        ("some-answer", "--withdraw", "--helpful"),
        ("some-answer",),
    ],
)
def test_conflicting_options_are_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("feedback", *arguments).code == 2


def test_an_unknown_answer_is_named(run: Run) -> None:
    unknown = run("feedback", "none", "--helpful")
    assert (unknown.code, unknown.out) == (1, "")
    assert unknown.err.startswith('footnote: no answer "none" is stored')


def test_questions_to_judge_are_listed_until_they_are_judged(run: Run) -> None:
    assert run("feedback", "next").out == "There are no questions to judge.\n"
    for _ in range(2):
        ask(run, "How much exercise does a beagle need?")
    heads, line = run("feedback", "next").out.splitlines()
    assert heads.split() == ["ANSWER", "ASKED", "CONFIDENCE", "ABSTAINED", "QUESTION"]
    assert line.split()[1] == "2"
    [listed] = json.loads(run("feedback", "next", "--json").out)["questions"]
    assert run("feedback", listed["answer_id"], "--helpful").code == 0
    assert json.loads(run("feedback", "next", "--json").out)["questions"] == []
