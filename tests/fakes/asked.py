"""What a stand-in for a language model was asked, and what it has: see `tests.fakes.ollama`."""

from __future__ import annotations

import base64
import binascii
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.manners import Manners, manners_of, tokens_of

MODELS = ("llama3.1:8b", "qwen2.5vl:7b", "nomic-embed-text:latest")


@dataclass
class Asked:
    """One request for an answer, and what became of it."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    messages: Sequence[Mapping[str, Any]]
    model: str = ""
    images: list[bytes] = field(default_factory=list)
    prompt: list[str] = field(default_factory=list)
    shared: int = 0  # tokens of the prompt that the model had in its cache
    truncated: bool = False  # the prompt is longer than the context
    sent: list[str] = field(default_factory=list)  # the tokens that were given
    gone: threading.Event = field(default_factory=threading.Event)  # the client disconnected before the end
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def last(self) -> str:
        """What the last message says."""
        return _text(self.messages[-1]) if self.messages else ""

    @property
    def options(self) -> Mapping[str, Any]:
        """Ollama's options."""
        return self.body.get("options") or {}

    @property
    def form(self) -> str | Mapping[str, Any] | None:
        """The form that was asked for: ``json``, a JSON schema, or none."""
        if not self.path.startswith("/v1"):
            return self.body.get("format")
        wanted = self.body.get("response_format") or {}
        schema = wanted.get("json_schema", {}).get("schema")
        return schema or ("json" if wanted.get("type") == "json_object" else None)

    @property
    def budget(self) -> int | None:
        """The most tokens that may be said."""
        given = self.options.get("num_predict", self.body.get("max_completion_tokens", self.body.get("max_tokens")))
        return given if given is not None and given >= 0 else None


@dataclass(frozen=True)
class Reply:
    """What a script lets the model say, and in which manner."""

    text: str
    manner: str = ""


Script = Callable[[Asked], str | Reply]


@dataclass
class FakeOllama:
    """What the server was asked, in order, and what it has."""

    script: Script | None = None
    url: str = ""
    models: tuple[str, ...] = MODELS
    asked: list[Asked] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    running: int = 0
    most_at_once: int = 0
    loaded: dict[str, float | str] = field(default_factory=dict)  # keep_alive by model
    cache: dict[str, list[str]] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def manners(self, asked: Asked) -> tuple[Manners, str | None]:
        """How an answer is to be given, and what it says, if the script or the asked form tells."""
        said = self.script(asked) if self.script else None
        if said is not None:
            said = Reply(said) if isinstance(said, str) else said
            return manners_of(said.manner or asked.model), said.text
        manners = manners_of(asked.model)
        form = asked.form
        plain = None if form is None or manners.says else json.dumps(instance_of(form))
        return manners, plain

    @contextmanager
    def answering(self, asked: Asked) -> Iterator[None]:
        """Records a request, its place among the others, and what the cache spares of it."""
        with self.lock:
            asked.prompt = _rendered(asked.messages)
            asked.shared = _common(asked.prompt, self.cache.get(asked.model, []))
            limit = asked.options.get("num_ctx")
            asked.truncated = limit is not None and len(asked.prompt) > limit
            self.asked.append(asked)
            self.running += 1
            self.most_at_once = max(self.most_at_once, self.running)
        try:
            yield
        finally:
            with self.lock:
                self.running -= 1
                self.cache[asked.model] = [*asked.prompt, *asked.sent]
                self.loaded[asked.model] = asked.body.get("keep_alive", "5m")
            asked.ended.set()


def instance_of(form: str | Mapping[str, Any]) -> Any:
    """The plainest value that a JSON schema allows."""
    if isinstance(form, str):
        return {"answer": "The documents say that this is so [1]."}
    if "enum" in form:
        return form["enum"][0]
    kind = form.get("type", "string")
    if kind == "object":
        return {name: instance_of(below) for name, below in form.get("properties", {}).items()}
    if kind == "array":
        return [instance_of(form.get("items", {}))]
    return {"integer": 1, "number": 0.5, "boolean": True, "null": None}.get(kind, "text")


def images_of(messages: Sequence[Mapping[str, Any]]) -> list[bytes]:
    """The images of a conversation.

    Raises:
        ValueError: One is not base64.
    """
    found: list[str] = []
    for message in messages:
        found += message.get("images") or []
        parts = message.get("content")
        for part in parts if isinstance(parts, list) else []:
            if part.get("type") == "image_url":
                found.append(part["image_url"]["url"].partition("base64,")[2])
    try:
        return [base64.b64decode(image, validate=True) for image in found]
    except binascii.Error as error:
        raise ValueError(f"illegal base64 data: {error}") from None


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _rendered(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The tokens that a model would read, as its template puts them together, up to where its answer begins."""
    tokens: list[str] = []
    for message in messages:
        closing = ["<end>"] if tokens else []
        tokens += [*closing, f"<{message.get('role')}>", *tokens_of(_text(message))]
    return [*tokens, "<end>", "<assistant>"]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
