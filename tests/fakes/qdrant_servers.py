"""The Qdrant servers that tests run on: stand-ins over HTTP and gRPC, and real ones that the environment names.

QDRANT_URL names one server, with QDRANT_GRPC_PORT (6334 if that is open; 0: none) and QDRANT_API_KEY if it has one;
QDRANT_CLUSTER_URLS names the nodes of a cluster, with commas between. The stand-ins ask for a key too.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.fakes.qdrant_over_grpc import serving_grpc
from tests.fakes.qdrant_over_http import Served, serving

STAND_INS = ["server's protocol", "server's gRPC"]
REAL = [pytest.param(name, marks=pytest.mark.qdrant_server) for name in ("server", "server by gRPC", "cluster")]
SERVERS = [*STAND_INS, *REAL]
SHARDED = {"cluster"}
"""Each shard weighs words by its own chunks."""
KEY_VARIABLE = "FOOTNOTE_TEST_QDRANT_KEY"
_KEY = "the-key-of-the-stand-in"
_USUAL_GRPC_PORT = 6334


@contextmanager
def qdrant_server(name: str) -> Iterator[dict[str, Any]]:
    """What a profile's `store` says of one of `SERVERS`; a test that needs a real one skips where there is none."""
    key = {"api_key": os.environ["QDRANT_API_KEY"]} if os.environ.get("QDRANT_API_KEY") else {}
    match name:
        case "server's protocol":
            with serving(served=Served(key=_KEY)) as url:
                yield {"engine": "server", "url": url, "api_key": _KEY}
        case "server's gRPC":
            with serving_grpc(Served(key=_KEY)) as port:
                yield {"engine": "server", "url": "http://127.0.0.1:9", "grpc_port": port, "api_key": _KEY}
        case "server":
            yield {"engine": "server", "url": _named("QDRANT_URL"), **key}
        case "server by gRPC":
            url = _named("QDRANT_URL")
            yield {"engine": "server", "url": url, "grpc_port": _grpc_port(url), **key}
        case _:
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
