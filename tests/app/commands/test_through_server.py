"""Where a server holds the data folder, commands work through it, and print what they print without one."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.owner import recorded
from pipelines.components.store.edge.sparse_files import copy_with_holes
from tests.app.commands.processes import ended, said_until_ready, started
from tests.app.running import Done, RunCli
from tests.packing import packed

PROFILE = """
tenant: breeds
knowledge: {path: knowledge}
metadata: {fields: {species: {type: keyword, values: [dog, cat]}, year: {type: integer}}}
limits: {file_bytes: 100000}
"""
COLLIE = "# Border Collie\n\n## Exercise\n\nA Border Collie needs at least two hours of exercise every day.\n"
PERSIAN = "The Persian is a cat with long fur.\n"
READING = [
    ["documents", "breeds.yaml"],
    ["documents", "breeds.yaml", "list", "--json"],
    ["documents", "breeds.yaml", "list", "--filter", '{"year": 2020}'],
    ["documents", "breeds.yaml", "list", "--filter", '{"yaer": 2020}'],
    ["documents", "breeds.yaml", "list", "--filter", "{"],
    ["documents", "breeds.yaml", "list", "--state", "failed", "--json"],
    ["documents", "breeds.yaml", "show", "dogs/collie.md"],
    ["documents", "breeds.yaml", "show", "dogs/collie.md", "--json"],
    ["documents", "breeds.yaml", "show", "dogs"],
    ["documents", "breeds.yaml", "show", ".."],
    ["documents", "breeds.yaml", "versions", "dogs/collie.md"],
    ["documents", "breeds.yaml", "versions", "dogs/collie.md", "--json"],
    ["documents", "breeds.yaml", "content", "dogs/collie.md"],
    ["documents", "breeds.yaml", "content", "dogs/collie.md", "--version", "1", "--json"],
    ["documents", "breeds.yaml", "content", "dogs/collie.md", "--version", "7"],
    ["documents", "breeds.yaml", "content", "dogs/collie.md", "--as-of", "1"],
    ["documents", "breeds.yaml", "content", "dogs/collie.md", "--as-of", "1000"],
    ["documents", "breeds.yaml", "chunks", "dogs/collie.md"],
    ["documents", "breeds.yaml", "chunks", "dogs/collie.md", "--as-of", "1", "--json"],
    ["search", "breeds.yaml", "long fur", "--top-k", "1"],
    ["search", "breeds.yaml", "long fur", "--mode", "sparse", "--filter", '{"year": 2020}', "--json"],
    ["search", "breeds.yaml", "long fur", "--as-of", "1"],
    ["search", "breeds.yaml", "long fur", "--top-k", "1000"],
    ["search", "breeds.yaml", " "],
    ["facets", "breeds.yaml"],
    ["facets", "breeds.yaml", "--filter", '{"species": "dog"}', "--json"],
    ["search", "breeds.yaml", "long fur", "--scope", '{"suite": "fed"}'],
    ["explain", "breeds.yaml", "long fur", "--document", "persian.txt"],
    ["explain", "breeds.yaml", "long fur", "--document", "persian.txt", "--filter", '{"year": 2021}', "--json"],
    ["explain", "breeds.yaml", "long fur", "--document", "nothing.md"],
    ["explain", "breeds.yaml", "long fur"],
    ["ask", "breeds.yaml", "How much exercise does a Border Collie need?"],
    ["ask", "breeds.yaml", "Which cat has long fur?", "--json"],
    ["ask", "breeds.yaml", "Which cat has long fur?", "--stream"],
    ["ask", "breeds.yaml", "Which cat has long fur?", "--stream", "--json"],
    ["ask", "breeds.yaml", "Which cat has long fur?", "--stream", "--top-k", "1000"],
    ["ask", "breeds.yaml", "Which cat has long fur?", "--stream", "--model", "none"],
    ["ask", "breeds.yaml", "Which cat has long fur?", "--filter", '{"year": {"gt": 2020}}'],
    ["ask", "breeds.yaml", "How much exercise does a Border Collie need?", "--conversation", "my talk/1"],
    ["ask", "breeds.yaml", "And how often does it need that?", "--conversation", "my talk/1", "--stream"],
    ["ask", "breeds.yaml", "And how often does it need that?", "--conversation", ""],
    ["conversations", "breeds.yaml", "show", "my talk/1", "--json"],
    ["conversations", "breeds.yaml", "export", "my talk/1"],
    ["conversations", "breeds.yaml", "show", "none"],
    ["conversations", "breeds.yaml", "delete", "my talk/1"],
    ["conversations", "breeds.yaml", "delete", "my talk/1", "--json"],
    ["feedback", "breeds.yaml"],
    ["feedback", "breeds.yaml", "none", "--helpful"],
    ["feedback", "breeds.yaml", "none"],
    ["feedback", "breeds.yaml", "none", "--withdraw"],
    ["feedback", "breeds.yaml", "list", "--not-helpful", "--json"],
    ["experiments", "breeds.yaml"],
    ["experiments", "breeds.yaml", "--json"],
    ["jobs", "breeds.yaml"],
    ["jobs", "breeds.yaml", "show", "none"],
    ["doctor", "breeds.yaml"],
    ["doctor", "breeds.yaml", "--json"],
]
WRITING = [
    ["ingest", "breeds.yaml", "docs"],
    ["documents", "breeds.yaml", "list", "--json"],
    ["ingest", "breeds.yaml", "docs", "--json"],
    ["ingest", "breeds.yaml", "docs", "--strict", "--metadata", "species=dog", "--json"],
    ["ingest", "breeds.yaml", "docs", "--metadata", "species=cow"],
    ["ingest", "breeds.yaml", "docs/blank.txt"],
    ["ingest", "breeds.yaml", "docs/packed.zip"],
    ["ingest", "breeds.yaml", "docs/broken.zip"],
    ["ingest", "breeds.yaml", "empty"],
    ["ingest", "breeds.yaml", "odd"],
    ["documents", "breeds.yaml", "list", "--filter", '{"species": "dog"}', "--json"],
    ["documents", "breeds.yaml", "versions", "dogs/collie.md", "--json"],
    ["documents", "breeds.yaml", "delete", "dogs/collie.md"],
    ["documents", "breeds.yaml", "delete", "dogs/collie.md"],
    ["documents", "breeds.yaml", "delete", "dogs/collie.md", "--purge", "--json"],
    ["sync", "breeds.yaml"],
    ["sync", "breeds.yaml", "--json"],
    ["documents", "breeds.yaml", "list", "--state", "ready"],
    ["reembed", "breeds.yaml", "--json"],
    ["purge", "breeds.yaml"],
]
# Times, and snapshots: alone, several files are one commit; a server gets them one by one.
DIFFERS = {"requested_at", "erased_at",
    "took_ms", "timings_ms", "answer_id", "conversation_id", "created_at", "updated_at", "expires_at", "ended_at",
    "snapshot", "ended", "last",
}  # fmt: skip


@dataclass(frozen=True)
class Both:
    """Two folders with the same tenant: nobody holds the first, a server the second."""

    alone: Path
    served: Path


def _fill(folder: Path) -> None:
    (folder / "breeds.yaml").write_text(PROFILE)
    for name in ("docs/dogs", "empty", "knowledge/cats"):
        (folder / name).mkdir(parents=True)
    (folder / "docs" / "dogs" / "collie.md").write_text(COLLIE)
    (folder / "docs" / "persian.txt").write_text(PERSIAN)
    (folder / "knowledge" / "cats" / "siamese.md").write_text("# Siamese\n\nThe Siamese is a cat that talks.\n")


def _add_what_fails(docs: Path) -> None:
    (docs / "blank.txt").write_text(" ")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (docs / "large.txt").write_text("Much is said here. " * 10_000)
    (docs / "control\x07.txt").write_text("A bell rings.")
    (docs / "plain").write_text("A file without an ending.")
    (docs / "packed.zip").write_bytes(
        packed(
            sphynx_md="The Sphynx has no hair.", blank_txt=" ", large_txt="So much. " * 20_000, in_zip=packed(a_md="A")
        )
    )
    (docs / "broken.zip").write_bytes(b"PK\x03\x04 nothing")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    alone, served = tmp_path_factory.mktemp("alone"), tmp_path_factory.mktemp("served")
    _fill(alone)
    with ExitStack() as opened:
        done = ended(
            started(opened, alone, "ingest", "breeds.yaml", "docs", "--metadata", "year=2020", "--data", "data")
        )
        assert done[0] == 0, done
        shutil.copytree(alone, served, copy_function=copy_with_holes, dirs_exist_ok=True)
        said_until_ready(started(opened, served, "serve", "breeds.yaml", "--port", "0", "--data", "data"))
        yield Both(alone, served)


def _run(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, folder: Path, arguments: list[str]) -> Done:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    return run_cli(*arguments, "--data", "data")


def _comparable(done: Done) -> tuple[int, Any, str]:
    """What a command left, without what differs from one run to the next."""
    if done.out.startswith("{"):
        return done.code, _plain(json.loads(done.out)), done.err
    out = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", done.out)
    out = re.sub(r"^answer [0-9a-f-]{36}$", "ANSWER", out, flags=re.MULTILINE)
    return done.code, re.sub(r"from snapshot \d+ to \d+|from \d+ ", "SNAPSHOTS", out), done.err


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if key not in DIFFERS}
    return value


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_reading_prints_the_same_locally_and_through_a_server(
    both: Both, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    alone = _run(run_cli, monkeypatch, both.alone, arguments)
    served = _run(run_cli, monkeypatch, both.served, arguments)
    assert _comparable(served) == _comparable(alone)
    assert "Traceback" not in served.err


def test_stats_are_the_same_locally_and_through_a_server(
    both: Both, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported = []
    for folder in (both.alone, both.served):
        _run(run_cli, monkeypatch, folder, ["ask", "breeds.yaml", "Who barks?", "--filter", '{"year": 1900}'])
        done = _run(run_cli, monkeypatch, folder, ["stats", "breeds.yaml", "--most", "3", "--json"])
        reported.append({**_plain(json.loads(done.out)), "bytes": 0})
    assert reported[0] == reported[1]
    assert "Who barks?" in [one["question"] for one in reported[1]["unanswered"]]


def test_writing_prints_the_same_locally_and_through_a_server(
    tmp_path: Path, both: Both, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (both.alone, both.served):
        _add_what_fails(folder / "docs")
        (folder / "odd").mkdir()
        (folder / "odd" / os.fsdecode(b"no\xff.txt")).write_text("A name that is no text.")
        (folder / "odd" / "huge.txt").write_text("Much is said here. " * 100_000)
    for arguments in WRITING:
        alone = _run(run_cli, monkeypatch, both.alone, arguments)
        served = _run(run_cli, monkeypatch, both.served, arguments)
        assert _comparable(served) == _comparable(alone), arguments


def test_the_command_waits_for_a_job_that_a_server_runs(
    both: Both, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _run(run_cli, monkeypatch, both.served, ["jobs", "breeds.yaml", "start", "purge", "--wait", "--json"])
    assert (done.code, done.err) == (0, "")
    job = json.loads(done.out)
    assert (job["kind"], job["state"]) == ("purge", "done")
    shown = _run(run_cli, monkeypatch, both.served, ["jobs", "breeds.yaml", "show", job["job_id"]])
    assert "state     done\n" in shown.out
    again = _run(run_cli, monkeypatch, both.served, ["jobs", "breeds.yaml", "cancel", job["job_id"]])
    assert (again.code, again.out) == (1, "")
    assert "nothing left to cancel" in again.err


def test_a_profile_that_was_changed_since_the_server_started_is_said(
    both: Both, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = both.served / "breeds.yaml"
    changed_at = profile.stat()
    os.utime(profile)
    try:
        done = _run(run_cli, monkeypatch, both.served, ["search", "breeds.yaml", "long fur", "--json"])
    finally:
        os.utime(profile, ns=(changed_at.st_atime_ns, changed_at.st_mtime_ns))
    assert done.code == 0
    message = "was changed after the server started, which goes by the earlier one: restart it"
    assert done.err == f"footnote: {profile} {message}\n"
    assert _run(run_cli, monkeypatch, both.served, ["search", "breeds.yaml", "long fur"]).err == ""


def test_a_background_job_is_named_and_done_by_the_server(
    both: Both, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    (both.served / "later.txt").write_text("The Maine Coon is a large cat.")
    done = _run(run_cli, monkeypatch, both.served, ["ingest", "breeds.yaml", "later.txt", "--no-wait"])
    assert (done.code, done.err) == (0, "")
    (job_id,) = done.out.split()
    _run(
        run_cli, monkeypatch, both.served, ["jobs", "breeds.yaml", "start", "purge", "--wait"]
    )  # after it, in the queue
    shown = _run(run_cli, monkeypatch, both.served, ["jobs", "breeds.yaml", "show", job_id, "--json"])
    assert json.loads(shown.out)["state"] == "done"
    found = _run(run_cli, monkeypatch, both.served, ["documents", "breeds.yaml", "show", "later.txt"])
    assert found.code == 0


def test_an_unsendable_file_is_named_and_the_others_become_jobs(
    both: Both, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    (both.served / "large").mkdir()
    (both.served / "large" / "huge.txt").write_text("Much is said here. " * 100_000)
    (both.served / "large" / "small.txt").write_text("Little is said here.")
    done = _run(run_cli, monkeypatch, both.served, ["ingest", "breeds.yaml", "large", "--no-wait"])
    assert (done.code, len(done.out.split())) == (1, 1)
    assert done.err.startswith("failed: huge.txt: 1.9 MB is over the limit of 100 kB; ")


def test_jobs_are_named_as_they_are_accepted_and_after_an_interruption_too(both: Both) -> None:
    (both.served / "many").mkdir()
    for number in range(1500):
        (both.served / "many" / f"{number}.txt").write_text(f"Cat {number} sleeps.")
    with ExitStack() as opened:
        submitting = started(opened, both.served, "ingest", "breeds.yaml", "many", "--no-wait", "--data", "data")
        first = submitting.stdout.readline().strip()
        submitting.send_signal(signal.SIGINT)
        code, out, err = ended(submitting)
        assert (code, err) == (130, "footnote: interrupted\n")
        assert len(out.split()) < 14
        shown = ended(started(opened, both.served, "jobs", "breeds.yaml", "show", first, "--data", "data"))
        assert (shown[0], shown[2]) == (0, "")


def test_files_that_fail_for_one_reason_are_named_on_one_line(
    tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "breeds.yaml").write_text("tenant: breeds\nlimits: {quotas: {jobs: 2}}\njobs: {run: worker}\n")
    (tmp_path / "many").mkdir()
    for number in range(250):
        (tmp_path / "many" / f"{number}.txt").write_text(f"Cat {number} sleeps.")
    with ExitStack() as opened:
        server = started(opened, tmp_path, "serve", "breeds.yaml", "--port", "0", "--data", "data")
        said_until_ready(server)
        done = _run(run_cli, monkeypatch, tmp_path, ["ingest", "breeds.yaml", "many", "--no-wait"])
    assert (done.code, len(done.out.split())) == (1, 2)
    assert done.err.startswith("failed: 54.txt and 49 more: the tenant has all the jobs that its profile allows (2); ")


def test_without_a_server_a_job_waits_and_the_command_says_why(
    both: Both, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _run(run_cli, monkeypatch, both.alone, ["ingest", "breeds.yaml", "docs/persian.txt", "--no-wait"])
    (job_id,) = done.out.split()
    assert (done.code, done.err.count("\n")) == (0, 1)
    assert "the job waits until a server holds tenant breeds" in done.err
    listed = _run(run_cli, monkeypatch, both.alone, ["jobs", "breeds.yaml", "list", "--state", "queued", "--json"])
    assert [job["job_id"] for job in json.loads(listed.out)["jobs"]] == [job_id]
    refused = _run(run_cli, monkeypatch, both.alone, ["jobs", "breeds.yaml", "start", "purge", "--wait"])
    assert (refused.code, refused.out) == (1, "")
    assert "start one with footnote serve" in refused.err
    assert _run(run_cli, monkeypatch, both.alone, ["jobs", "breeds.yaml", "cancel", job_id]).code == 0


_HEAVY = """
import sys
from app.cli import command_line
try:
    command_line()(sys.argv[1:])
except SystemExit as end:
    print(sorted({"llama_index", "qdrant_client", "qdrant_edge", "onnxruntime", "sqlalchemy"} & set(sys.modules)))
"""


def test_no_heavy_import_is_loaded_if_a_server_does_the_work(both: Both) -> None:
    command = [sys.executable, "-c", _HEAVY, "search", str(both.served / "breeds.yaml"), "cat", "--data"]
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([*command, str(both.served / "data")], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_killed_server_is_skipped_and_replaced_by_the_next(
    tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(tmp_path)
    folder = tmp_path / "data" / "breeds"
    with ExitStack() as opened:
        killed = started(opened, tmp_path, "serve", "breeds.yaml", "--port", "0", "--data", "data")
        said_until_ready(killed)
        assert _run(run_cli, monkeypatch, tmp_path, ["ingest", "breeds.yaml", "docs"]).code == 0
        killed.send_signal(signal.SIGKILL)
        killed.wait(timeout=60)
        left = recorded(folder)
        assert left is not None
        assert not left.is_running
        done = _run(run_cli, monkeypatch, tmp_path, ["documents", "breeds.yaml"])
        assert (done.code, done.err, done.out.count("ready")) == (0, "", 2)
        server = started(opened, tmp_path, "serve", "breeds.yaml", "--port", "0", "--data", "data")
        said_until_ready(server)
        new = recorded(folder)
        assert new is not None
        assert (new.pid, new.token != left.token) == (server.pid, True)
        assert _run(run_cli, monkeypatch, tmp_path, ["documents", "breeds.yaml"]).out == done.out
        server.terminate()
        _, out, err = ended(server)
        assert recorded(folder) is None
        assert new.token not in out + err


def test_an_unresponsive_server_is_named(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(tmp_path)
    monkeypatch.setattr("app.remote.server._RECOGNISE_SECONDS", 0.5)
    with ExitStack() as opened:
        server = started(opened, tmp_path, "serve", "breeds.yaml", "--port", "0", "--data", "data")
        said_until_ready(server)
        server.send_signal(signal.SIGSTOP)
        done = _run(run_cli, monkeypatch, tmp_path, ["documents", "breeds.yaml"])
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"footnote: the server of process {server.pid} holds the data folder data/breeds; ")
    assert "it does not answer at http://127.0.0.1:" in done.err
