"""An embedding server that speaks the protocols of Ollama, OpenAI and text-embeddings-inference.

The model's name scripts its behaviour: ``busy-twice`` answers 503 two times, ``slow`` never answers, ``broken``
breaks the connection, ``odd`` and ``none`` answer something else, ``page`` a web page, ``short`` leaves a vector out,
``gone`` is a model that nobody pulled, ``forbidden`` a refusal that quotes the key; any other name answers as it
should, with as many dimensions as are asked for.
Protocols: Ollama's docs/api.md (POST /api/embed), OpenAI's API reference (POST /v1/embeddings), and
text-embeddings-inference's openapi.json (POST /embed).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.loopback import JsonHandler, serving

DIMENSIONS = 4
_ODD: dict[str, Any] = {
    "odd": {"odd": 1},
    "none": {"embeddings": None},
    "page": "<html>Welcome</html>",
    "deep": "[" * 100_000,
    "large": '{"embeddings": [[1' + "0" * 400 + "]]}",
}


@dataclass
class Recorded:
    """What the server was asked, in order; ``over`` is set when it is to end."""

    url: str = ""
    paths: list[str] = field(default_factory=list)
    batches: list[list[str]] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


def vector(text: str) -> list[float]:
    """The vector of a text: not of unit length, and different for different texts."""
    return [float(len(text)), float(text.count("a")), 1.0, 2.0]


@contextmanager
def embedding_server(port: int = 0) -> Iterator[Recorded]:
    """Runs the server until the block ends, at a port that is free unless one is named."""
    recorded = Recorded()
    with serving(_handler(recorded), recorded.over, port) as url:
        recorded.url = url
        yield recorded


def _handler(recorded: Recorded) -> type[JsonHandler]:
    class Handler(JsonHandler):
        protocol_version = "HTTP/1.0"  # clients keep no connection that a test would have to close

        def post(self, raw: bytes) -> None:
            body = json.loads(raw)
            texts = body.get("input", body.get("inputs"))
            recorded.paths.append(self.path)
            recorded.batches.append(texts)
            recorded.bodies.append(body)
            recorded.keys.append(self.headers.get("authorization"))
            model = body.get("model", "")
            wide = [0.0] * (body.get("dimensions", DIMENSIONS) - DIMENSIONS)
            vectors = [vector(text) + wide for text in texts][: -1 if model == "short" else None]
            if model == "broken":
                self.close_connection = True
            elif model == "busy-twice" and len(recorded.paths) < 3:
                self.send(503, {"error": "busy"})
            elif model == "forbidden":
                self.send(401, {"error": {"message": f"Incorrect API key: {recorded.keys[-1]}", "code": "invalid"}})
            elif model == "gone":
                self.send(404, {"error": 'model "gone" not found, try pulling it first'})
            elif model == "slow":
                recorded.over.wait(60)
            else:
                self.send(200, _ODD.get(model) or _answer(self.path, vectors))

    return Handler


def _answer(path: str, vectors: list[list[float]]) -> Any:
    if path == "/api/embed":
        return {"model": "m", "embeddings": vectors, "total_duration": 1}
    if path == "/v1/embeddings":
        data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(vectors)]
        return {"object": "list", "data": data[::-1], "model": "m"}  # the order is told by the index, not by the place
    return vectors
