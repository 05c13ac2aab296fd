"""`footnote check --connect`: every server that a profile names is asked, and those that do not answer are named."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pipelines.engine.connecting import databases_away
from pipelines.profile.loader import load_profile
from tests.app.running import RunCli
from tests.fakes.asked import MODELS
from tests.fakes.ollama import ollama_server
from tests.fakes.qdrant_over_grpc import serving_grpc
from tests.fakes.qdrant_over_http import Served, serving
from tests.fakes.tool_server import tool_server

PROFILE = """
tenant: t
store: {{engine: server, url: "{qdrant}"}}
catalogue: {{url: "${{CONNECT_DATABASE}}"}}
limits: {{redis_url: "${{CONNECT_REDIS}}"}}
llm: {{provider: ollama, model: "{model}", base_url: "{ollama}"}}
embedding: {{provider: openai, model: "{model}", base_url: "{ollama}/v1", dimensions: 8}}
tools: {{servers: [{{name: shop, transport: http, url: "{tools}"}}]}}
"""


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address where nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{held.getsockname()[1]}"


@pytest.mark.postgres
def test_reachable_servers_report_their_versions(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "FOOTNOTE_TEST_POSTGRES" not in os.environ:
        pytest.skip("FOOTNOTE_TEST_POSTGRES names no PostgreSQL server")
    monkeypatch.setenv("CONNECT_DATABASE", os.environ["FOOTNOTE_TEST_POSTGRES"])
    with ExitStack() as opened:
        qdrant, ollama = opened.enter_context(serving()), opened.enter_context(ollama_server())
        tools = opened.enter_context(tool_server())
        text = PROFILE.format(qdrant=qdrant, ollama=ollama.url, tools=tools.url, model=MODELS[0])
        file = tmp_path / "t.yaml"
        file.write_text("\n".join(line for line in text.splitlines() if "REDIS" not in line), encoding="utf-8")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", qdrant)
        done = run_cli("check", str(file), "--connect")
    said = " ".join(done.out.split())
    assert f"t: store {qdrant}: Qdrant 1.20.0" in said
    database = urlsplit(os.environ["FOOTNOTE_TEST_POSTGRES"])
    assert f"t: catalogue postgresql+psycopg://{database.hostname}:{database.port}/postgres: postgresql " in said
    assert f"t: llm {ollama.url}: has {MODELS[0]}" in said
    assert f"t: embedding {ollama.url}/v1: has {MODELS[0]}" in said
    assert f"t: traces {qdrant}: listens" in said
    assert f"t: tools shop {tools.url}: offers shop/" in said
    assert done.code == 0, done.out


def test_every_unreachable_server_is_named_with_advice(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nobody: str
) -> None:
    monkeypatch.setenv("CONNECT_DATABASE", f"postgresql+psycopg://someone:s3cret@{nobody}/footnote")
    monkeypatch.setenv("CONNECT_REDIS", f"redis://:s3cret@{nobody}/0")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://{nobody}")
    address = f"http://{nobody}"
    file = tmp_path / "t.yaml"
    file.write_text(PROFILE.format(qdrant=address, ollama=address, tools=address, model="m"), encoding="utf-8")
    done = run_cli("check", str(file), "--connect")
    assert done.code == 1
    said = " ".join(done.out.split())
    assert said.count("FAILED") == 7
    for part, where, hint in (
        ("store", address, "is Qdrant running there, with this key? (store -> url, api_key)"),
        ("catalogue", f"postgresql+psycopg://{nobody}/footnote", "(catalogue -> url)"),
        ("limits", f"redis://{nobody}/0", "is Redis running there? (limits -> redis_url)"),
        ("embedding", f"{address}/v1", "check embedding -> base_url"),
        ("llm", address, "check llm -> base_url"),
        ("traces", address, "check OTEL_EXPORTER_OTLP_ENDPOINT"),
        ("tools shop", address, "shop"),
    ):
        line = said.split(f"t: {part} {where}: FAILED: ")[1].split(" t: ")[0]
        assert hint in line
    assert "s3cret" not in done.out + done.err


@pytest.mark.parametrize("by", ["http", "grpc"])
def test_a_wrong_key_is_found_though_the_version_is_told_without(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    monkeypatch.setenv("CONNECT_KEY", "wrong-key")
    with ExitStack() as opened:
        served = Served(key="right-key")
        url = opened.enter_context(serving(served=served))
        port = f", grpc_port: {opened.enter_context(serving_grpc(served))}" if by == "grpc" else ""
        store = f"{{engine: server, url: '{url}', api_key: '${{CONNECT_KEY}}'{port}}}"
        (tmp_path / "t.yaml").write_text(f"tenant: t\nstore: {store}", encoding="utf-8")
        done = run_cli("check", str(tmp_path / "t.yaml"), "--connect")
    assert done.code == 1
    said = " ".join(done.out.split())
    assert "Must provide an API key" in said
    assert "with this key? (store -> url, api_key)" in said
    assert "wrong-key" not in said


def test_a_missing_model_is_named_with_the_command_that_pulls_it(run_cli: RunCli, tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    with ollama_server() as ollama:
        file.write_text(
            f"tenant: t\nllm: {{provider: ollama, model: none, base_url: '{ollama.url}'}}", encoding="utf-8"
        )
        done = run_cli("check", str(file), "--connect")
    assert done.code == 1
    assert "it has no model none; run: ollama pull none" in " ".join(done.out.split())


def test_grpc_ports_and_outdated_servers_are_recognised(run_cli: RunCli, tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    with serving_grpc(Served("1.12.0")) as port:
        file.write_text(
            f"tenant: t\nstore: {{engine: server, url: 'http://127.0.0.1:9', grpc_port: {port}}}", encoding="utf-8"
        )
        done = run_cli("check", str(file), "--connect")
    assert done.code == 1
    assert f"(gRPC at port {port}): FAILED" in done.out
    assert "Qdrant 1.12.0 is too old" in done.out


def test_each_node_of_a_cluster_is_asked_and_one_is_enough_for_a_start(
    run_cli: RunCli, tmp_path: Path, nobody: str
) -> None:
    file, away = tmp_path / "t.yaml", f"http://{nobody}"
    with serving() as answering:
        file.write_text(f'tenant: t\nstore: {{engine: server, url: "{away}, {answering}"}}\n', encoding="utf-8")
        said = " ".join(run_cli("check", str(file), "--connect").out.split())
        assert databases_away(load_profile(file)) == []
    assert f"t: store {away}: FAILED" in said
    assert f"t: store {answering}: Qdrant 1.20.0" in said
    assert [one.address for one in databases_away(load_profile(file))] == [away, answering]


def test_a_profile_without_servers_connects_nowhere(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("tenant: t", encoding="utf-8")
    done = run_cli("check", str(tmp_path / "t.yaml"), "--connect")
    assert (done.code, done.out) == (0, f"{tmp_path / 't.yaml'}: ok, tenant t\nt: embedding: on cpu\n")


def test_a_missing_gpu_is_named_with_what_to_install(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("tenant: t\nembedding: {device: cuda, quantize: none}", encoding="utf-8")
    done = run_cli("check", str(tmp_path / "t.yaml"), "--connect")
    assert done.code == 1
    assert "t: models: FAILED" in done.out
    assert "onnxruntime-gpu" in done.out
