"""A server on loopback that speaks Ollama's protocol, and OpenAI's beside it, with a stand-in for the language model.

What the model says is told by the ``script`` of the test, a function of what was asked, or by the model's name, which
also tells how it behaves; see `tests.fakes.manners`. Every request is recorded, with what the model's cache would have
spared of it, and whether the client disconnected before the end; see `tests.fakes.asked`.
Protocol: Ollama's docs/api.md and server/routes.go; OpenAI's API reference for ``/v1``.
"""

from __future__ import annotations

import json
import math
import select
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from tests.fakes.asked import Asked, FakeOllama, Reply, Script, images_of
from tests.fakes.embedding_server import vector
from tests.fakes.faces import Face, Figures, OllamaFace, OpenAIFace
from tests.fakes.loopback import JsonHandler, serving
from tests.fakes.manners import Manners, said, tokens_of

__all__ = ["Asked", "FakeOllama", "Reply", "ollama_server"]

_GLANCE_S = 0.01
_DETAILS = {
    "parent_model": "",
    "format": "gguf",
    "family": "llama",
    "families": ["llama"],
    "parameter_size": "8.0B",
    "quantization_level": "Q4_0",
}


@contextmanager
def ollama_server(script: Script | None = None, port: int = 0) -> Iterator[FakeOllama]:
    """Runs the server until the block ends, at a port that is free unless one is named."""
    fake = FakeOllama(script)
    with serving(_handler(fake), fake.over, port) as url:
        fake.url = url
        yield fake


def patience_of(model: str) -> str:
    """Return the seconds to wait for a token of ``model``: one where it stalls, as no longer wait would bring more."""
    return "1" if model.startswith("stall") else "10"


class _Gone(Exception):
    """Whoever asked went away, or the server is to end."""


class _Handler(JsonHandler):
    fake: FakeOllama

    def get(self) -> None:
        self.fake.paths.append(self.path)
        answers = {
            "/": lambda: "Ollama is running",
            "/api/version": lambda: {"version": "0.12.0"},
            "/api/tags": lambda: {"models": [_listed(name) for name in self.fake.models]},
            "/api/ps": lambda: {"models": [_running(name, keep) for name, keep in self.fake.loaded.items()]},
            "/v1/models": lambda: {"object": "list", "data": [_openai_model(name) for name in self.fake.models]},
        }
        if self.path in answers:
            self.send(200, answers[self.path]())
        else:
            super().get()

    def post(self, raw: bytes) -> None:
        self.fake.paths.append(self.path)
        routes = {
            "/api/chat": self._chat,
            "/api/generate": self._generate,
            "/v1/chat/completions": self._completions,
            "/api/show": self._show,
            "/api/embed": self._embed,
            "/v1/embeddings": self._embeddings,
        }
        if self.path not in routes:
            super().post(raw)
            return
        try:
            body = json.loads(raw)
        except ValueError as error:
            self.send(400, {"error": str(error) if raw else "missing request body"})
            return
        if not body.get("model"):
            self.send(400, {"error": "model is required"})
        else:
            routes[self.path](body)

    def _show(self, body: Mapping[str, Any]) -> None:
        if "missing" in body["model"]:
            self.send(404, {"error": f"model '{body['model']}' not found"})
            return
        info = {"general.architecture": "llama", "llama.context_length": 8192}
        answer = {"modelfile": "", "parameters": "", "template": "{{ .Prompt }}", "details": _DETAILS}
        self.send(200, answer | {"model_info": info, "capabilities": ["completion", "vision"]})

    def _embed(self, body: Mapping[str, Any]) -> None:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        figures = {"total_duration": 1, "load_duration": 1, "prompt_eval_count": sum(map(len, map(tokens_of, texts)))}
        self.send(200, {"model": body["model"], "embeddings": [vector(text) for text in texts]} | figures)

    def _embeddings(self, body: Mapping[str, Any]) -> None:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        data = [{"object": "embedding", "index": n, "embedding": vector(text)} for n, text in enumerate(texts)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self.send(200, {"object": "list", "model": body["model"], "data": data, "usage": usage})

    def _chat(self, body: Mapping[str, Any]) -> None:
        face = OllamaFace(body["model"], chat=True)
        if not body.get("messages"):
            self._load(body, face)
        else:
            self._answer(body, body["messages"], face, streamed=body.get("stream", True))

    def _generate(self, body: Mapping[str, Any]) -> None:
        face = OllamaFace(body["model"], chat=False)
        if not body.get("prompt"):
            self._load(body, face)
            return
        system = [{"role": "system", "content": body["system"]}] if body.get("system") else []
        user = {"role": "user", "content": body["prompt"], "images": body.get("images")}
        self._answer(body, [*system, user], face, streamed=body.get("stream", True))

    def _completions(self, body: Mapping[str, Any]) -> None:
        usage = (body.get("stream_options") or {}).get("include_usage", False)
        face = OpenAIFace(body["model"], usage)
        if not body.get("messages"):
            self.send(400, face.fault("[] is too short - 'messages'"))
        else:
            self._answer(body, body["messages"], face, streamed=body.get("stream", False))

    def _load(self, body: Mapping[str, Any], face: OllamaFace) -> None:
        unload = body.get("keep_alive") == 0
        if unload:
            self.fake.loaded.pop(body["model"], None)
        else:
            self.fake.loaded[body["model"]] = body.get("keep_alive", "5m")
        self.send(200, face.done("unload" if unload else "load"))

    def _answer(self, body: Mapping[str, Any], messages: Any, face: Face, *, streamed: bool) -> None:
        asked = Asked(self.path, body, dict(self.headers.items()), messages, body["model"])
        try:
            asked.images = images_of(messages)
        except ValueError as error:
            self.send(400, face.fault(str(error)))
            return
        with self.fake.answering(asked):
            manners, text = self.fake.manners(asked)
            before = sum(one.model == asked.model for one in self.fake.asked) - 1
            try:
                if manners.status != 200 and before < manners.times:
                    self._refuse(manners.status, asked, face)
                else:
                    self._give(asked, manners, text, face, streamed=streamed)
            except (_Gone, ConnectionError):
                self.close_connection = True
                if not self.fake.over.is_set():
                    asked.gone.set()

    def _refuse(self, status: int, asked: Asked, face: Face) -> None:
        key = asked.headers.get("authorization", "")
        said = {
            503: "server busy, please try again.  maximum pending requests exceeded",
            500: "llama runner process has terminated: signal: killed",
            400: "invalid options: num_ctx",
            401: f"Incorrect API key provided: {key}",
            404: f"model '{asked.model}' not found",
        }
        self.send(status, face.fault(said[status]))

    def _give(self, asked: Asked, manners: Manners, text: str | None, face: Face, *, streamed: bool) -> None:
        self._wait(manners.first_s)
        if manners.end == "broken" and not manners.after:
            raise _Gone
        if manners.whole is not None:
            self.send(200, manners.whole)
            return
        wanted = said(manners, asked.last) if text is None else iter(tokens_of(text))
        budget = None if manners.says == "endless" else asked.budget
        figures = Figures(len(asked.prompt), asked.shared)
        tokens = self._timed(asked, manners, wanted if budget is None else islice(wanted, budget))
        if streamed:
            self._stream(manners, tokens, face)
            if manners.end is None:
                _count(figures, asked, wanted, budget)
                self._chunk(face.last(figures))
            self.wfile.write(b"0\r\n\r\n")
        else:
            list(tokens)
            _count(figures, asked, wanted, budget)
            self.send(200, face.whole("".join(asked.sent), "Let me see." if manners.thinks else "", figures))

    def _timed(self, asked: Asked, manners: Manners, wanted: Iterator[str]) -> Iterator[str]:
        for token in wanted:
            if manners.end is not None and len(asked.sent) >= manners.after:
                return
            self._wait(manners.token_s)
            asked.sent.append(token)
            yield token

    def _stream(self, manners: Manners, tokens: Iterator[str], face: Face) -> None:
        self.send_response(200)
        self.send_header("content-type", face.streamed)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        if manners.thinks:
            self._chunk(face.piece("Let me see.", thinking=True))
        for token in tokens:
            self._chunk(face.piece(token))
        if manners.end is not None:
            self._end_badly(manners.end, face)

    def _end_badly(self, end: str, face: Face) -> None:
        if end == "broken":
            self.connection.shutdown(socket.SHUT_RDWR)
            raise _Gone
        if end == "stall":
            self._wait(math.inf)
        elif end == "torn":
            self._chunk(face.piece("and")[:-9])
        elif end == "error":
            self._chunk(face.broken_line("llama runner process no longer running"))
        elif end == "noise":
            self._chunk("data: ]]]]\n\n" if face.streamed == "text/event-stream" else "]]]]\n")

    def _chunk(self, text: str) -> None:
        raw = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
        self._look()

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._look(min(_GLANCE_S, max(until - time.monotonic(), 0)))

    def _look(self, seconds: float = 0) -> None:
        """Notice, as Ollama does, that the client closed the connection."""
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if self.fake.over.is_set() or (readable and not self.connection.recv(1, socket.MSG_PEEK)):
            raise _Gone


def _count(figures: Figures, asked: Asked, left: Iterator[str], budget: int | None) -> None:
    figures.answer = len(asked.sent)
    full = budget is not None and figures.answer >= budget
    figures.reason = "length" if full and next(left, None) is not None else "stop"


def _handler(of: FakeOllama) -> type[_Handler]:
    return type("Handler", (_Handler,), {"fake": of})


def _listed(name: str) -> dict[str, Any]:
    now = datetime.now(UTC).isoformat()
    return {"name": name, "model": name, "modified_at": now, "size": 1, "digest": "0" * 64, "details": _DETAILS}


def _running(name: str, keep_alive: float | str) -> dict[str, Any]:
    stays = timedelta(days=36500) if isinstance(keep_alive, int | float) and keep_alive < 0 else timedelta(minutes=5)
    expires = (datetime.now(UTC) + stays).isoformat()
    listed = {key: value for key, value in _listed(name).items() if key != "modified_at"}
    return listed | {"expires_at": expires, "size_vram": 1}


def _openai_model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 1, "owned_by": "library"}
