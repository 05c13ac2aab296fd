"""The language model that the core calls."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from pipelines.components.llm.backends import Backend
from pipelines.components.llm.base import AnyLlm, Form, Piece, Reply, Request, part_of, prompt_tokens
from pipelines.components.llm.call_metrics import CallMetrics
from pipelines.components.llm.gate import Gate
from pipelines.components.llm.reply_text import ReplyText
from pipelines.errors import InvalidRequest, Problem, PromptTooLong, nearest
from pipelines.events import Observe, ignore_event
from pipelines.profile.sections.llm import LlmTimeouts, llm_choices
from pipelines.types import Message

_MOST_CHARS_PER_TOKEN = 32
_PIECES_WITHOUT_TOKEN = 8


class Llm:
    """A profile's language model. Thread-safe; close it when done.

    A model chosen by a request shares the connections and the limit of concurrent calls.
    """

    def __init__(
        self, section: AnyLlm, gate: Gate, backends: Mapping[str, Backend], observe: Observe = ignore_event
    ) -> None:
        self._section = section
        self._gate = gate
        self._backends = backends
        self._observe = observe

    @property
    def name(self) -> str:
        """The model's name on its server."""
        return self._section.model

    @property
    def provider(self) -> str:
        """The provider's name."""
        return self._section.provider

    @property
    def part(self) -> str:
        """What errors call it."""
        return part_of(self._section)

    @property
    def room(self) -> int:
        """Most tokens of a prompt that leave room for the longest answer."""
        return self._section.context_tokens - self._section.max_tokens

    @property
    def timeouts(self) -> LlmTimeouts:
        """When a call is given up."""
        return self._section.timeouts

    @property
    def concurrency(self) -> int:
        """How many calls may run at once."""
        return self._section.concurrency

    @property
    def calls(self) -> tuple[int, int]:
        """Return how many calls run now, and how many wait."""
        return self._gate.calls

    def load(self) -> None:
        """Import what calls need; the first one would wait for it. Its server is asked nothing."""
        self._backends[self.provider].load(self._section)

    def close(self) -> None:
        """Close the connections."""
        for backend in self._backends.values():
            backend.close()

    def choose(self, provider: str | None = None, model: str | None = None) -> Llm:
        """Return the model that a request asks for; the profile's own if it asks for none.

        Raises:
            InvalidRequest: The profile does not allow this model.
        """
        allowed = llm_choices(self._section)
        served = [one for one in allowed if provider in (None, one.provider)]
        if not served:
            raise InvalidRequest(_not_allowed("provider", str(provider), [one.provider for one in allowed]))
        found = next((one for one in served if model in (None, one.model)), None)
        if found is None:
            raise InvalidRequest(_not_allowed("model", str(model), [one.model for one in served]))
        return self if found is self._section else Llm(found, self._gate, self._backends, self._observe)

    def for_decisions(self) -> Llm:
        """Return the same model with calls limited to ``timeouts -> decision_s``."""
        return self.within(self._section.timeouts.decision_s)

    def within(self, seconds: float) -> Llm:
        """Return the same model with calls limited to ``seconds``."""
        own = self._section.timeouts
        shorter = own.model_copy(update={"call_s": min(seconds, own.call_s), "token_s": min(seconds, own.token_s)})
        section = self._section.model_copy(update={"timeouts": shorter})
        return Llm(section, self._gate, self._backends, self._observe)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        json: Form = False,
        max_tokens: int | None = None,
        on_wait: Callable[[], None] | None = None,
    ) -> Reply:
        """Return the reply to ``messages``; see `stream`.

        ``on_wait`` is called at least ten times a second; what it raises stops the model.
        """
        with closing(self.stream(messages, json=json, max_tokens=max_tokens)) as stream:
            while True:
                try:
                    next(stream)
                except StopIteration as end:
                    reply: Reply = end.value
                    return reply
                if on_wait is not None:
                    on_wait()

    def stream(
        self, messages: Sequence[Message], *, json: Form = False, max_tokens: int | None = None
    ) -> Generator[str, None, Reply]:
        """Yield the reply to ``messages`` as it arrives; the generator's return value is the whole reply.

        Nothing is sent before the first ``next``. Empty texts are yielded while the model is silent or thinks, so that
        the generator can be closed at any time. Closing it closes the connection, and the server stops. A caller that
        does not read to the end must close it.

        Args:
            messages: The conversation, oldest first.
            json: Whether the answer must be a JSON object; a JSON schema says which.
            max_tokens: Most tokens of the answer, if fewer than the profile allows.

        Raises:
            PromptTooLong: The messages do not fit into the model's context.
            LlmBusy: Too many calls are running.
            LlmUnavailable: The server is away, refuses, breaks off, or answers something else.
            LlmTimeout: It is too slow to begin, to go on, or to come to an end.
        """
        request = Request(messages, min(max_tokens or self._section.max_tokens, self._section.max_tokens), json)
        self._require_room(request)
        with CallMetrics(self.name, self._observe) as metrics:
            with closing(self._gate.enter(self.part)) as turn:
                for _ in turn:
                    yield ""
            try:
                metrics.begin()
                reply = yield from self._call(request, metrics)
            finally:
                self._gate.leave()
            metrics.end(reply)
        return replace(reply, model=self.name)

    def _call(self, request: Request, metrics: CallMetrics) -> Generator[str, None, Reply]:
        with self._backends[self.provider].pieces(self._section, request, metrics.pieces) as pieces:
            return (yield from _within_budget(pieces, request.max_tokens))

    def _require_room(self, request: Request) -> None:
        tokens, room = prompt_tokens(request.messages), self._section.context_tokens - request.max_tokens
        if tokens > room:
            raise PromptTooLong(tokens, room)


def _not_allowed(key: str, given: str, known: Sequence[str]) -> Problem:
    listed = ", ".join(dict.fromkeys(known))
    return Problem(f"llm -> {key}", f'"{given}" is not among those of the profile: {listed}', nearest(given, known))


def _within_budget(pieces: Iterator[Piece | None], max_tokens: int) -> Generator[str, None, Reply]:
    """The texts of ``pieces``, "" for None; stops a server that goes on beyond the token budget."""
    written: list[str] = []
    words = ReplyText()
    reply = Reply("", "", "length")
    arrived = chars = 0
    for piece in pieces:
        if piece is None:
            yield ""
            continue
        reply = _noted(reply, piece)
        arrived += 1  # each is a token or several; a few hold figures alone
        chars += len(piece.text)
        if arrived > max_tokens + _PIECES_WITHOUT_TOKEN or chars > max_tokens * _MOST_CHARS_PER_TOKEN:
            reply = replace(reply, stop="length")
            break
        written.append(words.feed(piece.text))
        yield written[-1]
    written.append(words.finish())
    yield written[-1]
    return replace(reply, text="".join(written))


def _noted(reply: Reply, piece: Piece) -> Reply:
    if piece.stop is not None:
        reply = replace(reply, stop=piece.stop)
    if piece.prompt_tokens is not None:
        reply = replace(reply, prompt_tokens=piece.prompt_tokens, completion_tokens=piece.completion_tokens)
    return reply
