"""One call's way to a language model's server: its timeouts, its retries, and its end.

The clients of the providers know none of this in the same way, and keep their connections where nobody can close them.
They are given this transport instead, which all calls of a profile share the connections of.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import NoReturn, Self

import httpx

from pipelines.components.http_servers import ATTEMPTS, BROKEN, BUSY, pause_s, refusal
from pipelines.errors import FootnoteError, LlmTimeout, LlmUnavailable
from pipelines.profile.llms import LlmSection

_MOST_REFUSAL_BYTES = 65_536
_BYTES_FOR_A_START = 1_000_000
_BYTES_PER_TOKEN = 4096  # with everything that a line or an event says around it


class Call(httpx.BaseTransport):
    """Sends one call's requests over the connections of ``http``, and closes its own when the block ends.

    ``secret`` is the key, which no error may show. ``failure`` is what went wrong, in our words: the providers' clients
    wrap or swallow what is raised here.
    """

    def __init__(self, http: httpx.Client, section: LlmSection, max_tokens: int) -> None:
        self.failure: FootnoteError | None = None
        self.part = f"the language model ({section.provider}, {section.model})"
        self._http = http
        self._section = section
        self.secret = section.api_key.get_secret_value()
        self._bytes_left = _BYTES_FOR_A_START + max_tokens * _BYTES_PER_TOKEN
        self._deadline = time.monotonic() + section.timeout_s
        self._timeouts: dict[str, float] = {"connect": section.connect_timeout_s, "pool": section.timeout_s}
        self._response: httpx.Response | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        """Closes the connection if the answer is not over, which is how a server learns that it can stop."""
        if self._response is not None:
            self._response.close()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request, again where that is safe, and gives an answer whose body obeys the timeouts."""
        request.headers.pop("authorization", None)  # the providers' clients look for keys in the environment
        if self.secret:
            request.headers["authorization"] = f"Bearer {self.secret}"
        request.extensions = {**request.extensions, "timeout": self._timeouts}
        response = self._response = self._answered(request)
        if response.status_code >= 300:
            self._fail(LlmUnavailable(self.part, refusal(response.status_code, self._said(response), self.secret)))
        self._timeouts["read"] = self._section.token_timeout_s  # is looked at when the body is begun
        return httpx.Response(
            response.status_code, headers=response.headers, stream=_Body(self), extensions=response.extensions
        )

    def body(self) -> Iterator[bytes]:
        """The answer's bytes as they arrive."""
        assert self._response is not None
        try:
            for chunk in self._response.iter_raw():
                self._bytes_left -= len(chunk)
                if self._bytes_left < 0:
                    self._fail(LlmUnavailable(self.part, "its answer has no end"))
                if time.monotonic() > self._deadline:
                    self._fail(LlmTimeout(self.part, self._section.timeout_s))
                yield chunk
        except httpx.TimeoutException:
            self._fail(LlmTimeout(self.part, self._section.token_timeout_s))
        except (httpx.HTTPError, httpx.StreamError):
            self._fail(LlmUnavailable(self.part, "the connection broke in the middle of its answer"))

    def _answered(self, request: httpx.Request) -> httpx.Response:
        """The server's answer: nothing was said before it, so what is refused or lost may be asked again."""
        for attempt in range(1, ATTEMPTS + 1):
            self._timeouts["read"] = self._timeouts["write"] = self._left_s()
            response = self._once(request, last=attempt == ATTEMPTS)
            if response is not None and (attempt == ATTEMPTS or response.status_code not in BUSY):
                return response
            asked = ""
            if response is not None:
                asked = response.headers.get("retry-after", "")
                response.close()
            time.sleep(min(pause_s(attempt, asked), self._left_s()))
        raise AssertionError("the last attempt answers or fails")

    def _once(self, request: httpx.Request, *, last: bool) -> httpx.Response | None:
        """The answer, or None where the connection broke before there was one and may be tried again."""
        try:
            return self._http.send(request, stream=True)
        except httpx.ConnectTimeout:
            self._fail(LlmTimeout(self.part, self._section.connect_timeout_s))
        except httpx.TimeoutException:
            self._fail(LlmTimeout(self.part, self._section.timeout_s))
        except BROKEN:
            if last:
                detail = "nothing answers there, or the connection broke; is it running?"
                self._fail(LlmUnavailable(self.part, detail))
        except (httpx.HTTPError, httpx.InvalidURL):
            self._fail(LlmUnavailable(self.part, "the request cannot be made; see llm -> base_url and api_key"))
        return None

    def _said(self, response: httpx.Response) -> str:
        raw = b""
        try:
            for chunk in response.iter_bytes():
                raw += chunk
                if len(raw) > _MOST_REFUSAL_BYTES:
                    break
        except httpx.HTTPError:  # what it said of the refusal got lost, not the refusal
            return ""
        return raw.decode(errors="replace")

    def _left_s(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            self._fail(LlmTimeout(self.part, self._section.timeout_s))
        return left

    def _fail(self, failure: FootnoteError) -> NoReturn:
        self.failure = failure
        raise failure


class _Body(httpx.SyncByteStream):
    """The body of a call's answer."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def __iter__(self) -> Iterator[bytes]:
        return self._call.body()

    def close(self) -> None:
        """Closes the connection, unless the answer is over."""
        self._call.__exit__()
