"""Talking to the server that holds a tenant: it is recognised before it is trusted, and its problems become errors."""

from __future__ import annotations

import hmac
import json
import secrets
import ssl
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

from app.http.errors import error_classes
from app.owner import CHALLENGE, PROOF, Owner, proof
from pipelines.errors import FootnoteError, InvalidRequest, Problem, Unavailable

_CONNECT_SECONDS = 5.0
_RECOGNISE_SECONDS = 10.0
_IDLE_SECONDS = 1.0
"""After which a connection is not used again: sooner than the server hangs up, so that no request meets that."""


class ServerGone(Unavailable):
    """The server that holds a tenant stopped answering."""

    code = "server_gone"

    def __init__(self, owner: Owner) -> None:
        super().__init__(
            f"the server at {owner.address} (process {owner.pid})",
            "it stopped answering, and may or may not have done what was asked; see what it printed, and try again",
        )


class ServerFailed(Unavailable):
    """The server answered with what is no answer of Footnote's."""

    code = "server_failed"

    def __init__(self, owner: Owner, status: int) -> None:
        super().__init__(
            f"the server at {owner.address} (process {owner.pid})",
            f"it answered with status {status} and no explanation; see what it printed",
        )


class Server:
    """A running server, spoken to with the token that it left in the data folder."""

    def __init__(self, owner: Owner, http: httpx.Client) -> None:
        self._owner = owner
        self._http = http

    def is_the_owner(self) -> bool:
        """Whether the one who answers at the address wrote the record: it proves that it knows the token."""
        challenge = secrets.token_hex(16)
        try:
            answer = self._http.get("/healthz", headers={CHALLENGE: challenge}, timeout=_RECOGNISE_SECONDS)
        except httpx.RequestError:
            return False
        given, due = answer.headers.get(PROOF, ""), proof(self._owner.token, challenge)
        return hmac.compare_digest(given.encode(), due.encode())

    def send(self, method: str, path: str, *, body: Mapping[str, Any] | None = None, **parts: Any) -> httpx.Response:
        """The answer to a request; ``body`` goes as JSON, and ``parts`` are httpx's.

        Raises:
            FootnoteError: What the server answered, as the error that the core would have raised here.
            ServerGone: It does not answer any more.
        """
        with self._answer(method, path, body, **parts) as answer:
            answer.read()
            return answer

    def events(self, path: str, body: Mapping[str, Any]) -> Generator[tuple[str, str], None, None]:
        """The server-sent events that a request is answered with, each its name and its data; closing it hangs up.

        Raises:
            FootnoteError: As in `send`; or the event ``error`` came, as the error that the core would have raised here.
        """
        with self._answer("POST", path, body) as answer:
            for name, data in read_events(answer.iter_lines()):
                if name == "error":
                    raise self._error(data.encode(), answer)
                yield name, data

    @contextmanager
    def _answer(self, method: str, path: str, body: Mapping[str, Any] | None, **parts: Any) -> Iterator[httpx.Response]:
        """The answer to a request, whose body has not been read yet."""
        headers = {"Authorization": f"Bearer {self._owner.token}"}
        if body is not None:
            parts["content"] = json.dumps(body)  # in ASCII, so that whatever was typed arrives, to be judged there
            headers["Content-Type"] = "application/json"
        try:
            with self._http.stream(method, path, headers=headers, **parts) as answer:
                if not answer.is_success:
                    raise self._error(answer.read(), answer)
                yield answer
        except httpx.InvalidURL:
            raise InvalidRequest(Problem("", "what is asked for is too long to be sent to the server")) from None
        except httpx.RequestError as error:
            raise ServerGone(self._owner) from error

    def _error(self, document: bytes, answer: httpx.Response) -> FootnoteError:
        try:
            told = json.loads(document)
            problems = tuple(Problem(**problem) for problem in told["errors"])
            return _as_raised_there(told["code"], told["detail"], problems, told["status"], answer)
        except (ValueError, KeyError, TypeError):
            return ServerFailed(self._owner, answer.status_code)


@contextmanager
def connected(owner: Owner) -> Iterator[Server]:
    """The server of a record, which need not be the one that answers: see `Server.is_the_owner`."""
    never_used = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # by default httpx reads all the certificates there are
    transport = httpx.HTTPTransport(verify=never_used, limits=httpx.Limits(keepalive_expiry=_IDLE_SECONDS))
    timeout = httpx.Timeout(None, connect=_CONNECT_SECONDS)  # a large document takes its time
    with httpx.Client(base_url=owner.address, transport=transport, timeout=timeout, trust_env=False) as http:
        yield Server(owner, http)


def read_events(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Server-sent events, each its name and its data, from the lines of a stream; comments are left out."""
    name, data = "", list[str]()
    for line in lines:
        key, _, value = line.partition(":")
        if key == "event":
            name = value.removeprefix(" ")
        elif key == "data":
            data.append(value.removeprefix(" "))
        elif not line:
            if data:
                yield name, "\n".join(data)
            name, data = "", []


def _as_raised_there(
    code: str, detail: str, problems: tuple[Problem, ...], status: int, answer: httpx.Response
) -> FootnoteError:
    """The error of the class that has this code, so that it counts here as it counts without a server."""
    of_status = InvalidRequest if status in (400, 422) else FootnoteError
    kind = next((known for known in error_classes() if known.code == code), of_status)
    if status >= 500:
        detail = f"the server answered: {code}: {detail} ({answer.headers.get('X-Request-ID', 'no id')})"
    error = kind.__new__(kind)
    FootnoteError.__init__(error, detail, problems)
    error.code = code
    return error
