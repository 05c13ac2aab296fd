"""`footnote stats`, on a tenant of one document; through a server: `test_through_server`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.app.running import RunCli

BEAGLE = "Beagles need 60 minutes of exercise a day.\n"
QUESTION = "How much exercise does a beagle need?"


@pytest.fixture
def file(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    (tmp_path / "beagle.txt").write_text(BEAGLE)
    file = tmp_path / "kennel.yaml"
    file.write_text("{tenant: kennel, metadata: {fields: {kind: {type: keyword}}}, answer: {cache: {mode: exact}}}")
    assert run_cli("ingest", str(file), str(tmp_path / "beagle.txt")).code == 0
    return str(file)


def test_stats_show_sizes_top_questions_and_unanswered_questions(file: str, run_cli: RunCli) -> None:
    bare = run_cli("stats", file).out
    assert re.search(r"^documents +1$", bare, re.MULTILINE)
    assert "ASKED" not in bare
    run_cli("ask", file, QUESTION)
    for _ in range(2):
        run_cli("ask", file, "What is a pug?", "--filter", '{"kind": "cat"}')
    reported = run_cli("stats", file).out.splitlines()
    assert reported[reported.index("") :][1].split() == ["ASKED", "MOST", "TIMES", "LAST", "RELEVANCE"]
    assert [line.split("  ")[0] for line in reported if "?" in line] == ["What is a pug?", QUESTION, "What is a pug?"]
    assert re.match(r"What is a pug\?  +2  +\S+ \S+  filtered_out$", reported[-1])
    few = json.loads(run_cli("stats", file, "--json", "--most", "1").out)
    assert (few["documents"], len(few["top_questions"]), few["answer_cache"]["mode"]) == (1, 1, "exact")
    assert few["unanswered"][0]["count"] == 2
