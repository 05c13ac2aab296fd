"""What sends the requests of `make load`: on time, whatever becomes of those before."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.fakes.loopback import JsonHandler, serving
from tests.performance.load import question, slope_of
from tests.performance.open_loop import Outcome, Stream, run

CROWD = 12


@contextmanager
def answering(status: Callable[[bytes], int]) -> Iterator[str]:
    class Handler(JsonHandler):
        def post(self, raw: bytes) -> None:
            self.send(status(raw), {})

    over = threading.Event()
    with serving(Handler, over) as url:
        yield url


def stream(name: str = "searches", per_second: float = 1000) -> Stream:
    return Stream(name, "/", per_second, lambda n: {"n": n})


def test_a_request_is_sent_while_all_before_it_are_unanswered() -> None:
    together = threading.Barrier(CROWD)

    def when_all_are_there(raw: bytes) -> int:
        together.wait(20)
        return 200

    with answering(when_all_are_there) as url:
        outcome = run(url, [stream()], seconds=CROWD / 1000)["searches"]
    assert (len(outcome.answered), outcome.failed) == (CROWD, [])


def test_refused_and_failed_requests_do_not_count_as_answers() -> None:
    with answering(lambda raw: {b'{"n": 0}': 503, b'{"n": 1}': 500}.get(raw, 200)) as url:
        outcome = run(url, [stream()], seconds=0.005)["searches"]
    assert (len(outcome.answered), len(outcome.refused), outcome.failed) == (3, 1, ["500"])
    assert "3 answered" in str(outcome)
    assert "1 failed (500)" in str(outcome)


def test_an_unreachable_server_fails_every_request() -> None:
    with answering(lambda raw: 200) as url:
        pass
    outcome = run(url, [stream()], seconds=0.003)["searches"]
    assert (len(outcome.answered), len(outcome.failed)) == (0, 3)


def test_streams_are_counted_apart() -> None:
    with answering(lambda raw: 200) as url:
        outcomes = run(url, [stream("searches"), stream("answers", per_second=500)], seconds=0.01)
    assert {name: len(one.answered) for name, one in outcomes.items()} == {"searches": 10, "answers": 5}


def test_a_slow_sender_says_that_it_is_what_is_slow() -> None:
    assert "the sender" in str(Outcome(late=[900.0, 1000.0]))
    assert "the sender" not in str(Outcome(late=[1.0, 2.0]))


def test_no_two_requests_ask_the_same() -> None:
    assert len({question(number) for number in range(-500, 500)}) > 990


def test_the_slope_of_memory_is_that_of_a_line() -> None:
    assert slope_of([(0, 100), (10, 105), (20, 110)]) == pytest.approx((0.5, 100))
