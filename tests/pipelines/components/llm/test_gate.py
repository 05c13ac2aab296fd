"""Who may ask a language model, and who waits."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pipelines.components.llm.gate import Gate
from pipelines.errors import LlmBusy


@contextmanager
def turn(gate: Gate) -> Iterator[None]:
    for _ in gate.enter("the model"):
        pass
    try:
        yield
    finally:
        gate.leave()


def wait_for(gate: Gate, waiting: int) -> None:
    while len(gate._waiting) != waiting:
        time.sleep(0.001)


def test_waiting_calls_are_admitted_in_order() -> None:
    gate, order = Gate(1, 9, 30), []

    def come(number: int) -> None:
        with turn(gate):
            order.append(number)

    with turn(gate):
        threads = [threading.Thread(target=come, args=(number,)) for number in range(5)]
        for number, thread in enumerate(threads):
            thread.start()
            wait_for(gate, number + 1)
    for thread in threads:
        thread.join()
    assert order == list(range(5))


def test_a_turn_that_is_not_waited_for_any_more_goes_to_the_next() -> None:
    gate = Gate(1, 9, 0.05)
    with turn(gate), pytest.raises(LlmBusy), turn(gate):
        pass
    with turn(gate):
        assert not gate._waiting


def test_a_turn_ends_whatever_happens_in_it() -> None:
    gate = Gate(1, 0, 30)
    with pytest.raises(ZeroDivisionError), turn(gate):
        raise ZeroDivisionError
    with turn(gate), pytest.raises(LlmBusy, match="1 calls run and 0 wait"), turn(gate):
        pass


def test_a_cancelled_wait_leaves_the_queue() -> None:
    gate = Gate(1, 1, 30)
    with turn(gate):
        waiting = gate.enter("the model")
        next(waiting)
        waiting.close()
        assert not gate._waiting
    with turn(gate):
        pass
