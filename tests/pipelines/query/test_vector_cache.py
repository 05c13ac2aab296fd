import threading
from collections.abc import Sequence

import numpy as np
import pytest

from pipelines.query.vector_cache import VectorCache

DIMENSIONS = 4
BYTES = DIMENSIONS * 4


class Counting:
    """An encoder whose vectors tell the text's length, and which tells what it was asked for."""

    name = "counting"
    dimensions = DIMENSIONS
    query_prefix = text_prefix = ""

    def __init__(self, fingerprint: str = "counting/1", sign: float = 1.0) -> None:
        self.fingerprint = fingerprint
        self.asked: list[list[str]] = []
        self._sign = sign

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.append(list(texts))
        return np.array([[self._sign * len(text)] * DIMENSIONS for text in texts], dtype=np.float32)


class Tenant:
    def __init__(self) -> None:
        self.encoder = Counting()
        self.position = (1,)


@pytest.fixture
def tenant() -> Tenant:
    return Tenant()


def kept(tenant: Tenant, room: int = 100) -> VectorCache:
    return VectorCache(lambda: tenant.encoder, lambda: tenant.position, room * BYTES)


def test_only_what_is_new_is_embedded_and_rows_stand_in_the_order_of_the_texts(tenant) -> None:
    vectors = kept(tenant)
    vectors(["a", "bb"])
    assert vectors(["ccc", "a", "bb", "a"])[:, 0].tolist() == [3, 1, 2, 1]
    assert tenant.encoder.asked == [["a", "bb"], ["ccc"]]


def test_a_text_that_stands_twice_is_embedded_once(tenant) -> None:
    assert kept(tenant)(["a", "a"]).shape == (2, DIMENSIONS)
    assert tenant.encoder.asked == [["a"]]


def test_all_go_when_the_history_moves(tenant) -> None:
    vectors = kept(tenant)
    vectors(["a"])
    tenant.position = (2,)
    vectors(["a"])
    assert tenant.encoder.asked == [["a"], ["a"]]


def test_another_model_makes_its_own(tenant) -> None:
    vectors = kept(tenant)
    vectors(["a"])
    tenant.encoder = Counting("counting/2", sign=-1.0)
    assert vectors(["a"])[0, 0] == -1


def test_an_answer_made_during_a_change_is_not_cached(tenant) -> None:
    vectors = kept(tenant)
    making = tenant.encoder.vectors

    def overtaken(texts: Sequence[str]) -> np.ndarray:
        tenant.encoder.vectors = making
        tenant.position = (2,)
        vectors(["other"])
        return making(texts)

    tenant.encoder.vectors = overtaken
    vectors(["a"])
    vectors(["a"])
    assert tenant.encoder.asked == [["other"], ["a"], ["a"]]


def test_the_least_recently_used_are_evicted_first(tenant) -> None:
    vectors = kept(tenant, room=2)
    vectors(["a"])
    vectors(["bb"])
    vectors(["a"])
    vectors(["ccc"])
    vectors(["a", "bb"])
    assert tenant.encoder.asked == [["a"], ["bb"], ["ccc"], ["bb"]]


def test_results_over_the_limit_are_still_returned(tenant) -> None:
    assert kept(tenant, room=1)(["a", "bb", "ccc"])[:, 0].tolist() == [1, 2, 3]


def test_no_texts_have_no_vectors(tenant) -> None:
    assert len(kept(tenant)([])) == 0


def test_half_a_surrogate_pair_is_a_text_as_well(tenant) -> None:
    assert kept(tenant)(["\ud83d"]).shape == (1, DIMENSIONS)


def test_threads_get_the_vectors_of_their_own_texts(tenant) -> None:
    vectors, wrong = kept(tenant, room=8), []

    def ask(offset: int) -> None:
        for turn in range(200):
            texts = ["x" * (1 + (turn + offset + step) % 20) for step in range(5)]
            if vectors(texts)[:, 0].tolist() != [len(text) for text in texts]:
                wrong.append(texts)

    threads = [threading.Thread(target=ask, args=(offset,)) for offset in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
