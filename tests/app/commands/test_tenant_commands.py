"""ingest, search, ask and documents on a tenant of one small folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pipelines.components.store.edge.sparse_files import copy_with_holes
from tests.app.running import RunCli
from tests.packing import packed

PROFILE = """
tenant: breeds
metadata: {fields: {species: {type: keyword, values: [dog, cat]}, year: {type: integer}}}
"""
COLLIE = "# Border Collie\n\n## Exercise\n\nA Border Collie needs at least two hours of exercise every day.\n"
PERSIAN = "The Persian is a cat with long fur.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile, a folder of documents, and a place for the data."""
    (tmp_path / "breeds.yaml").write_text(PROFILE)
    (tmp_path / "docs" / "dogs").mkdir(parents=True)
    (tmp_path / "docs" / "dogs" / "collie.md").write_text(COLLIE)
    (tmp_path / "docs" / "persian.txt").write_text(PERSIAN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.fixture(scope="module")
def _once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the data of the tenant with its documents is kept, once a test has made it."""
    return tmp_path_factory.mktemp("filled") / "data"


@pytest.fixture
def filled(folder: Path, run_cli: RunCli, _once: Path) -> Path:
    """The same, with the documents brought in."""
    if not _once.exists():
        assert run_cli("ingest", "breeds.yaml", "docs", "--metadata", "year=2020", "--data", str(_once)).code == 0
    shutil.copytree(_once, folder / "data", copy_function=copy_with_holes)
    return folder


def test_a_folder_is_ingested_and_summed_up(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("ingest", "breeds.yaml", "docs")
    assert (done.code, done.out, done.err) == (0, "2 ready, 0 unchanged, 0 failed\n", "")
    (folder / "docs" / "persian.txt").write_text("The Persian is calm.")
    assert run_cli("ingest", "breeds.yaml", "docs").out == "1 ready, 1 unchanged, 0 failed\n"
    assert (folder / "data").is_dir()


def test_the_data_are_no_documents_of_the_folder_around_them(folder: Path, run_cli: RunCli) -> None:
    (folder / "breeds.yaml").write_text(f"{PROFILE}knowledge: {{path: docs}}\n")
    data = ("--data", "docs/data")
    assert run_cli("ingest", "breeds.yaml", "docs", *data).out == "2 ready, 0 unchanged, 0 failed\n"
    assert run_cli("ingest", "breeds.yaml", "docs", *data).out == "0 ready, 2 unchanged, 0 failed\n"
    assert run_cli("sync", "breeds.yaml", *data).out.startswith("0 new, 0 changed, 2 unchanged, 0 failed, ")


def test_a_file_that_cannot_be_read_is_listed_with_its_reason(folder: Path, run_cli: RunCli) -> None:
    (folder / "docs" / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    done = run_cli("ingest", "breeds.yaml", "docs")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "2 ready, 0 unchanged, 1 failed"
    assert done.out.startswith("failed: broken.pdf: not a readable PDF file")
    assert done.err == "footnote: 1 of 3 documents failed, the others are in\n"
    assert run_cli("ingest", "breeds.yaml", "docs", "--strict").code == 1


def test_files_of_a_folder_that_the_profile_excludes_are_left_out_and_counted(folder: Path, run_cli: RunCli) -> None:
    (folder / "breeds.yaml").write_text(f"{PROFILE}knowledge: {{exclude: ['*.txt']}}")
    done = run_cli("ingest", "breeds.yaml", "docs")
    assert (done.code, done.out) == (0, "1 ready, 0 unchanged, 0 failed\n")
    assert done.err == "footnote: the profile leaves out 1 file in docs: knowledge -> include, exclude\n"
    named = run_cli("ingest", "breeds.yaml", "docs/persian.txt")
    assert (named.out, named.err) == ("1 ready, 0 unchanged, 0 failed\n", "")


def test_chunks_of_a_recording_are_listed_with_their_times(folder: Path, run_cli: RunCli) -> None:
    (folder / "talk.vtt").write_text("WEBVTT\n\n01:05.000 --> 01:09.000\nThe Pug snores.\n", encoding="utf-8")
    run_cli("ingest", "breeds.yaml", "talk.vtt")
    assert "0-15  at 1:05\n" in run_cli("documents", "breeds.yaml", "chunks", "talk.vtt").out


def test_an_archive_counts_as_a_folder(folder: Path, run_cli: RunCli) -> None:
    (folder / "pets.zip").write_bytes(packed(dogs__pug_md="The Pug snores.", blank_txt=" "))
    done = run_cli("ingest", "breeds.yaml", "pets.zip")
    assert (done.code, done.out.splitlines()[-1]) == (0, "1 ready, 0 unchanged, 1 failed")
    assert done.out.startswith("failed: pets.zip/blank.txt: ")
    assert run_cli("ingest", "breeds.yaml", "pets.zip", "--strict").code == 1
    assert "snores" in run_cli("documents", "breeds.yaml", "content", "pets.zip/dogs/pug.md").out
    (folder / "pets.zip").write_bytes(b"PK\x03\x04")
    assert run_cli("ingest", "breeds.yaml", "pets.zip").code == 1


def test_an_archive_can_be_ingested_by_a_job(folder: Path, run_cli: RunCli) -> None:
    (folder / "pets.zip").write_bytes(packed(pug_md="The Pug snores."))
    (job_id,) = run_cli("ingest", "breeds.yaml", "pets.zip", "--no-wait").out.split()
    assert "files    0/1\n" in run_cli("jobs", "breeds.yaml", "show", job_id).out


def test_an_empty_folder_ends_with_0_and_strict_failures_with_1(folder: Path, run_cli: RunCli) -> None:
    (folder / "empty").mkdir()
    done = run_cli("ingest", "breeds.yaml", "empty", "--strict")
    assert (done.code, done.out.splitlines()[0]) == (0, "There are no documents at these paths.")
    (folder / "empty" / "blank.txt").write_text(" ")
    done = run_cli("ingest", "breeds.yaml", "empty")
    assert (done.code, done.out.splitlines()[-1]) == (0, "0 ready, 0 unchanged, 1 failed")
    assert done.out.startswith("failed: blank.txt: ")
    assert run_cli("ingest", "breeds.yaml", "empty", "--strict").code == 1


def test_a_failing_named_file_ends_with_1_and_says_if_others_are_in(folder: Path, run_cli: RunCli) -> None:
    (folder / "blank.txt").write_text(" ")
    done = run_cli("ingest", "breeds.yaml", "docs", "blank.txt")
    assert (done.code, done.out.splitlines()[-1]) == (1, "2 ready, 0 unchanged, 1 failed")
    assert done.err == "footnote: 1 of 3 documents failed, the others are in\n"
    alone = run_cli("ingest", "breeds.yaml", "blank.txt")
    assert (alone.code, alone.err) == (1, "")


def test_a_path_that_does_not_exist_ends_with_2(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("ingest", "breeds.yaml", "docs", "nowhere")
    assert done.code == 2
    assert "nowhere" in done.err
    assert not (folder / "data").exists()


def test_several_paths_are_one_ingestion_and_json_lists_each(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("ingest", "breeds.yaml", "docs/persian.txt", "docs/dogs", "--json", "--data", "elsewhere")
    result = json.loads(done.out)
    assert (result["ready"], result["unchanged"], result["failed"]) == (2, 0, 0)
    assert [document["document_id"] for document in result["documents"]] == ["persian.txt", "collie.md"]
    assert (folder / "elsewhere").is_dir()


def test_metadata_is_typed_by_the_profile(filled: Path, run_cli: RunCli) -> None:
    assert (
        json.loads(run_cli("documents", "breeds.yaml", "show", "persian.txt", "--json").out)["metadata"]["year"] == 2020
    )
    done = run_cli("ingest", "breeds.yaml", "docs", "--metadata", "year=soon")
    assert (done.code, done.err) == (2, 'footnote: --metadata year: "soon" is not a whole number\n')


def test_metadata_that_replaces_a_documents_own_is_named(
    folder: Path, run_cli: RunCli, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "pug.md").write_text("---\nyear: 2019\nspecies: dog\n---\nThe Pug snores.\n")
    done = run_cli("ingest", "breeds.yaml", "pug.md", "--metadata", "year=2020", "--metadata", "species=dog")
    assert done.out == "1 ready, 0 unchanged, 0 failed\n"
    assert "document 'pug.md': the metadata given with it replaces its own year\n" in caplog.text


def test_a_search_prints_hits_and_their_places(filled: Path, run_cli: RunCli) -> None:
    done = run_cli("search", "breeds.yaml", "exercise of a Border Collie", "--top-k", "1")
    assert done.code == 0
    assert "dogs/collie.md" in done.out.splitlines()[0]
    assert "two hours of exercise" in done.out
    assert "persian" not in done.out


def test_a_search_in_json_is_what_the_server_answers(filled: Path, run_cli: RunCli) -> None:
    done = run_cli("search", "breeds.yaml", "long fur", "--mode", "sparse", "--filter", '{"year": 2020}', "--json")
    result = json.loads(done.out)
    assert set(result) == {"results", "snapshot", "took_ms", "rewritten_question"}
    assert result["results"][0]["document_id"] == "persian.txt"


def test_a_search_that_finds_nothing_says_so(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("search", "breeds.yaml", "anything")
    assert (done.code, done.out) == (0, "Nothing was found.\n")


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_question_to_an_empty_tenant_says_how_to_fill_it(folder: Path, run_cli: RunCli, command: str) -> None:
    done = run_cli(command, "breeds.yaml", "anything")
    assert (done.code, done.err) == (
        0,
        "footnote: there are no documents yet; run: footnote ingest breeds.yaml PATH...\n",
    )
    done = run_cli(command, "breeds.yaml", "anything", "--json")
    assert isinstance(json.loads(done.out), dict)


def test_a_question_to_an_empty_tenant_with_a_folder_says_how_to_read_that(folder: Path, run_cli: RunCli) -> None:
    (folder / "kept").mkdir()
    (folder / "followed.yaml").write_text("tenant: followed\nknowledge: {path: kept}\n", encoding="utf-8")
    done = run_cli("search", "followed.yaml", "anything")
    assert done.err == "footnote: there are no documents yet; run: footnote sync followed.yaml\n"


@pytest.mark.parametrize("more", [["--top-k", "0"], ["--top-k", "1000"], ["--filter", '{"yaer": 1}']])
@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_request_against_the_profile_ends_with_2(
    filled: Path, run_cli: RunCli, command: str, more: list[str]
) -> None:
    done = run_cli(command, "breeds.yaml", "anything", *more)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("footnote: ")


def test_an_answer_is_followed_by_its_footnotes(filled: Path, run_cli: RunCli) -> None:
    done = run_cli("ask", "breeds.yaml", "How much exercise does a Border Collie need?")
    assert done.code == 0
    answer, _, footnotes = done.out.partition("\n\n")
    assert "two hours" in answer
    assert "[1]" in answer
    assert footnotes.startswith('[1] Border Collie, Exercise, line 5 (dogs/collie.md)\n    "')
    assert "model extractive" in footnotes.splitlines()[-2]
    assert footnotes.splitlines()[-1].startswith("answer ")


def test_an_answer_in_json_is_what_the_server_answers(filled: Path, run_cli: RunCli) -> None:
    result = json.loads(run_cli("ask", "breeds.yaml", "Which cat has long fur?", "--json").out)
    assert result["citations"][0]["document_id"] == "persian.txt"
    assert result["conversation_id"]


def test_documents_are_listed(filled: Path, run_cli: RunCli) -> None:
    lines = run_cli("documents", "breeds.yaml").out.splitlines()
    assert lines[0].split() == ["ID", "STATE", "VERSION", "CHUNKS", "TITLE"]
    assert [line.split()[:3] for line in lines[1:]] == [["dogs/collie.md", "ready", "1"], ["persian.txt", "ready", "1"]]
    assert json.loads(run_cli("documents", "breeds.yaml", "list", "--json").out)["total"] == 2


def test_a_tenant_without_documents_says_so(folder: Path, run_cli: RunCli) -> None:
    assert run_cli("documents", "breeds.yaml", "list").out == "There are no documents.\n"


@pytest.mark.parametrize("action", ["show", "versions", "content", "chunks", "delete"])
def test_an_unknown_document_is_met_with_the_nearest_one(filled: Path, run_cli: RunCli, action: str) -> None:
    done = run_cli("documents", "breeds.yaml", action, "dogs/colie.md")
    said = 'footnote: no document "dogs/colie.md"; did you mean "dogs/collie.md"?\n'
    assert (done.code, done.out, done.err) == (1, "", said)


def test_a_document_is_shown_and_deleted(filled: Path, run_cli: RunCli) -> None:
    shown = run_cli("documents", "breeds.yaml", "show", "dogs/collie.md").out
    assert "document_id  dogs/collie.md\n" in shown
    assert '"year": 2020' in shown
    deleted = run_cli("documents", "breeds.yaml", "delete", "dogs/collie.md")
    assert deleted.out.startswith("deleted dogs/collie.md: 1 version, 1 chunk\n")
    gone = run_cli("documents", "breeds.yaml", "show", "dogs/collie.md")
    assert (gone.code, gone.out, gone.err) == (1, "", 'footnote: no document "dogs/collie.md"\n')
    (filled / "coolie.md").write_text("A coolie is no collie.")
    assert run_cli("ingest", "breeds.yaml", "coolie.md").code == 0
    assert run_cli("documents", "breeds.yaml", "show", "dogs/collie.md").err == gone.err  # it has a history


@pytest.mark.parametrize("arguments", [["show"], ["delete"], ["list", "x"], ["drop", "x"]])
def test_an_action_without_its_id_ends_with_2(folder: Path, run_cli: RunCli, arguments: list[str]) -> None:
    assert run_cli("documents", "breeds.yaml", *arguments).code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "--purge"],
        ["show", "x", "--as-of", "1"],
        ["delete", "x", "--state", "failed"],
        ["versions", "x", "--version", "1"],
        ["chunks", "x", "--filter", "{}"],
        ["content", "x", "--version", "1", "--as-of", "1"],
        ["content", "x", "--version", "0"],
        ["list", "--as-of", "-1"],
        ["list", "--state", "lost"],
    ],
)
def test_an_option_of_another_action_ends_with_2(folder: Path, run_cli: RunCli, arguments: list[str]) -> None:
    done = run_cli("documents", "breeds.yaml", *arguments)
    assert (done.code, done.out) == (2, "")
    assert not (folder / "data").exists()


@pytest.mark.parametrize(
    "arguments",
    [["list", "x"], ["show"], ["start"], ["start", "ingest"], ["show", "x", "--wait"], ["cancel", "--wait"]],
)
def test_a_wrong_use_of_jobs_ends_with_2(folder: Path, run_cli: RunCli, arguments: list[str]) -> None:
    assert run_cli("jobs", "breeds.yaml", *arguments).code == 2
    assert not (folder / "data").exists()


def test_versions_are_read_by_number_and_by_snapshot(filled: Path, run_cli: RunCli) -> None:
    (filled / "docs" / "persian.txt").write_text("The Persian is calm.\n")
    assert run_cli("ingest", "breeds.yaml", "docs/persian.txt").code == 0
    lines = run_cli("documents", "breeds.yaml", "versions", "persian.txt").out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["2", "ready"], ["1", "superseded"]]
    for option in (["--version", "1"], ["--as-of", "1"]):
        assert run_cli("documents", "breeds.yaml", "content", "persian.txt", *option).out.strip() == PERSIAN.strip()
    then = run_cli("search", "breeds.yaml", "Persian fur", "--top-k", "1", "--as-of", "1")
    assert "long fur" in then.out
    assert "long fur" not in run_cli("search", "breeds.yaml", "Persian fur", "--top-k", "1").out
    ahead = run_cli("search", "breeds.yaml", "Persian fur", "--as-of", "1000")
    assert (ahead.code, ahead.out) == (2, "")


def test_a_purged_document_leaves_no_history(filled: Path, run_cli: RunCli) -> None:
    deleted = run_cli("documents", "breeds.yaml", "delete", "persian.txt")
    assert "1 version can be read with --as-of" in deleted.out
    assert run_cli("documents", "breeds.yaml", "versions", "persian.txt").code == 0
    purged = run_cli("documents", "breeds.yaml", "delete", "persian.txt", "--purge", "--json")
    assert json.loads(purged.out)["versions_left"] == 0
    assert run_cli("documents", "breeds.yaml", "versions", "persian.txt").code == 1


def test_a_synchronisation_reports_what_it_did(folder: Path, run_cli: RunCli) -> None:
    refused = run_cli("sync", "breeds.yaml")
    assert (refused.code, refused.out) == (2, "")
    assert "names no knowledge folder" in refused.err
    (folder / "breeds.yaml").write_text(f"{PROFILE}knowledge: {{path: docs}}")
    assert run_cli("sync", "breeds.yaml").out.startswith("2 new, 0 changed, ")
    (folder / "docs" / "dogs" / "collie.md").write_text(COLLIE.replace("two", "three"))
    (folder / "docs" / "persian.txt").unlink()
    (folder / "docs" / "blank.txt").write_text(" ")
    done = run_cli("sync", "breeds.yaml", "--strict")
    assert done.code == 1
    assert {"removed: persian.txt"} < set(done.out.splitlines())
    assert done.out.startswith("failed: blank.txt: ")
    assert done.out.splitlines()[-1].startswith("0 new, 1 changed, ")
    result = json.loads(run_cli("sync", "breeds.yaml", "--json").out)
    assert result["counts"]["ready"] == 0
    (folder / "docs" / "dogs" / "collie.md").rename(folder / "docs" / "dogs" / "rough_collie.md")
    renamed = run_cli("sync", "breeds.yaml").out.splitlines()
    assert "renamed: dogs/collie.md -> dogs/rough_collie.md" in renamed
    assert renamed[-1].startswith("0 new, 0 changed, ")
    assert ", 1 renamed, 0 removed" in renamed[-1]


def test_stale_documents_are_reprocessed(filled: Path, run_cli: RunCli) -> None:
    (filled / "breeds.yaml").write_text(f"{PROFILE}chunking: {{size: 64, overlap: 16}}")
    listed = run_cli("documents", "breeds.yaml", "list", "--state", "stale", "--json")
    assert json.loads(listed.out)["total"] == 2
    assert run_cli("reembed", "breeds.yaml").out == "2 documents, 0 stale\n"
    assert json.loads(run_cli("documents", "breeds.yaml", "list", "--state", "stale", "--json").out)["total"] == 0


def test_a_purge_applies_retention(filled: Path, run_cli: RunCli) -> None:
    (filled / "breeds.yaml").write_text(f"{PROFILE}retention: {{versions: 1}}")
    (filled / "docs" / "persian.txt").write_text("The Persian is calm.\n")
    assert run_cli("ingest", "breeds.yaml", "docs/persian.txt").code == 0
    assert json.loads(run_cli("purge", "breeds.yaml", "--json").out)["versions"] == 2
    versions = json.loads(run_cli("documents", "breeds.yaml", "versions", "persian.txt", "--json").out)["versions"]
    assert [version["version"] for version in versions] == [2]


def test_the_doctor_reports_faults_and_repairs_them(filled: Path, run_cli: RunCli) -> None:
    well = run_cli("doctor", "breeds.yaml")
    assert (well.code, well.out) == (0, "breeds: healthy: 2 documents, 2 versions, 2 chunks\n")
    shutil.rmtree(filled / "data" / "breeds" / "vectors")
    ill = run_cli("doctor", "breeds.yaml")
    assert ill.code == 1
    assert "run: footnote doctor PROFILE --repair" in ill.err
    repaired = run_cli("doctor", "breeds.yaml", "--repair", "--json")
    assert repaired.code == 0
    (found,) = json.loads(repaired.out)["tenants"]
    assert {(finding["kind"], finding["repaired"]) for finding in found["findings"]} == {("missing_chunks", True)}
    assert run_cli("doctor", "breeds.yaml").out == well.out
    assert "two hours" in run_cli("search", "breeds.yaml", "exercise of a Border Collie").out


def test_the_doctor_examines_tenants_after_one_that_cannot_be_opened(filled: Path, run_cli: RunCli) -> None:
    profile = (filled / "breeds.yaml").read_text()
    assert "tenant: breeds" in profile
    (filled / "torn.yaml").write_text(profile.replace("tenant: breeds", "tenant: torn"))
    shutil.copytree(filled / "data" / "breeds", filled / "data" / "torn", copy_function=copy_with_holes)
    (filled / "data" / "torn" / "catalogue.sqlite").write_bytes(b"no database" * 1000)
    done = run_cli("doctor", "torn.yaml", "breeds.yaml")
    assert (done.code, done.out) == (1, "breeds: healthy: 2 documents, 2 versions, 2 chunks\n")
    assert done.err.startswith("footnote: torn: ")
    assert "footnote restore" in done.err
    listed = json.loads(run_cli("doctor", "torn.yaml", "breeds.yaml", "--json").out)
    assert not listed["healthy"]
    assert {one["tenant"]: one["healthy"] for one in listed["tenants"]} == {"breeds": True, "torn": False}


def test_document_text_cannot_control_the_terminal(folder: Path, run_cli: RunCli) -> None:
    (folder / "evil.txt").write_text("The \x1b[31mred\x1b[0m cat sleeps.")
    assert run_cli("ingest", "breeds.yaml", "evil.txt").code == 0
    for arguments in (["search", "breeds.yaml", "red cat"], ["ask", "breeds.yaml", "Which cat sleeps?"]):
        out = run_cli(*arguments).out
        assert "cat" in out
        assert "\x1b" not in out


@pytest.mark.parametrize("action", ["show", "cancel"])
def test_an_empty_id_of_a_job_is_wrong_usage(run_cli: RunCli, action: str) -> None:
    done = run_cli("jobs", "breeds.yaml", action, "")
    assert (done.code, "is empty; `footnote jobs PROFILE list` shows the ids" in done.err) == (2, True)
