"""The files that run Footnote on servers: valid by their own tools, and true to what the code reads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from pipelines.profile.loader import load_profile

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
SECRETS = {
    "POSTGRES_PASSWORD": "of-postgres",
    "QDRANT_API_KEY": "of-qdrant",
    "FOOTNOTE_OPS_KEY": "0123456789-of-ops-abcdef",
    "FOOTNOTE_METRICS_TOKEN": "of-prometheus",
    "GRAFANA_PASSWORD": "of-grafana",
}
FILES = {"one": ["compose.yaml"], "cluster": ["compose.yaml", "compose.cluster.yaml"]}
MANIFESTS = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))


def run(*command: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    program = str(TOOLS / command[0])
    given = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **environment}
    return subprocess.run(
        [program, *command[1:]], check=False, cwd=ROOT, env=given, capture_output=True, text=True, timeout=60
    )


def compose(files: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    named = [part for file in files for part in ("-f", file)]
    return run("docker-compose", "--env-file", os.devnull, *named, "config", environment=environment)


@pytest.fixture(scope="module", params=FILES)
def services(request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    """The services of a deployment, as Compose itself resolves them."""
    done = compose(FILES[request.param], SECRETS)
    assert done.returncode == 0, done.stderr
    resolved: dict[str, dict[str, Any]] = yaml.safe_load(done.stdout)["services"]
    return resolved


def manifests() -> Iterator[dict[str, Any]]:
    for file in MANIFESTS:
        yield from yaml.safe_load_all(file.read_text(encoding="utf-8"))


def pods() -> dict[str, dict[str, Any]]:
    """Templates of pods by the name of what makes them."""
    return {
        one["metadata"]["name"]: one["spec"]["template"] for one in manifests() if "template" in one.get("spec", {})
    }


# ---------------------------------------------------------------------------------------------------------------------
# Compose


@pytest.mark.parametrize("missing", SECRETS)
def test_a_missing_secret_stops_compose_and_is_named(missing: str) -> None:
    done = compose(["compose.yaml"], {name: value for name, value in SECRETS.items() if name != missing})
    assert done.returncode != 0
    assert missing in done.stderr


def test_every_container_is_pinned_and_holds_no_more_rights_than_it_needs(services: dict[str, dict[str, Any]]) -> None:
    for name, service in services.items():
        assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+[\w.-]*", service["image"]), name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert all(port["host_ip"] == "127.0.0.1" for port in service.get("ports", [])), name
    for name in services.keys() & {"app", "app-2", "worker"}:
        assert services[name]["read_only"], name


def test_the_tenants_profile_reads_what_compose_gives_it(services: dict[str, dict[str, Any]]) -> None:
    for name in services.keys() & {"app", "app-2", "worker"}:
        given = {key: str(value) for key, value in services[name]["environment"].items()}
        profile = load_profile(ROOT / "deploy" / "support" / "profile.yaml", given).profile
        assert profile.store.engine == "server"
        nodes = [one for one in services if one.startswith("qdrant")]
        assert profile.store.urls == tuple(f"http://{node}:6333" for node in nodes)
        assert (profile.store.shards, profile.store.replicas) == ((1, 1) if len(nodes) == 1 else (1, 3))
        for url in (profile.catalogue.url, profile.limits.redis_url):
            assert url is not None
            host = re.fullmatch(r"\w+(?:\+\w+)?://(?:[^@]*@)?(\w+):\d+/\w+", url.get_secret_value())
            assert host is not None
            assert host[1] in services
        assert profile.store.grpc_port == 6334
        assert profile.jobs.run == "worker"
        assert profile.auth.keys[0].secret.get_secret_value() == SECRETS["FOOTNOTE_OPS_KEY"]


def test_each_server_and_each_node_has_files_of_its_own(services: dict[str, dict[str, Any]]) -> None:
    volumes = [v["source"] for one in services.values() for v in one.get("volumes", []) if v["type"] == "volume"]
    assert len(volumes) == len(set(volumes))


def test_mounted_files_exist(services: dict[str, dict[str, Any]]) -> None:
    mounted = [v["source"] for one in services.values() for v in one.get("volumes", []) if v["type"] == "bind"]
    assert mounted
    assert [path for path in mounted if not Path(path).exists()] == []


def test_prometheus_finds_every_server_under_the_name_that_the_alerts_look_for(
    services: dict[str, dict[str, Any]],
) -> None:
    config = yaml.safe_load((ROOT / "deploy" / "prometheus.yaml").read_text(encoding="utf-8"))
    (scrape,) = config["scrape_configs"]
    (found,) = scrape["dns_sd_configs"]
    for name in services.keys() & {"app", "app-2"}:
        assert services[name]["networks"]["inside"]["aliases"] == found["names"]
        assert services[name]["command"][-2:] == ["--host", "0.0.0.0"]
    alerts = (ROOT / "configs" / "monitoring" / "alerts.yaml").read_text(encoding="utf-8")
    assert f'up{{job="{scrape["job_name"]}"}}' in alerts
    targets = {volume["target"] for volume in services["prometheus"]["volumes"]}
    assert {f"/etc/prometheus/{file}" for file in config["rule_files"]} <= targets
    (secret,) = services["prometheus"]["secrets"]
    assert scrape["authorization"]["credentials_file"] == secret["target"]


def test_grafana_loads_the_dashboard_from_where_it_is_mounted(services: dict[str, dict[str, Any]]) -> None:
    (provider,) = yaml.safe_load((ROOT / "deploy/grafana/dashboards.yaml").read_text(encoding="utf-8"))["providers"]
    targets = {volume["target"] for volume in services["grafana"]["volumes"]}
    assert f"{provider['options']['path']}/footnote.json" in targets


# ---------------------------------------------------------------------------------------------------------------------
# Kubernetes


@pytest.mark.parametrize("file", MANIFESTS, ids=lambda file: file.stem)
def test_manifests_fit_the_schemas_of_kubernetes(file: Path) -> None:
    for one in yaml.safe_load_all(file.read_text(encoding="utf-8")):
        kubernetes_validate.validate(one, "1.34", strict=True)


def test_kustomize_names_every_manifest_and_the_profile() -> None:
    folder = ROOT / "deploy"
    named = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))
    assert sorted(named["resources"]) == [file.relative_to(folder).as_posix() for file in MANIFESTS]
    (profile,) = named["configMapGenerator"]
    assert all((folder / file).is_file() for file in profile["files"])
    names = [volume["configMap"]["name"] for one in ("footnote", "worker") for volume in _volumes(one)]
    assert names == [profile["name"]] * 2


def _volumes(pod: str) -> list[dict[str, Any]]:
    return [volume for volume in pods()[pod]["spec"]["volumes"] if "configMap" in volume]


def test_every_pod_keeps_to_the_restricted_standard() -> None:
    for name, pod in pods().items():
        around = pod["spec"]["securityContext"]
        assert around["runAsNonRoot"], name
        assert around["seccompProfile"] == {"type": "RuntimeDefault"}, name
        for container in pod["spec"]["containers"]:
            assert container["securityContext"]["allowPrivilegeEscalation"] is False, name
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}, name
            assert container["resources"]["limits"]["memory"], name
    for name in ("footnote", "worker"):
        (container,) = pods()[name]["spec"]["containers"]
        assert container["securityContext"]["readOnlyRootFilesystem"]


def test_services_lead_to_ports_that_their_pods_have() -> None:
    services = [one for one in manifests() if one["kind"] == "Service"]
    assert services
    for service in services:
        (container,) = pods()[service["spec"]["selector"]["app"]]["spec"]["containers"]
        ports = {key for port in container["ports"] for key in (port["name"], port["containerPort"])}
        for port in service["spec"]["ports"]:
            assert port.get("targetPort", port["port"]) in ports


def test_the_pods_of_the_stores_let_footnote_in() -> None:
    policy = next(one for one in manifests() if one["metadata"]["name"] == "stores")
    (wanted,) = policy["spec"]["ingress"][0]["from"]
    (labels,) = wanted["podSelector"]["matchLabels"].items()
    assert all(labels in pods()[name]["metadata"]["labels"].items() for name in ("footnote", "worker"))


def test_the_tenants_profile_reads_what_the_pods_give_it() -> None:
    of_secret = {"DATABASE_URL": "postgresql+psycopg://footnote:x@postgres:5432/footnote", **SECRETS}
    hosts = {one["metadata"]["name"] for one in manifests() if one["kind"] == "Service"}
    for name in ("footnote", "worker"):
        (container,) = pods()[name]["spec"]["containers"]
        given = {one["name"]: one["value"] for one in container["env"]}
        profile = load_profile(ROOT / "deploy" / "support" / "profile.yaml", {**of_secret, **given}).profile
        assert profile.store.engine == "server"
        assert profile.store.urls == tuple(f"http://qdrant-{number}.qdrant-nodes:6333" for number in range(3))
        assert profile.store.replicas == 3
        assert profile.limits.redis_url is not None
        assert {"qdrant-nodes", "redis", "postgres"} <= hosts


# ---------------------------------------------------------------------------------------------------------------------
# The image


def test_the_dockerfile_passes_its_linter() -> None:
    done = run("hadolint", "--no-color", "Dockerfile", environment={})
    assert done.returncode == 0, done.stdout


def test_the_image_is_pinned_and_its_user_is_a_number() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    stages = {line.split()[-1] for line in lines if line.startswith("FROM ")}
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert all(base in stages or re.fullmatch(r"python:\d+\.\d+\.\d+-[\w-]+", base) for base in bases)
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10001:10001"]


@pytest.mark.parametrize("file", [".gitignore", ".dockerignore"])
def test_the_file_with_the_secrets_stays_out_of_commits_and_images(file: str) -> None:
    assert ".env" in (ROOT / file).read_text(encoding="utf-8").splitlines()
