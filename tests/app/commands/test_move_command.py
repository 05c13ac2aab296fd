"""What `footnote move` refuses before it touches anything; `tests/pipelines/engine/test_moving.py` moves tenants."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.app.running import RunCli


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "here.yaml").write_text("tenant: breeds\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def test_servers_that_do_not_answer_are_all_named_with_what_to_do(
    folder: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    qdrant, postgres = unused_port(), unused_port()
    monkeypatch.setenv("DATABASE_URL", f"postgresql+psycopg://postgres@127.0.0.1:{postgres}/postgres")
    (folder / "there.yaml").write_text(
        f"tenant: breeds\nstore: {{engine: server, url: 'http://127.0.0.1:{qdrant}'}}\n"
        "catalogue: {url: '${DATABASE_URL}'}\n"
    )
    done = run_cli("move", "here.yaml", "--to", "there.yaml")
    store, catalogue = done.err.splitlines()
    assert (done.code, done.out) == (1, "")
    assert store.startswith(f"footnote: store at http://127.0.0.1:{qdrant}: ")
    assert "is Qdrant running there" in store
    assert catalogue.startswith(f"footnote: catalogue at postgresql+psycopg://127.0.0.1:{postgres}/postgres: ")
    assert not (folder / ".footnote").exists()


def test_a_move_within_this_machine_is_refused(folder: Path, run_cli: RunCli) -> None:
    done = run_cli("move", "here.yaml", "--to", "here.yaml")
    assert (done.code, done.out) == (2, "")
    assert "a move goes from Qdrant Edge and SQLite to a Qdrant server and PostgreSQL, or back" in done.err
