"""A stream of events by itself: what a bug becomes, and that the generator is closed whatever happens."""

import threading
from collections.abc import Generator

import httpx
import pytest
from fastapi import FastAPI, Request
from pydantic import BaseModel

from app.http.problems import install_problems
from app.http.streaming import EventStream
from app.http.telemetry import RequestIds
from pipelines.errors import DocumentNotFound, StoreUnavailable
from tests.app.running import events_of, running


class Told(BaseModel):
    text: str


class Source:
    """Events that end as they are told to, and know when they were closed."""

    def __init__(self, ending: Exception | None = None) -> None:
        self.closed = threading.Event()
        self._ending = ending

    def events(self) -> Generator[tuple[str, BaseModel] | None, None, None]:
        try:
            yield "token", Told(text="two\nlines \N{GREEK SMALL LETTER ALPHA}")
            yield None
            if self._ending is not None:
                raise self._ending
        finally:
            self.closed.set()


def streamed(source: Source) -> list[tuple[str, dict[str, object]]]:
    app = FastAPI()
    app.add_middleware(RequestIds)
    install_problems(app)

    @app.post("/", response_model=None)
    def route(request: Request) -> EventStream:
        return EventStream(request, source.events())

    with running(app) as root:
        answer = httpx.post(root, trust_env=False)
    assert source.closed.wait(10)
    return events_of(answer)


@pytest.mark.parametrize(
    ("ending", "status", "code", "detail"),
    [
        (DocumentNotFound("a"), 404, "document_not_found", 'no document "a"'),
        (StoreUnavailable("http://secret", "x"), 503, "store_unavailable", "the server's log says more"),
        (RuntimeError("secret"), 500, "internal_error", "the server's log says more"),
    ],
)
def test_errors_raised_in_a_stream_arrive_as_problems(ending: Exception, status: int, code: str, detail: str) -> None:
    first, (name, problem) = streamed(Source(ending))
    assert first == ("token", {"text": "two\nlines \N{GREEK SMALL LETTER ALPHA}"})
    assert (name, problem["status"], problem["code"]) == ("error", status, code)
    assert str(problem["detail"]).startswith(detail)


def test_a_stream_ends_with_its_events_and_closes_them() -> None:
    assert [name for name, _ in streamed(Source())] == ["token"]


def test_the_place_of_a_stream_is_given_back_although_its_events_cannot_be_closed() -> None:
    given_back = threading.Event()

    def events() -> Generator[tuple[str, BaseModel] | None, None, None]:
        try:
            yield "token", Told(text="one")
            while True:
                yield "token", Told(text="more" * 10_000)
        finally:
            raise StoreUnavailable("the catalogue's database", "it is away")

    app = FastAPI()
    app.add_middleware(RequestIds)
    install_problems(app)

    @app.post("/", response_model=None)
    def route(request: Request) -> EventStream:
        stream = EventStream(request, events())
        stream.at_end = given_back.set
        return stream

    with running(app) as root:
        with httpx.stream("POST", root, trust_env=False) as answer:
            next(answer.iter_bytes())
        assert given_back.wait(10)
