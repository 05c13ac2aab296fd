"""A server of our own in a process of its own: how fast it starts, what it holds, how it answers under load."""

import http.client
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

FOOTNOTE = Path(sys.executable).parent / "footnote"


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its process, address, and the seconds until it was ready."""

    pid: int
    url: str
    ready_after: float

    def search(self, question: str) -> float:
        """Seconds that one search over HTTP took."""
        started = time.perf_counter()
        with self._post("search", {"query": question, "top_k": 10}) as response:
            response.read()
        return time.perf_counter() - started

    def first_event(self, question: str) -> float:
        """Seconds until the first event of a streamed answer had come; then its reader leaves."""
        started = time.perf_counter()
        with self._post("query", {"question": question, "stream": True}) as response:
            while response.readline().strip():
                pass
            return time.perf_counter() - started

    def _post(self, path: str, body: dict[str, object]) -> http.client.HTTPResponse:
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.url}/tenants/bench/{path}", json.dumps(body).encode(), headers)
        response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=30)
        return response


@contextmanager
def serving(profile: Path, data: Path) -> Iterator[Server]:
    """Runs ``footnote serve`` until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = time.perf_counter()
    command = [str(FOOTNOTE), "serve", str(profile), "--data", str(data), "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(f"{url}/readyz", process)
        yield Server(process.pid, url, time.perf_counter() - started)
    finally:
        process.terminate()
        process.wait(30)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(2400):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(url)
