"""`footnote serve` beside a tenant whose data cannot be opened, and the repair beside the server."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest

from pipelines import open_engine
from pipelines.types import DocumentInput
from tests.app.commands.processes import address_of, ended, said_until_ready, started
from tests.app.commands.test_serve_command import Start
from tests.app.running import RunCli

SERVE = ("serve", "cats.yaml", "dogs.yaml", "--port", "0", "--data", "data")


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts `footnote` where the vectors of the tenant cats are gone, in a process that ends with the test."""
    monkeypatch.chdir(tmp_path)
    for name in ("cats", "dogs"):
        (tmp_path / f"{name}.yaml").write_text(f"tenant: {name}")
        with open_engine(tmp_path / f"{name}.yaml", tmp_path / "data") as engine:
            engine.ingest([DocumentInput(f"My {name} sleep all day.", "sleep")])
    shutil.rmtree(tmp_path / "data" / "cats" / "vectors")
    with ExitStack() as opened:
        yield partial(started, opened, tmp_path)


def _get(address: str) -> httpx.Response:
    return httpx.get(address, trust_env=False, timeout=60)


def test_a_tenant_that_cannot_be_opened_is_logged_once_and_not_announced(start: Start) -> None:
    process = start(*SERVE)
    said = said_until_ready(process)
    assert "cats" not in said
    dogs = address_of(said, "dogs")
    assert _get(f"{dogs}/stats").json()["documents"] == 1
    for _ in range(3):
        assert _get(f"{dogs.removesuffix('dogs')}cats/stats").status_code == 503
    process.terminate()
    (line,) = process.stderr.read().splitlines()
    assert re.search(r" ERROR: cats: not served, .* it is empty.* run: footnote doctor PROFILE --repair$", line)


def test_the_doctor_repairs_beside_the_server_and_the_next_start_serves_the_tenant(
    start: Start, run_cli: RunCli
) -> None:
    first = start(*SERVE)
    dogs = address_of(said_until_ready(first), "dogs")
    repaired = run_cli("doctor", "cats.yaml", "--repair", "--data", "data")
    assert (repaired.code, "repaired" in repaired.out) == (0, True), repaired
    assert _get(f"{dogs}/stats").status_code == 200
    assert _get(f"{dogs.removesuffix('dogs')}cats/stats").status_code == 503
    first.terminate()
    first.wait(60)
    cats = address_of(said_until_ready(start(*SERVE)), "cats")
    found = httpx.post(f"{cats}/search", json={"query": "sleep"}, trust_env=False, timeout=60).json()["results"]
    assert [hit["document_id"] for hit in found] == ["sleep"]


def test_if_no_tenant_can_be_opened_the_server_ends_with_a_message(start: Start, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "data" / "dogs" / "vectors")
    code, out, err = ended(start(*SERVE))
    assert (code, out) == (1, "")
    assert re.search("^footnote: .*run: footnote doctor PROFILE --repair$", err, re.MULTILINE)
    assert "dogs: not served" in err
    assert "Traceback" not in err


def test_a_folder_that_another_process_holds_is_no_damage(start: Start) -> None:
    holder = start("serve", "dogs.yaml", "--port", "0", "--data", "data")
    said_until_ready(holder)
    code, out, err = ended(start(*SERVE))
    assert (code, out) == (1, "")
    assert f"footnote: process {holder.pid} (" in err


def test_a_model_that_is_missing_is_no_damage(start: Start, tmp_path: Path) -> None:
    (tmp_path / "dogs.yaml").write_text("tenant: dogs\nembedding: {model: no/such-model}")
    code, out, err = ended(start(*SERVE))
    assert (code, out) == (1, "")
    assert re.search("^footnote: model no/such-model .*has not been exported", err, re.MULTILINE)
