"""Server processes that count requests together in Redis, and what becomes of that when Redis goes away."""

from __future__ import annotations

import gc
import shutil
import signal
import socket
import subprocess
import time
import uuid
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis
from limits import RateLimitItemPerMinute
from pydantic import SecretStr

from app.http import counts as counts_module
from app.http.counts import Counts, counts_of
from tests.app.running import Serve

THREE = RateLimitItemPerMinute(3)


class Redis:
    """A Redis server of the test's own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self._folder]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        client, deadline = redis.Redis(port=self.port), time.monotonic() + 60
        while True:
            try:
                client.ping()
                break
            except redis.ConnectionError:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        client.close()

    def stall(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Redis]:
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    made = Redis(tmp_path)
    made.start()
    yield made
    made.stop()
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()  # a server keeps its connections until it ends; those of a test must not fail another one


def refused(counts: Counts, caller: str, times: int) -> list[bool]:
    return [counts.hit(THREE, caller) is not None for _ in range(times)]


def test_servers_over_one_redis_share_a_callers_count(
    server: Redis, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHARED_COUNTS", server.url)
    profile = "tenant: busy\njobs: {run: worker}\nlimits: {requests_per_minute: 3, redis_url: '${SHARED_COUNTS}'}\n"
    first, second = serve(profile), serve(profile)
    path = "/tenants/busy/documents"
    assert [client.get(path).status_code for client in (first, second, first, second, first)] == [200] * 3 + [429] * 2
    assert 1 <= int(second.get(path).headers["Retry-After"]) <= 60


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/tenants/busy/documents", None),
        ("POST", "/openai/v1/embeddings", {"model": "busy", "input": "A text."}),
    ],
)
def test_a_slow_redis_delays_only_those_whom_it_counts(
    server: Redis, serve: Serve, monkeypatch: pytest.MonkeyPatch, *, method: str, path: str, body: object
) -> None:
    monkeypatch.setenv("SHARED_COUNTS", server.url)
    monkeypatch.setattr(counts_module, "_WAIT_S", 4.0)
    client = serve("tenant: busy\nlimits: {requests_per_minute: 3, redis_url: '${SHARED_COUNTS}'}\n")
    server.stall()
    with ThreadPoolExecutor(1) as others:
        counted = others.submit(client.request, method, path, json=body)
        time.sleep(0.5)
        assert client.get("/healthz").elapsed.total_seconds() < 2
        assert counted.result().status_code == 200


def test_tenants_with_one_address_share_a_connection_and_others_count_for_themselves(server: Redis) -> None:
    own = Counts()
    found = counts_of({"a": SecretStr(server.url), "b": SecretStr(server.url), "c": None}, own)
    assert found["a"] is found["b"]
    assert found["c"] is own


def test_without_redis_each_process_counts_for_itself_until_it_is_back(
    server: Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(counts_module, "_PAUSE_S", 0.0)
    caller = uuid.uuid4().hex
    one, other = Counts(SecretStr(server.url)), Counts(SecretStr(server.url))
    assert refused(one, caller, 2) + refused(other, caller, 2) == [False, False, False, True]
    server.stop()
    assert refused(one, caller, 4) == [False, False, False, True]
    assert "this process counts requests for itself" in caplog.text
    assert str(server.port) not in caplog.text
    server.start()
    assert refused(one, caller, 3) + refused(other, caller, 1) == [False, False, False, True]


def test_an_absence_of_redis_is_logged_once_and_so_is_its_end(
    server: Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(counts_module, "_PAUSE_S", 0.0)
    caplog.set_level("INFO", logger=counts_module.__name__)
    counts = Counts(SecretStr(server.url))
    for _ in range(2):
        server.stop()
        with ThreadPoolExecutor(4) as callers:
            assert list(callers.map(lambda caller: counts.hit(THREE, caller), "abcdefgh")) == [None] * 8
        server.start()
        assert refused(counts, uuid.uuid4().hex, 3) == [False] * 3
    assert [record.getMessage().partition(" (")[0].partition(":")[0] for record in caplog.records] == [
        "Redis does not answer",
        "Redis answers again",
    ] * 2


def test_an_unreachable_redis_is_not_asked_for_a_while(server: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts_module, "_PAUSE_S", 600.0)  # Redis may take long to start on a busy machine
    counts = Counts(SecretStr(server.url))
    server.stop()
    assert counts.hit(THREE, "a") is None
    server.start()
    assert refused(counts, "a", 3) == [False, False, True]  # still counted here
    with redis.Redis(port=server.port) as client:
        assert client.keys() == []
