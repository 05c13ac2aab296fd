"""A server of five tenants that has answered a few requests of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.metrics import figures
from tests.app.metrics.five_tenants import AWAY, CORTX, DEAF, PLAIN, TORN, ingest
from tests.app.running import serving
from tests.fakes.ollama import ollama_server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("metrics")


@pytest.fixture(scope="module")
def counted_each_time() -> Iterator[None]:
    """However slow the machine is: figures that took long would stand for a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "_QUICK_S", 60.0)
        yield


@pytest.fixture(scope="module")
def client(folder: Path, counted_each_time: None) -> Iterator[httpx.Client]:
    """A server of five tenants that has answered a few requests of every kind."""
    with (
        ollama_server() as ollama,
        serving(folder, (CORTX.format(url=ollama.url), PLAIN, DEAF, AWAY, TORN)) as client,
    ):
        for tenant in ("cortx", "plain", "deaf"):
            assert ingest(client, tenant, "Beagles need sixty minutes of exercise a day.").status_code == 201
            client.post(f"/tenants/{tenant}/query", json={"question": "How much exercise do beagles need?"})
        assert ingest(client, "plain", " ").status_code == 422
        client.post("/v1/query")
        yield client
