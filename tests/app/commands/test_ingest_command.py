"""`footnote ingest`, interrupted."""

from __future__ import annotations

import re
import signal
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

from tests.app.commands.processes import ended, started
from tests.app.running import RunCli
from tests.pipelines.jobs.tenants import wait_until

FILES = 1500  # several groups, which are brought in one after the other: on a busy machine the signal comes late


def test_an_interrupted_ingestion_says_how_many_documents_are_in(tmp_path: Path, run_cli: RunCli) -> None:
    profile, notes, data = tmp_path / "cats.yaml", tmp_path / "notes", tmp_path / "data"
    profile.write_text("tenant: cats\n")
    notes.mkdir()
    for number in range(FILES):
        (notes / f"{number}.txt").write_text(f"Cat number {number} sleeps.")

    def is_one_in() -> bool:
        with closing(sqlite3.connect(f"file:{data / 'cats' / 'catalogue.sqlite'}?mode=ro", uri=True)) as catalogue:
            return bool(catalogue.execute("SELECT EXISTS (SELECT 1 FROM documents)").fetchone()[0])

    with ExitStack() as opened:
        run_cli("stats", str(profile), "--data", str(data))  # so that its tables are there
        process = started(opened, tmp_path, "ingest", "cats.yaml", "notes", "--data", "data")
        wait_until(is_one_in, "a group of documents is in")
        process.send_signal(signal.SIGINT)
        code, _, err = ended(process)
    assert code == 130
    said = re.search(r"the tenant now holds (\d+) documents; ingest again later, and only the others are brought", err)
    assert said, err
    again = run_cli("ingest", str(profile), str(notes), "--data", str(data))
    assert again.out == f"{FILES - int(said[1])} ready, {said[1]} unchanged, 0 failed\n"
