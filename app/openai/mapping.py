"""Between OpenAI's shapes and the core's values."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse

from app.http.failures import Failure
from app.native.mapping import query_response
from app.native.requests import query_of
from app.openai.schemas import (
    AnswerMessage,
    ChatCompletion,
    ChatCompletionChunk,
    ChatRequest,
    Choice,
    ChunkChoice,
    CountedChunk,
    Delta,
    ErrorBody,
    ErrorResponse,
    FinishReason,
    Model,
    ModelList,
    TenantFields,
    Usage,
)
from pipelines.errors import NotFound, Problem, nearest
from pipelines.types import Answer, AnswerDone, AnswerEvent, Citation, Message, Query, TextWritten
from pipelines.types.page_names import page_name

_LIST = "\n\nSources:\n"
_LISTED = re.compile(r"\n\nSources:(?:\n\[\d+\] .*)+\n?\Z")  # one step a line, against catastrophic backtracking
_KINDS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_CODES = {"unauthorized": "invalid_api_key"}
_REQUESTED = {
    **dict.fromkeys(("question", "history"), "messages"),
    **{name: f"footnote -> {name}" for name in TenantFields.model_fields},
}
_BYTES_PER_TOKEN = 4  # typical of English


class ModelNotFound(NotFound):
    """The key may read no tenant of this name."""

    code = "model_not_found"

    def __init__(self, model: str, known: Iterable[str]) -> None:
        problem = Problem("model", f'there is no "{model}"; a model here is a tenant', nearest(model, known))
        super().__init__(str(problem), (problem,))


def models(tenants: Iterable[str], created: int) -> ModelList:
    """Tenants as models."""
    return ModelList(data=[model(tenant, created) for tenant in sorted(tenants)])


def model(tenant: str, created: int) -> Model:
    """Return a tenant as a model."""
    return Model(id=tenant, created=created)


def question(asked: ChatRequest) -> Query:
    """Return what an engine is asked: the last message of a user, after those before it.

    A tenant's rules are its profile's, so that messages of the role system are left out; so are the lists of footnotes
    that answers were given.
    """
    last = max(place for place, message in enumerate(asked.messages) if message.role == "user")
    among = asked.footnote or TenantFields()
    return replace(query_of(asked.messages[last].text, among), history=tuple(_history(asked, last)))


def _history(asked: ChatRequest, end: int) -> Iterator[Message]:
    for message in asked.messages[:end]:
        if message.role == "user" and message.text:
            yield Message("user", message.text)
        elif message.role == "assistant" and message.text:
            yield Message("assistant", _LISTED.sub("", message.text))


def completion(asked: ChatRequest, answer: Answer) -> ChatCompletion:
    """Return a whole answer."""
    message = AnswerMessage(content=answer.text + _list(answer.citations), footnote=query_response(answer))
    return ChatCompletion(
        id=_new_id(),
        created=int(time.time()),
        model=asked.model,
        choices=[Choice(message=message, finish_reason=_finish(answer))],
        usage=_usage(asked, answer),
    )


class Chunks:
    """The chunks of one streamed answer."""

    def __init__(self, asked: ChatRequest) -> None:
        self._asked = asked
        options = asked.stream_options
        self._counts = options is not None and bool(options.include_usage)
        self._id = _new_id()
        self._created = int(time.time())

    def of(
        self, events: Generator[AnswerEvent, None, None]
    ) -> Generator[tuple[None, ChatCompletionChunk] | None, None, None]:
        """Yields the chunks of an answer as it is written, None while nothing is new. Closing it closes ``events``."""
        with closing(events):
            yield self._chunk(Delta(role="assistant", content=""))
            for event in events:
                match event:
                    case TextWritten(text):
                        yield self._chunk(Delta(content=text))
                    case AnswerDone(answer):
                        yield from self._last(answer)
                    case _:
                        yield None

    def _last(self, answer: Answer) -> Iterator[tuple[None, ChatCompletionChunk]]:
        if answer.citations:
            yield self._chunk(Delta(content=_list(answer.citations)))
        yield self._chunk(Delta(footnote=query_response(answer)), _finish(answer))
        if self._counts:
            yield None, self._filled(choices=[], usage=_usage(self._asked, answer))

    def _chunk(self, delta: Delta, finish: FinishReason | None = None) -> tuple[None, ChatCompletionChunk]:
        return None, self._filled(choices=[ChunkChoice(delta=delta, finish_reason=finish)])

    def _filled(self, **rest: Any) -> ChatCompletionChunk:
        kind = CountedChunk if self._counts else ChatCompletionChunk
        return kind(id=self._id, created=self._created, model=self._asked.model, **rest)


def error_response(request: Request, failure: Failure) -> JSONResponse:
    """Return a failure in OpenAI's shape, which has no 422; the first problem names the parameter."""
    status = 400 if failure.status == 422 else failure.status
    param = _param(failure.problems[0].path) if failure.problems else None
    kind = _kind(status)
    code = _CODES.get(failure.code, failure.code)
    body = ErrorResponse(error=ErrorBody(message=failure.detail, type=kind, param=param, code=code))
    return JSONResponse(body.model_dump(), status, dict(failure.headers))


def _kind(status: int) -> Any:
    if status >= 500:
        return "server_error"
    return _KINDS.get(status, "invalid_request_error")


def _param(path: str) -> str | None:
    """Return the path as OpenAI writes it, ``messages[0].content``; a field of the core as the request names it."""
    first, _, rest = path.partition(" -> ")
    named = " -> ".join(filter(None, (_REQUESTED.get(first, first), rest)))
    return re.sub(r"\.?(?<![^.])(\d+)(?=\.|\Z)", r"[\1]", named.replace(" -> ", ".")) or None


def _list(citations: Iterable[Citation]) -> str:
    listed = "\n".join(f"[{citation.number}] {_place(citation)}" for citation in citations)
    return f"{_LIST}{listed}" if listed else ""


def _place(citation: Citation) -> str:
    page = page_name(citation.page, citation.page_label)
    parts = dict.fromkeys(part for part in (citation.title, citation.source, page) if part)
    return " ".join(", ".join(parts).split()) or citation.document_id


def _finish(answer: Answer) -> FinishReason:
    return "length" if answer.truncated else "stop"


def _usage(asked: ChatRequest, answer: Answer) -> Usage:
    """Estimated tokens read and written, including the sources if a language model read them."""
    read, written = answer.exchange or (answer.question, answer.text)
    prompt = tokens_of(read) + sum(tokens_of(message.text) for message in asked.messages[:-1])
    completion = tokens_of(written)
    return Usage(prompt_tokens=prompt, completion_tokens=completion, total_tokens=prompt + completion)


def tokens_of(text: str) -> int:
    """Return the estimated number of tokens of a text."""
    return -(-len(text.encode(errors="replace")) // _BYTES_PER_TOKEN)


def _new_id() -> str:
    return f"chatcmpl-{uuid.uuid4().hex}"
