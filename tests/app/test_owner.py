"""The record of who serves a tenant: written whole, read with care, and known to be stale."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.owner import (
    Owner,
    new_token,
    proof,
    record,
    recorded,
    started_at,
    this_process,
    withdraw,
)

LINUX = pytest.mark.skipif(not Path("/proc/locks").exists(), reason="asks Linux's /proc")


@pytest.fixture
def owner() -> Owner:
    return this_process("http://127.0.0.1:8000", new_token())


def _dead_pid() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_a_record_is_read_as_it_was_written(tmp_path: Path, owner: Owner) -> None:
    record(tmp_path / "cats", owner)
    assert recorded(tmp_path / "cats") == owner
    assert owner.pid == os.getpid()


def test_a_record_is_this_users_alone_and_nothing_is_left_beside_it(tmp_path: Path, owner: Owner) -> None:
    record(tmp_path, owner)
    record(tmp_path, replace(owner, address="http://127.0.0.1:9000"))
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    found = recorded(tmp_path)
    assert found is not None
    assert found.address == "http://127.0.0.1:9000"


def test_the_token_is_not_shown_with_its_owner(owner: Owner) -> None:
    assert owner.token not in repr(owner)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"address": "http://127.0.0.1:1", "pid": 1, "started": null}',
        '{"address": "http://127.0.0.1:1", "pid": "1", "started": null, "token": "t"}',
        '{"address": "http://127.0.0.1:1", "pid": 99999999999999999999, "started": null, "token": "t"}',
        '{"address": "file:///etc/passwd", "pid": 1, "started": null, "token": "t"}',
        '{"address": "http://127.0.0.1:1", "pid": 1, "started": "x", "token": "t"}',
        '{"address": "http://127.0.0.1:1", "pid": 1, "started": 1, "token": 1}',
    ],
)
def test_an_invalid_record_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / ".server.json").write_text(text)
    assert recorded(tmp_path) is None


def test_without_a_record_there_is_no_owner(tmp_path: Path) -> None:
    assert recorded(tmp_path / "nowhere") is None


def test_a_running_process_may_be_the_owner(owner: Owner) -> None:
    assert owner.is_running
    assert replace(owner, started=None).is_running


def test_an_ended_process_is_not_the_owner(owner: Owner) -> None:
    assert not replace(owner, pid=_dead_pid()).is_running


@LINUX
def test_another_process_with_the_same_pid_is_not_the_owner(owner: Owner) -> None:
    assert owner.started is not None
    assert not replace(owner, started=owner.started - 1).is_running


@LINUX
def test_a_name_with_parentheses_and_blanks_does_not_hide_when_a_process_started(tmp_path: Path) -> None:
    link = tmp_path / "a) S (b 1 2"
    link.symlink_to("/bin/sleep")
    with subprocess.Popen([str(link), "60"]) as process:
        found, ours = started_at(process.pid), started_at(os.getpid())
        process.kill()
    assert found is not None
    assert ours is not None
    assert found >= ours


def test_a_record_is_withdrawn_by_its_owner_alone(tmp_path: Path, owner: Owner) -> None:
    record(tmp_path, owner)
    withdraw(tmp_path, replace(owner, token=new_token()))
    assert recorded(tmp_path) == owner
    withdraw(tmp_path, owner)
    withdraw(tmp_path, owner)
    assert list(tmp_path.iterdir()) == []


def test_a_proof_takes_the_token_and_is_of_one_challenge() -> None:
    token = new_token()
    assert proof(token, "a") == proof(token, "a")
    assert len({proof(token, "a"), proof(token, "b"), proof(new_token(), "a")}) == 3
    assert token not in proof(token, "a")


def test_a_record_names_no_more_than_the_server(tmp_path: Path, owner: Owner) -> None:
    record(tmp_path, owner)
    assert set(json.loads((tmp_path / ".server.json").read_text())) == {"address", "pid", "started", "token"}
