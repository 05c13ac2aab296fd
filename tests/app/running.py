"""The real application under uvicorn, on a free port of the loopback interface."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import sqlalchemy as sa
import uvicorn
from httpx_sse import EventSource

from app.http.patience import PatientProtocol
from app.main import create_app
from app.settings import Settings
from pipelines.jobs.database import FILE
from pipelines.jobs.queues import open_queues

Serve = Callable[..., httpx.Client]
RunCli = Callable[..., "Done"]


@dataclass(frozen=True)
class Done:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


def events_of(answer: httpx.Response) -> list[tuple[str, Any]]:
    """The server-sent events of an answer: each its name and the JSON value of its data."""
    return [(event.event, json.loads(event.data)) for event in EventSource(answer).iter_sse()]


def sent(client: httpx.Client, path: str, asked: Any) -> socket.socket:
    """A bare connection on which ``asked`` was sent to a path below the client's; close it to go away."""
    url = httpx.URL(client.base_url).join(path)
    reader = socket.create_connection((url.host, url.port), timeout=30)
    body = json.dumps(asked).encode()
    head = f"POST {url.path} HTTP/1.1\r\nHost: {url.host}:{url.port}\r\nContent-Type: application/json\r\n"
    reader.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return reader


@contextmanager
def running(app: Any) -> Iterator[str]:
    """The root address of ``app`` while it runs in a thread."""
    with socket.socket(proto=socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            app,
            lifespan="on",
            log_config=None,
            proxy_headers=False,
            http=PatientProtocol,
            log_level="critical",  # this Python cannot always format traces in two threads at once, and pytest does too
            timeout_keep_alive=600,  # who hangs up first must be the client, or it may ask when the server just has
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        assert server.started, "the server did not start"
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@cache
def _jobs_file() -> bytes:
    """What a first start leaves of DBOS's file: its migrations take as long as opening a tenant."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / FILE
        database = sa.create_engine(f"sqlite:///{file}")
        with open_queues(database, "nobody", {}, lambda *job: None):
            pass
        database.dispose()
        return file.read_bytes()


@contextmanager
def serving(folder: Path, profiles: tuple[str, ...], **settings: Any) -> Iterator[httpx.Client]:
    """A client of the real application, which serves the tenants that the texts of ``profiles`` describe."""
    files = []
    for number, text in enumerate(profiles):
        file = folder / f"served-{number}.yaml"
        file.write_text(text, encoding="utf-8")
        files.append(file)
    chosen = Settings(**{"data": folder / "data", "weak_keys": True, **settings})
    if not (jobs := chosen.data / FILE).exists():
        jobs.parent.mkdir(parents=True, exist_ok=True)
        jobs.write_bytes(_jobs_file())
    app = create_app(files, chosen)
    # Unverified, for nothing is encrypted here: loading certificates takes as long as opening a tenant.
    with running(app) as root, httpx.Client(base_url=root, trust_env=False, verify=False, timeout=60) as client:
        yield client
