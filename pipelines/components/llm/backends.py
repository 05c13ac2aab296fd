"""Where the calls of a language model go: to a server, or to a LlamaIndex model of the caller's own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from importlib import import_module
from typing import Protocol

from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.llms import LLM

from pipelines.components.http_servers import masked
from pipelines.components.llm.base import AnyLlm, Piece, Pieces, Request, chat_messages, part_of
from pipelines.components.llm.cancellation import cancellable
from pipelines.components.llm.ollama import ollama_pieces
from pipelines.components.llm.openai import openai_pieces
from pipelines.components.llm.servers import Servers
from pipelines.components.llm.transport import Call
from pipelines.errors import LlmTimeout, LlmUnavailable

Measure = Callable[[Iterator[Piece]], Iterator[Piece]]
_PROVIDERS: dict[str, Pieces] = {"ollama": ollama_pieces, "openai": openai_pieces}
_CLIENTS = {"ollama": ("ollama", "llama_index.llms.ollama"), "openai": ("openai", "llama_index.llms.openai")}
SERVED = tuple(_PROVIDERS)
_log = logging.getLogger(__name__)


class Backend(Protocol):
    """Makes calls of a language model."""

    def pieces(
        self, section: AnyLlm, request: Request, measure: Measure
    ) -> AbstractContextManager[Iterator[Piece | None]]:
        """Make a call that ends with the block; None comes while the model is silent.

        Raises:
            LlmUnavailable, LlmTimeout: While the pieces are read.
        """
        ...

    def load(self, section: AnyLlm) -> None:
        """Import what calls need; the first one would wait for it."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class ServerBackend:
    """Calls the servers that the profile names."""

    def __init__(self) -> None:
        self._servers = Servers()

    @contextmanager
    def pieces(self, section: AnyLlm, request: Request, measure: Measure) -> Iterator[Iterator[Piece | None]]:
        """See `Backend`."""
        server = self._servers.at(section.base_url)  # type: ignore[union-attr]  # those with a server have one
        with Call(self._servers, server, section, request.max_tokens) as call:
            pieces = cancellable(measure(_from_server(section, call, request)), call.cut)
            with closing(pieces):
                yield pieces

    def load(self, section: AnyLlm) -> None:
        """See `Backend`."""
        for package in _CLIENTS[section.provider]:
            import_module(package)

    def close(self) -> None:
        """See `Backend`."""
        self._servers.close()


class OwnBackend:
    """Calls a LlamaIndex model. A call that was given up ends with the model's next piece."""

    def __init__(self, model: LLM) -> None:
        self._model = model

    @contextmanager
    def pieces(self, section: AnyLlm, request: Request, measure: Measure) -> Iterator[Iterator[Piece | None]]:
        """See `Backend`."""
        part, stopped = part_of(section), threading.Event()
        made = measure(self._made(chat_messages(request.messages), part, stopped))
        pieces = cancellable(made, stopped.set, wait=False)
        with closing(pieces):
            yield _in_time(pieces, section.timeouts.call_s, part)

    def load(self, section: AnyLlm) -> None:
        """See `Backend`; the model is there."""

    def close(self) -> None:
        """See `Backend`; the model is its maker's."""

    def _made(self, messages: Sequence[ChatMessage], part: str, stopped: threading.Event) -> Iterator[Piece]:
        written = ""
        try:
            for response in self._responses(messages):
                if stopped.is_set():
                    return
                delta = (response.message.content or "")[len(written) :] if response.delta is None else response.delta
                written += delta
                yield Piece(delta)
        except Exception as error:
            _log.warning("%s failed", part, exc_info=True)
            raise LlmUnavailable(part, f"it failed ({type(error).__name__}), see the log") from error
        yield Piece(stop="end")

    def _responses(self, messages: Sequence[ChatMessage]) -> Iterator[ChatResponse]:
        try:
            yield from self._model.stream_chat(messages)
        except NotImplementedError:
            response = self._model.chat(messages)
            yield ChatResponse(message=response.message, delta=response.message.content)


def _in_time(pieces: Iterator[Piece | None], seconds: float, part: str) -> Iterator[Piece | None]:
    until = time.monotonic() + seconds
    for piece in pieces:
        if time.monotonic() > until:
            raise LlmTimeout(part, seconds)
        yield piece


def _from_server(section: AnyLlm, call: Call, request: Request) -> Iterator[Piece]:
    call.require_server()
    yield from _explained(_PROVIDERS[section.provider](section, call, request), call)


def _explained(pieces: Iterator[Piece], call: Call) -> Iterator[Piece]:
    """``pieces`` with errors of our own tree; errors after the end of an answer are ignored."""
    ended = False
    while True:
        try:
            piece = next(pieces)
        except StopIteration:
            break
        except Exception as error:  # noqa: BLE001 - three libraries raise many errors over a malformed answer
            if ended:
                break
            raise call.failure or LlmUnavailable(call.part, _fault(error, call.secret)) from None
        ended = ended or piece.stop is not None
        yield piece
    if not ended:
        raise call.failure or LlmUnavailable(call.part, "its answer broke off")


def _fault(error: Exception, secret: str) -> str:
    """Describe an error in the middle of an answer, in the server's words if it gave any."""
    message = getattr(error, "error", None) or getattr(error, "message", None)
    if isinstance(message, str) and message:
        return f"it said: {masked(message, secret)}"
    return "its answer does not follow its protocol; see llm -> provider and base_url"
