"""The Qdrant servers that tests run on: stand-ins over HTTP and gRPC, and real ones that the environment names.

QDRANT_URL names one server, with QDRANT_GRPC_PORT (6334) for gRPC and QDRANT_API_KEY if it asks for one;
QDRANT_CLUSTER_URLS names the nodes of a cluster, with commas between.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.fakes.qdrant_over_grpc import serving_grpc
from tests.fakes.qdrant_over_http import Served, serving

STAND_INS = ["server's protocol", "server's gRPC"]
REAL = [pytest.param(name, marks=pytest.mark.qdrant_server) for name in ("server", "server by gRPC", "cluster")]
SERVERS = [*STAND_INS, *REAL]


@contextmanager
def qdrant_server(name: str) -> Iterator[dict[str, Any]]:
    """What a profile's `store` says of one of `SERVERS`; a test that needs a real one skips where there is none."""
    key = {"api_key": os.environ["QDRANT_API_KEY"]} if os.environ.get("QDRANT_API_KEY") else {}
    match name:
        case "server's protocol":
            with serving() as url:
                yield {"engine": "server", "url": url}
        case "server's gRPC":
            with serving_grpc(Served()) as port:
                yield {"engine": "server", "url": "http://127.0.0.1:9", "grpc_port": port}
        case "server":
            yield {"engine": "server", "url": _named("QDRANT_URL"), **key}
        case "server by gRPC":
            port = int(os.environ.get("QDRANT_GRPC_PORT", "6334"))
            yield {"engine": "server", "url": _named("QDRANT_URL"), "grpc_port": port, **key}
        case _:
            yield {"engine": "server", "url": cluster_urls()[0], "shards": 3, "replicas": 2, **key}


def cluster_urls() -> list[str]:
    """The addresses of the cluster's nodes."""
    return _named("QDRANT_CLUSTER_URLS").split(",")


def _named(variable: str) -> str:
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} names no Qdrant server")
    return value
