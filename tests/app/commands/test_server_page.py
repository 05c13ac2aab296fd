"""What docs/server.md shows: the profile is one, its commands are of files and options that are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from pipelines.profile.loader import load_profile
from tests.app.running import RunCli
from tests.deploy.test_deployments import FILES, SECRETS
from tests.fakes.qdrant_over_http import Served, serving

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
COMPOSE, KUBERNETES, CHECK, SUITE = (body for kind, body in BLOCKS if not kind)
(STORE,) = (body for kind, body in BLOCKS if kind == "yaml")


def test_compose_gets_exactly_the_secrets_it_asks_for() -> None:
    assert set(re.findall(r"^(\w+)=\$\(openssl rand -hex 32\)$", COMPOSE, re.MULTILINE)) == SECRETS.keys()
    named = re.search(r"`docker compose ((?:-f \S+ )+)up -d --build`", PAGE)
    assert named is not None
    assert named[1].replace("-f ", "").split() == FILES["cluster"]


def test_kubectl_applies_the_folder_of_the_kustomization() -> None:
    *_, apply = KUBERNETES.strip().splitlines()
    assert (ROOT / shlex.split(apply)[-1] / "kustomization.yaml").is_file()


def test_the_check_of_the_page_runs(run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, command, name, option = shlex.split(CHECK)
    served = Served()
    with serving(served=served) as url:
        (tmp_path / f"{name}.yaml").write_text(f"tenant: {name}\nstore: {{engine: server, url: '{url}'}}")
        monkeypatch.chdir(tmp_path)
        done = run_cli(command, f"{name}.yaml", option)
    assert done.code == 0, done.err
    assert f"support: store {url}: Qdrant {served.version}" in done.out


def test_the_profile_of_the_page_can_be_used() -> None:
    tree = {"tenant": "support", **yaml.safe_load(STORE.replace("${QDRANT_URL}", "http://q:6333"))}
    tree["store"].pop("api_key")  # only a file may name a variable
    store = load_profile(tree).profile.store
    assert store.engine == "server"
    assert (store.shards, store.replicas, store.write_consistency, store.strict_mode) == (1, 3, 2, True)


def test_the_server_suite_is_selected_by_its_marker() -> None:
    assert SUITE.strip().endswith("pytest -m qdrant_server")
    assert set(re.findall(r"(\w+)=", SUITE)) == {"QDRANT_URL", "QDRANT_CLUSTER_URLS"}
