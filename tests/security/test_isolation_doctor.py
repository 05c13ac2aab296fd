"""``footnote doctor --isolation`` attacks a running server, finds nothing where nothing leaks, and what leaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi import Request

from app.http.keyring import Grant
from app.isolation.attack import attack
from app.isolation.canaries import Target, metadata_of, places_of, planted
from app.main import create_app
from app.owner import new_token, record, recorded, this_process
from app.remote.server import connected
from app.settings import Settings
from pipelines import Engine
from pipelines.ingestion.metadata import checked_metadata
from pipelines.profile.schema import Profile
from tests.app.running import Done, RunCli, running

SCOPED = """
tenant: cortx
contract: cortx
jobs: {run: worker}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite, module, entity], required: true}
    suite: {type: keyword}
    module: {type: keyword}
    entity_id: {type: keyword}
    year: {type: integer, required: true}
    region: {type: keyword, values: [north, south]}
  hierarchy:
    level: level
    path: [suite, module, entity_id]
    requires: {platform: [region], suite: [suite, region]}
auth: {keys: [{name: ops, secret: "${OPS_KEY}", role: admin}]}
"""
FLAT = 'tenant: pets\njobs: {run: worker}\nauth: {keys: [{name: ops, secret: "${PETS_KEY}", role: admin}]}\n'


@pytest.fixture
def examine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> Iterator[Any]:
    """Serve two tenants, and run the doctor on them."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPS_KEY", "PETS_KEY"):
        monkeypatch.setenv(name, f"a-secret-0123456789-{name}")
    files = []
    for name, text in (("cortx", SCOPED), ("pets", FLAT)):
        files.append(tmp_path / f"{name}.yaml")
        files[-1].write_text(text)
    token = new_token()
    with ExitStack() as opened:
        root = opened.enter_context(running(create_app(files, Settings(data=tmp_path / "data", local_token=token))))
        for tenant in ("cortx", "pets"):
            record(tmp_path / "data" / tenant, this_process(root, token))

        def run() -> tuple[Done, dict[str, Any]]:
            done = run_cli("doctor", "--isolation", "./cortx.yaml", "./pets.yaml", "--data", "data", "--json")
            return done, json.loads(done.out)

        yield run


@pytest.mark.timeout(600)
def test_nothing_leaks_and_nothing_is_left(examine: Any, run_cli: RunCli) -> None:
    done, reported = examine()
    assert (done.code, reported["leaks"]) == (0, []), reported["leaks"][:3]
    assert reported["canaries"] == 3
    assert reported["requests"] > 200
    for tenant in ("./cortx.yaml", "./pets.yaml"):
        assert json.loads(run_cli("documents", tenant, "--data", "data", "--json").out)["total"] == 0
        keys = json.loads(run_cli("keys", tenant, "--data", "data", "--json").out)["keys"]
        assert {key["state"] for key in keys if not key["in_profile"]} == {"revoked"}
        assert json.loads(run_cli("conversations", tenant, "--data", "data", "--json").out)["conversations"] == []


@pytest.mark.timeout(600)
def test_a_scope_that_is_forgotten_is_found(examine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def whole_engine(request: Request, grant: Grant) -> Engine:
        engine: Engine = request.state.tenants.engine(grant.tenant)
        return engine

    monkeypatch.setattr("app.http.routing._limited_engine", whole_engine)
    done, reported = examine()
    assert done.code == 1
    paths = {leak["path"] for leak in reported["leaks"]}
    assert "/tenants/cortx/search" in paths
    assert any("cortx {'suite': 'isolation-b'}" in leak["canary"] for leak in reported["leaks"])


@pytest.mark.timeout(600)
def test_a_conversation_that_is_gone_is_found(examine: Any, tmp_path: Path) -> None:
    owner = recorded(tmp_path / "data" / "pets")
    assert owner is not None
    with connected(owner) as server:
        target = Target(Profile.model_validate({"tenant": "pets"}), server)
        with planted([target]) as (canaries, _):
            assert [attempt.leak for attempt in attack([target], canaries, [])] == [None, None]
            server.send("DELETE", f"{target.root}/conversations/{canaries[0].conversation_id}")
            document, conversation = attack([target], canaries, [])
            assert document.leak is None
            assert conversation.leak == "nothing: the canary was changed or deleted"


def test_a_canary_has_what_its_level_requires() -> None:
    section = Profile.model_validate(yaml.safe_load(SCOPED)).metadata
    for place in ({}, *places_of(section)):
        assert checked_metadata(metadata_of(section, place), section)["region"] == "north"
    assert metadata_of(section, {"suite": "a"})["suite"] == "a"


def test_without_a_server_it_says_how_to_start_one(tmp_path: Path, run_cli: RunCli) -> None:
    (tmp_path / "pets.yaml").write_text("tenant: pets\n")
    done = run_cli("doctor", "--isolation", str(tmp_path / "pets.yaml"), "--data", str(tmp_path / "data"))
    assert done.code == 1
    assert "footnote serve pets" in done.err
