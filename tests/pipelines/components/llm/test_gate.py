"""Who may ask a language model, and who waits."""

import threading
import time

import pytest

from pipelines.components.llm.gate import Gate
from pipelines.errors import LlmBusy


def wait_for(gate: Gate, waiting: int) -> None:
    while len(gate._waiting) != waiting:
        time.sleep(0.001)


def test_who_waits_is_let_in_in_the_order_of_coming() -> None:
    gate, order = Gate(1, 9, 30), []

    def come(number: int) -> None:
        with gate.slot("the model"):
            order.append(number)

    with gate.slot("the model"):
        threads = [threading.Thread(target=come, args=(number,)) for number in range(5)]
        for number, thread in enumerate(threads):
            thread.start()
            wait_for(gate, number + 1)
    for thread in threads:
        thread.join()
    assert order == list(range(5))


def test_a_turn_that_is_not_waited_for_any_more_goes_to_the_next() -> None:
    gate = Gate(1, 9, 0.05)
    with gate.slot("the model"), pytest.raises(LlmBusy), gate.slot("the model"):
        pass
    with gate.slot("the model"):
        assert not gate._waiting


def test_a_turn_ends_whatever_happens_in_it() -> None:
    gate = Gate(1, 0, 30)
    with pytest.raises(ZeroDivisionError), gate.slot("the model"):
        raise ZeroDivisionError
    with gate.slot("the model"), pytest.raises(LlmBusy, match="1 calls run and 0 wait"), gate.slot("the model"):
        pass
