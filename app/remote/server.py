"""Client of the server that holds a tenant: verifies the server, and turns its problem documents into errors."""

from __future__ import annotations

import hmac
import json
import secrets
import ssl
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
from httpx_sse import EventSource, SSEError

from app.http.errors import error_classes
from app.owner import CHALLENGE, PROOF, Owner, proof
from pipelines.errors import FootnoteError, InvalidRequest, Problem, Unavailable

_CONNECT_SECONDS = 5.0
_RECOGNISE_SECONDS = 10.0
_IDLE_SECONDS = 1.0
"""Seconds after which an idle connection is not reused; shorter than the server's timeout."""


class ServerGone(Unavailable):
    """The server that holds a tenant stopped answering."""

    code = "server_gone"

    def __init__(self, owner: Owner) -> None:
        super().__init__(
            f"the server at {owner.address} (process {owner.pid})",
            "it stopped answering, and the request may or may not have taken effect; see its log, then try again",
        )


class ServerFailed(Unavailable):
    """The server's response is not one of Footnote's."""

    code = "server_failed"

    def __init__(self, owner: Owner, status: int) -> None:
        super().__init__(
            f"the server at {owner.address} (process {owner.pid})",
            f"it answered with status {status} and no explanation; see its log",
        )


class Server:
    """A running server, called with the token from the data folder."""

    def __init__(self, owner: Owner, http: httpx.Client) -> None:
        self._owner = owner
        self._http = http

    def is_owner(self) -> bool:
        """Return whether the server at the address wrote the record: it must prove that it knows the token."""
        challenge = secrets.token_hex(16)
        try:
            answer = self._http.get("/healthz", headers={CHALLENGE: challenge}, timeout=_RECOGNISE_SECONDS)
        except httpx.RequestError:
            return False
        given, due = answer.headers.get(PROOF, ""), proof(self._owner.token, challenge)
        return hmac.compare_digest(given.encode(), due.encode())

    def send(self, method: str, path: str, *, body: Mapping[str, Any] | None = None, **parts: Any) -> httpx.Response:
        """Return the answer to a request; ``body`` goes as JSON, and ``parts`` are httpx's.

        Raises:
            FootnoteError: What the server answered, as the error that the core would have raised here.
            ServerGone: It does not answer any more.
        """
        with self._answer(method, path, body, **parts) as answer:
            answer.read()
            return answer

    @property
    def credentials(self) -> dict[str, str]:
        """The headers of the operator."""
        return {"Authorization": f"Bearer {self._owner.token}"}

    def ask_as(
        self, headers: Mapping[str, str], method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> httpx.Response:
        """Return the answer to a request with the ``headers`` of anybody, whatever its status.

        Raises:
            ServerGone: It does not answer any more.
        """
        try:
            return self._http.request(method, path, headers=dict(headers), json=body)
        except httpx.RequestError as error:
            raise ServerGone(self._owner) from error

    def events(self, path: str, body: Mapping[str, Any]) -> Generator[tuple[str, str], None, None]:
        """Yields the name and data of each server-sent event; closing it disconnects.

        Raises:
            FootnoteError: As in `send`; or the event ``error`` came, as the error that the core would have raised here.
        """
        with self._answer("POST", path, body) as answer:
            try:
                for event in EventSource(answer).iter_sse():
                    if event.event == "error":
                        raise self._error(event.data.encode(), answer)
                    yield event.event, event.data
            except SSEError:
                raise ServerFailed(self._owner, answer.status_code) from None

    def download(self, path: str) -> Iterator[bytes]:
        """The bytes of a file, in parts.

        Raises:
            FootnoteError: As in `send`.
        """
        with self._answer("GET", path, None) as answer:
            yield from answer.iter_bytes()

    @contextmanager
    def _answer(self, method: str, path: str, body: Mapping[str, Any] | None, **parts: Any) -> Iterator[httpx.Response]:
        """The response to a request, before its body is read."""
        headers = self.credentials
        if body is not None:
            parts["content"] = json.dumps(body)  # in ASCII, so the server gets any text, even invalid
            headers["Content-Type"] = "application/json"
        try:
            with self._http.stream(method, path, headers=headers, **parts) as answer:
                if not answer.is_success:
                    raise self._error(answer.read(), answer)
                yield answer
        except httpx.InvalidURL:
            raise InvalidRequest(Problem("", "the request is too long for the server")) from None
        except httpx.RequestError as error:
            raise ServerGone(self._owner) from error

    def _error(self, document: bytes, answer: httpx.Response) -> FootnoteError:
        try:
            body = json.loads(document)
            problems = tuple(Problem(**problem) for problem in body["errors"])
            return _as_raised_there(body["code"], body["detail"], problems, body["status"], answer)
        except (ValueError, KeyError, TypeError):
            return ServerFailed(self._owner, answer.status_code)


@contextmanager
def connected(owner: Owner) -> Iterator[Server]:
    """The server of a record; another one may listen at its address, see `Server.is_owner`."""
    never_used = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # httpx would load all certificates otherwise
    transport = httpx.HTTPTransport(verify=never_used, limits=httpx.Limits(keepalive_expiry=_IDLE_SECONDS))
    timeout = httpx.Timeout(None, connect=_CONNECT_SECONDS)  # large documents take long
    with httpx.Client(base_url=owner.address, transport=transport, timeout=timeout, trust_env=False) as http:
        yield Server(owner, http)


def _as_raised_there(
    code: str, detail: str, problems: tuple[Problem, ...], status: int, answer: httpx.Response
) -> FootnoteError:
    """Return the error of the class with this code, as without a server."""
    of_status = InvalidRequest if status in (400, 422) else FootnoteError
    kind = next((known for known in error_classes() if known.code == code), of_status)
    if status >= 500:
        detail = f"the server answered: {code}: {detail} ({answer.headers.get('X-Request-ID', 'no id')})"
    error = kind.__new__(kind)
    FootnoteError.__init__(error, detail, problems)
    error.code = code
    return error
