"""The Qdrant servers that tests run on: stand-ins over HTTP and gRPC, and real ones that the environment names.

QDRANT_URL names one server, with QDRANT_GRPC_PORT (6334 if that is open; 0: none) and QDRANT_API_KEY if it has one;
QDRANT_CLUSTER_URLS names the nodes of a cluster, with commas between. The stand-ins ask for a key too.
"""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from pipelines.components.store.server import check_version, explained, server_client
from pipelines.errors import PartTimeout, StoreUnavailable
from pipelines.profile.sections.storage import ServerStore
from tests.fakes.qdrant_over_grpc import serving_grpc
from tests.fakes.qdrant_over_http import Served, serving

STAND_INS = ["server's protocol", "server's gRPC"]
REAL = [pytest.param(name, marks=pytest.mark.qdrant_server) for name in ("server", "server by gRPC", "cluster")]
SERVERS = [*STAND_INS, *REAL]
SHARDED = {"cluster"}
"""Each shard weighs words by its own chunks."""
KEY_VARIABLE = "FOOTNOTE_TEST_QDRANT_KEY"
_KEY = "the-key-of-the-stand-in"
_USUAL_PORT, _USUAL_GRPC_PORT = 6333, 6334
PATIENCE_S = 60
"""How long a call of a slow server may take."""


@contextmanager
def qdrant_server(name: str) -> Iterator[dict[str, Any]]:
    """What a profile's `store` says of one of `SERVERS`; a test that needs a real one skips where there is none."""
    key = _key_of_environment()
    match name:
        case "server's protocol":
            with serving(served=Served(key=_KEY)) as url:
                yield {"engine": "server", "url": url, "api_key": _KEY}
        case "server's gRPC":
            with serving_grpc(Served(key=_KEY)) as port:
                yield {"engine": "server", "url": "http://127.0.0.1:9", "grpc_port": port, "api_key": _KEY}
        case "server":
            url = _named("QDRANT_URL")
            _require_version(url)
            yield {"engine": "server", "url": url, **key}
        case "server by gRPC":
            url = _named("QDRANT_URL")
            _require_version(url)
            yield {"engine": "server", "url": url, "grpc_port": _grpc_port(url), **key}
        case _:
            for url in cluster_urls():
                _require_version(url)
            yield {"engine": "server", "url": cluster_urls()[0], "shards": 3, "replicas": 2, **key}


def for_a_file(section: dict[str, Any]) -> dict[str, Any]:
    """The same for a file, where a key is only named: the environment has it, for this process and its children."""
    if "api_key" not in section:
        return section
    os.environ[KEY_VARIABLE] = section["api_key"]
    return {**section, "api_key": f"${{{KEY_VARIABLE}}}"}


def cluster_urls() -> list[str]:
    """The addresses of the cluster's nodes."""
    return [url.strip() for url in _named("QDRANT_CLUSTER_URLS").split(",")]


def with_port(url: str) -> str:
    """The address with the port that qdrant-client takes where none is named."""
    parts = urlsplit(url)
    return url if parts.port else parts._replace(netloc=f"{parts.netloc}:{_USUAL_PORT}").geturl()


@contextmanager
def dead_node(url: str) -> Iterator[None]:
    """Kill a node until left, and wait until it is ready again: later tests need all of them."""
    kill, start = _named_command("QDRANT_KILL_COMMAND"), _named_command("QDRANT_START_COMMAND")
    subprocess.run([*kill, url], check=True, timeout=PATIENCE_S)
    try:
        yield
    finally:
        subprocess.run([*start, url], check=True, timeout=PATIENCE_S)
        _wait_until_ready(url)


def require_commands() -> None:
    """Skip a test that kills a node where the environment does not say how to kill and start one."""
    for variable in ("QDRANT_KILL_COMMAND", "QDRANT_START_COMMAND"):
        _named_command(variable)


def _named_command(variable: str) -> list[str]:
    command = os.environ.get(variable)
    if not command:
        pytest.skip(f"{variable} names no command: a node is killed only where it can be started again")
    return shlex.split(command)


def _wait_until_ready(url: str, seconds: float = 180.0) -> None:
    deadline = time.monotonic() + seconds
    while not _is_ready(url):
        assert time.monotonic() < deadline, f"Qdrant at {url} is not ready {seconds:.0f} s after its start"
        time.sleep(0.5)


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{with_port(url).rstrip('/')}/readyz", timeout=5, trust_env=False).is_success
    except httpx.TransportError:
        return False


def _key_of_environment() -> dict[str, str]:
    return {"api_key": os.environ["QDRANT_API_KEY"]} if os.environ.get("QDRANT_API_KEY") else {}


@cache
def _require_version(url: str) -> None:
    """End the whole run with one sentence where a server is too old or away: each test would fail of that."""
    client = server_client(ServerStore.model_validate({"engine": "server", "url": url, **_key_of_environment()}))
    try:
        with explained(PATIENCE_S):
            check_version(client)
    except (StoreUnavailable, PartTimeout) as error:
        pytest.exit(f"the tests cannot run on {url}: {error}", returncode=pytest.ExitCode.TESTS_FAILED)
    finally:
        client.close()


def _grpc_port(url: str) -> int:
    """The port for gRPC of the server at ``url``; the usual one need not be open to the tests."""
    named = os.environ.get("QDRANT_GRPC_PORT")
    if named is not None and not int(named):
        pytest.skip("QDRANT_GRPC_PORT is 0: no gRPC")
    if named is None:
        host = urlsplit(url).hostname or ""
        try:
            socket.create_connection((host, _USUAL_GRPC_PORT), timeout=5).close()
        except OSError:
            pytest.skip(f"nothing listens at {host}:{_USUAL_GRPC_PORT}, and QDRANT_GRPC_PORT names no other port")
    return int(named or _USUAL_GRPC_PORT)


def _named(variable: str) -> str:
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} names no Qdrant server")
    return value
