"""A folder of documents that nobody wrote a profile for: asked at once, and made a tenant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.ingestion.survey import survey
from pipelines.profile.loader import load_profile
from tests.app.running import RunCli

BACKUPS = "# Backups\n\nBackups run every night at two. They are kept for thirty days.\n"
HANDBOOK = """# Employee handbook

## Hours

Core hours are from 10:00 to 15:00. Everyone works 38 hours a week.

## Expenses

Receipts above 25 euros must be submitted within 30 days. Taxi rides need the approval of a team lead.

### Who approves travel?

- Trips under 500 euros: your team lead
- Trips from 500 to 5,000 euros: the head of department
"""
LEAVE = "# Leave\n\nEvery person has twenty-eight days of leave a year.\n"


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as people have it, in the working folder."""
    docs = tmp_path / "My Docs"
    (docs / "ops").mkdir(parents=True)
    (docs / "node_modules").mkdir()
    (docs / "ops" / "backups.md").write_text(f"---\nteam: ops\nyear: 2024\ntags: [a, b]\nowner: Ann\n---\n{BACKUPS}")
    (docs / "leave.md").write_text(f"---\nteam: people\nyear: 2023\nowner: 7\n---\n{LEAVE}")
    (docs / "node_modules" / "readme.md").write_text("Backups are for other people.")
    (docs / "logo.xyz").write_bytes(b"\0\1\2")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    return docs


def test_a_folder_without_a_profile_can_be_ingested_and_asked(docs: Path, run_cli: RunCli) -> None:
    asked = run_cli("ask", "My Docs", "How long are backups kept?")
    assert asked.code == 0
    assert "kept for thirty days" in asked.out
    assert asked.err.splitlines() == [
        "footnote: read 2 documents of My Docs",
        "footnote: could not read 1 file; see: footnote documents 'My Docs' list --state failed",
    ]
    (docs / "ops" / "backups.md").unlink()
    (docs / "moon.md").write_text("The moon is 384,400 km away.")
    asked = run_cli("ask", "My Docs", "How far away is the moon?")
    assert "384,400" in asked.out
    assert "read 1 document of My Docs, 1 removed" in asked.err
    assert "logo.xyz" in run_cli("documents", "My Docs", "list", "--state", "failed").out


def test_a_question_to_a_folder_without_documents_says_to_put_some_into_it(
    docs: Path, run_cli: RunCli, tmp_path: Path
) -> None:
    (tmp_path / "bare").mkdir()
    asked = run_cli("ask", str(tmp_path / "bare"), "How long are backups kept?")
    assert asked.err.endswith("bare holds no documents that can be read; put some into it and ask again\n")


def test_folders_of_one_name_are_separate_tenants(docs: Path, run_cli: RunCli, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "My Docs"
    other.mkdir(parents=True)
    (other / "moon.md").write_text("The moon is 384,400 km away.")
    run_cli("ask", "My Docs", "How long are backups kept?")
    found = json.loads(run_cli("search", str(other), "backups", "--json").out)["results"]
    assert {hit["document_id"] for hit in found} == {"moon.md"}


def test_init_leaves_out_what_no_reader_knows_however_its_ending_is_written(docs: Path, run_cli: RunCli) -> None:
    (docs / "LOGO.XYZ").write_bytes(b"\0\1\2")
    done = run_cli("init", "My Docs", "--name", "ours")
    assert "left out, as Footnote reads no such files: 1 .XYZ, 1 .xyz" in done.out
    assert "2 documents read, 0 failed" in done.out


def test_init_writes_a_profile_and_golden_questions_and_answers_a_first_one(docs: Path, run_cli: RunCli) -> None:
    done = run_cli("init", "My Docs", "--name", "ours")
    assert (done.code, done.err) == (0, "")
    assert "3 files: 2 Markdown" in done.out
    assert "left out, as Footnote reads no such files: 1 .xyz" in done.out
    assert "2 documents read, 0 failed" in done.out
    assert 'footnote ask ours "..."' in done.out
    loaded = load_profile("ours")
    assert loaded.knowledge_folder == docs
    fields = {name: field.type for name, field in loaded.profile.metadata.fields.items()}
    assert fields == {"team": "keyword", "year": "integer", "tags": "keywords"}  # owners are of two types
    asked = run_cli("ask", "ours", "How long are backups kept?", "--filter", '{"year": {"gte": 2024}}')
    assert "thirty days" in asked.out
    golden = [json.loads(line) for line in Path("configs/ours/golden.jsonl").read_text().splitlines()]
    assert {line["documents"][0] for line in golden} == {"ops/backups.md", "leave.md"}
    assert run_cli("check", "ours").code == 0
    again = run_cli("ask", "My Docs", "How much leave is there?")
    assert (again.err, "twenty-eight" in again.out) == ("", True)  # the folder means its tenant


def test_the_first_question_of_init_is_one_that_the_documents_answer(docs: Path, run_cli: RunCli) -> None:
    (docs / "alpha.md").write_text(HANDBOOK)
    done = run_cli("init", "My Docs", "--name", "ours")
    assert "documents don't answer" in run_cli("ask", "ours", "What is said about Employee handbook?").out
    assert "> What is said about Leave?\n\nEvery person has twenty-eight days of leave a year. [1]\n" in done.out
    assert "documents don't answer" not in done.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("empty",), "empty: holds no documents"),
        (("My Docs", "--name", "Ours"), "tenant: must be at most 63 lower-case letters"),
        (("My Docs", "--name", "a/b"), "tenant: must be at most 63 lower-case letters"),
        (("My Docs", "--name", "../b"), "tenant: must be at most 63 lower-case letters"),
        (("no\udcff",), r"'no\udcff': has a name that no profile can hold; rename the folder"),
        (("absent",), "does not exist"),
    ],
)
def test_init_refuses_an_unusable_folder(docs: Path, run_cli: RunCli, arguments: tuple[str, ...], reason: str) -> None:
    for name in ("empty", "no\udcff"):
        (docs.parent / name).mkdir()
    done = run_cli("init", *arguments)
    assert done.code == 2
    assert reason in done.err
    assert not list(docs.parent.glob("configs/*"))


def test_the_working_folder_is_made_a_tenant_without_its_own_profile(
    docs: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(docs)
    assert run_cli("init", ".", "--name", "null").code == 0
    assert load_profile("null").profile.tenant == "null"
    listed = json.loads(run_cli("documents", "null", "list", "--json").out)["documents"]
    assert {one["document_id"] for one in listed} == {"leave.md", "ops/backups.md"}


def test_a_profile_that_cannot_be_written_is_refused(docs: Path, run_cli: RunCli) -> None:
    (docs.parent / "configs").write_text("a file")
    done = run_cli("init", "My Docs")
    assert (done.code, done.err) == (2, "footnote: configs: configs is a file; name another folder\n")


def test_init_keeps_an_existing_profile(docs: Path, run_cli: RunCli) -> None:
    (docs.parent / "configs" / "my-docs").mkdir(parents=True)
    assert "configs/my-docs: is there already" in run_cli("init", "My Docs").err


def test_fields_of_one_type_are_proposed(docs: Path) -> None:
    (docs / "third.md").write_text("---\nday: 2024-05-01\ndone: true\nshare: 0.5\nand: x\nTeam: y\nteam: null\n---\nx")
    found = survey(docs).fields
    assert {name: field.type for name, field in found.items()} == {
        "team": "keyword", "year": "integer", "tags": "keywords",
        "day": "datetime", "done": "boolean", "share": "float",
    }  # fmt: skip
    assert found["team"].documents == 2
