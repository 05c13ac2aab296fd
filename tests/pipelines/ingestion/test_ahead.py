import threading
import time

import pytest

from pipelines.ingestion.ahead import ahead
from pipelines.types import DocumentInput, Progress
from tests.conftest import OpenTenant


def one(_: object) -> int:
    return 1


def test_results_keep_the_order_of_the_items() -> None:
    assert list(ahead(lambda n: n * n, range(20), 3, one)) == [n * n for n in range(20)]


def test_work_runs_while_the_consumer_holds_a_result() -> None:
    started = threading.Event()

    def work(n: int) -> int:
        if n == 2:
            started.set()
        return n

    results = ahead(work, range(10), 3, one)
    assert next(results) == 0
    assert started.wait(10)
    results.close()


def test_an_error_reaches_the_consumer() -> None:
    def work(n: int) -> float:
        return 1 / n

    with pytest.raises(ZeroDivisionError):
        list(ahead(work, [1, 0, 1], 1, one))


def test_a_consumer_that_stops_ends_the_work() -> None:
    done: list[int] = []
    results = ahead(done.append, range(1000), 2, one)
    next(results)
    results.close()
    assert len(done) < 10


def test_it_rests_while_what_waits_is_heavy() -> None:
    done: list[int] = []

    def work(n: int) -> int:
        done.append(n)
        return n

    results = ahead(work, range(100), 10, lambda _: 10)
    assert next(results) == 0
    time.sleep(0.2)
    assert len(done) <= 3
    assert list(results) == list(range(1, 100))


def test_many_workers_never_wait_for_a_result_behind_the_next_one() -> None:
    assert list(ahead(lambda n: n, range(3000), 1, one, at_once=16)) == list(range(3000))


def test_an_interrupted_ingestion_leaves_no_thread_that_keeps_the_process(open_tenant: OpenTenant) -> None:
    engine = open_tenant("tenant: t\nstore: {engine: memory}\nchunking: {size: 16, overlap: 0}\n")
    text = " ".join(f"Lamp {number} burns beside the door of a house in the old town." for number in range(60))

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    def preparing() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name.startswith("footnote-prepare")]

    with pytest.raises(KeyboardInterrupt) as kept:  # as an interpreter keeps the last error
        engine.ingest([DocumentInput(f"{number} {text}", document_id=str(number)) for number in range(60)], interrupt)
    for thread in preparing():
        thread.join(20)
    assert preparing() == []
    assert kept.value is not None
