"""More requests than there are places, over real HTTP: some work, some wait, the rest is refused at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from app.http.admission import places
from tests.app.running import serving
from tests.fakes.asked import Asked
from tests.fakes.ollama import ollama_server

PROFILE = """
tenant: kennel
store: {engine: memory}
jobs: {run: worker}
llm: {provider: ollama, model: m, base_url: "URL", concurrency: 8, timeouts: {call_s: 60, token_s: 60}}
"""
OTHER = """
tenant: cattery
store: {engine: memory}
jobs: {run: worker}
"""
BEAGLE = {"content": "Beagles need 60 minutes of exercise a day.\n", "document_id": "b", "source": "beagle.txt"}
QUESTION = {"question": "How much exercise does a beagle need?"}


class Model:
    """A language model that answers nothing until it may."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def __call__(self, asked: Asked) -> str:
        """Return the answer, when it may."""
        assert self.may_answer.wait(60)
        return "Beagles need 60 minutes of exercise a day. [1]"


@pytest.fixture
def model() -> Iterator[Model]:
    one = Model()
    yield one
    one.may_answer.set()


@contextmanager
def kennel(folder: Path, model: Model, *others: str) -> Iterator[httpx.Client]:
    """A server that answers one question at a time, of which a language model writes those of the kennel."""
    with (
        ollama_server(model) as fake,
        serving(folder, (PROFILE.replace("URL", fake.url), *others), questions_at_once=1) as http,
    ):
        assert http.post("/tenants/kennel/documents", json=BEAGLE).status_code == 201
        yield http


@pytest.fixture
def http(tmp_path: Path, model: Model) -> Iterator[httpx.Client]:
    with kennel(tmp_path, model) as http:
        yield http


def _figure(http: httpx.Client, name: str) -> float:
    lines = http.get("/metrics").text.splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(f'{name}{{work="questions"}}'))


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def _fill(http: httpx.Client, threads: ThreadPoolExecutor) -> list[Future[httpx.Response]]:
    """One question that works, and three that wait."""
    asked = [threads.submit(http.post, "/tenants/kennel/query", json=QUESTION)]
    _until(lambda: _figure(http, "footnote_http_working") == 1)
    asked += [threads.submit(http.post, "/tenants/kennel/search", json={"query": "beagle"}) for _ in range(3)]
    _until(lambda: _figure(http, "footnote_http_waiting") == 3)
    return asked


@pytest.mark.parametrize(
    ("questions", "writes", "processors", "working", "waiting"),
    [
        (None, False, 2, 4, 48),
        (None, False, 16, 8, 48),
        (None, True, 2, 24, 72),
        (1, True, 2, 1, 3),
        (1, False, 2, 1, 48),
        (40, False, 2, 40, 120),
    ],
)
def test_a_model_that_writes_has_more_places_and_short_questions_a_longer_queue(
    questions: int | None, writes: bool, processors: int, working: int, waiting: int
) -> None:
    room = places(questions, writes=writes, processors=processors)["questions"]
    assert (room.working, room.waiting) == (working, waiting)


def test_excess_requests_are_refused_at_once_and_the_rest_answered(http: httpx.Client, model: Model) -> None:
    with ThreadPoolExecutor(8) as threads:
        asked = _fill(http, threads)
        refused = http.post("/tenants/kennel/search", json={"query": "beagle"})
        assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (503, "overloaded", "1")
        by_openai = http.post(
            "/openai/v1/chat/completions",
            json={"model": "kennel", "messages": [{"role": "user", "content": "How far?"}]},
        )
        assert (by_openai.status_code, by_openai.json()["error"]["code"]) == (503, "overloaded")
        assert _figure(http, "footnote_http_refused_total") == 2
        assert http.get("/healthz").status_code == http.get("/readyz").status_code == 200
        assert http.get("/tenants/kennel/documents").status_code == 200
        assert http.post("/tenants/kennel/documents", json=BEAGLE | {"document_id": "c"}).status_code == 201
        model.may_answer.set()
        assert [one.result().status_code for one in asked] == [200] * 4
    assert _figure(http, "footnote_http_working") == _figure(http, "footnote_http_waiting") == 0


def test_a_tenant_that_is_asked_too_much_does_not_have_another_refused(tmp_path: Path, model: Model) -> None:
    with kennel(tmp_path, model, OTHER) as http, ThreadPoolExecutor(8) as threads:
        asked = _fill(http, threads)
        other = threads.submit(http.post, "/tenants/cattery/search", json={"query": "manx"})
        _until(lambda: _figure(http, "footnote_http_refused_total") == 1)
        model.may_answer.set()
        assert other.result().status_code == 200
        assert sorted(one.result().status_code for one in asked) == [200, 200, 200, 503]


def test_a_stream_keeps_its_place_until_it_ends(http: httpx.Client, model: Model) -> None:
    streamed = {**QUESTION, "stream": True}
    with http.stream("POST", "/tenants/kennel/query", json=streamed) as answer:
        lines = answer.iter_lines()
        assert "sources" in next(lines)
        assert _figure(http, "footnote_http_working") == 1
        model.may_answer.set()
        assert any("done" in line for line in lines)
    _until(lambda: _figure(http, "footnote_http_working") == 0)


def test_a_disconnected_reader_frees_its_place(http: httpx.Client, model: Model) -> None:
    with http.stream("POST", "/tenants/kennel/query", json={**QUESTION, "stream": True}) as answer:
        assert "sources" in next(answer.iter_lines())
    model.may_answer.set()
    _until(lambda: _figure(http, "footnote_http_working") == 0)


def test_a_request_that_fails_gives_the_place_back(http: httpx.Client) -> None:
    assert http.post("/tenants/kennel/query", json={"question": ""}).status_code == 422
    assert _figure(http, "footnote_http_working") == 0
