"""What the servers of this folder share: a server on a free port of this machine, and handlers that speak JSON."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class JsonHandler(BaseHTTPRequestHandler):
    """Reads and writes JSON, and says nothing on standard error."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.get()

    def do_GET(self) -> None:
        self.get()

    def do_POST(self) -> None:
        self.post(self.read_body())

    def get(self) -> None:
        self.send(404, "404 page not found", "text/plain")

    def post(self, raw: bytes) -> None:
        self.send(404, "404 page not found", "text/plain")

    def read_body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def send(self, status: int, answer: Any, media_type: str = "application/json", **headers: str) -> None:
        """A whole answer; what is not text is written as JSON."""
        raw = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", media_type)
        self.send_header("content-length", str(len(raw)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler], over: threading.Event, port: int = 0) -> Iterator[str]:
    """Runs a server until the block ends, and gives its address; ``over`` is set when it is to end."""
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
