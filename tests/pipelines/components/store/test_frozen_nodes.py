"""Nodes of a cluster that stop answering: stand-ins in processes of their own, stopped by a signal under load."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from chunk_samples import DIMENSIONS, FIELDS, encoder, sample_nodes
from qdrant_client import models

from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.errors import PartTimeout, StoreUnavailable
from pipelines.profile.sections.storage import ServerStore
from tests.fakes.qdrant_node import Node, running_node

TIMEOUT_S = 5.0
SHARE_S = 1.0
"""What a read waits for one node while there is another."""
Opened = Callable[..., ChunkStore]


@pytest.fixture(params=["HTTP", "gRPC"])
def by_grpc(request: pytest.FixtureRequest) -> bool:
    return request.param == "gRPC"


@pytest.fixture
def nodes() -> Iterator[list[Node]]:
    with ExitStack() as running:
        first = running.enter_context(running_node())
        yield [first, running.enter_context(running_node("127.0.0.2", first.grpc_port))]


@pytest.fixture
def opened(by_grpc: bool) -> Iterator[Opened]:
    with ExitStack() as stores:

        def opening(*nodes: Node) -> ChunkStore:
            urls = [f"http://{node.host}:9" if by_grpc else node.url for node in nodes]
            port = nodes[0].grpc_port if by_grpc else None
            store = build_vector_store(
                ServerStore(engine="server", url=",".join(urls), timeout_s=TIMEOUT_S, grpc_port=port),
                folder=Path("/nowhere"),
                collection="c",
                dimensions=DIMENSIONS,
                fields=FIELDS,
                encoder=encoder(),
            )
            stores.callback(store.close)
            return store

        yield opening


def filled(nodes: list[Node], opened: Opened) -> ChunkStore:
    """A store of both nodes, each of which has the same chunks."""
    for node in nodes:
        opened(node).add(sample_nodes(20))
    return opened(*nodes)


class Readers:
    """Threads that search until stopped, and remember when each search began, how long it took and how it ended."""

    def __init__(self, store: ChunkStore) -> None:
        self._store = store
        self._over = threading.Event()
        self.seen: list[tuple[float, float, Exception | None]] = []
        self._threads = [threading.Thread(target=self._read) for _ in range(4)]

    def _read(self) -> None:
        while not self._over.wait(0.01):
            began, failed = time.monotonic(), None
            try:
                assert self._store.legs([1.0] * DIMENSIONS, None, where=None, depth=3)["dense"]
            except (PartTimeout, StoreUnavailable) as error:
                failed = error
            self.seen.append((began, time.monotonic() - began, failed))

    def __enter__(self) -> "Readers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()


def test_searches_go_on_while_a_node_is_frozen_and_return_to_it(nodes: list[Node], opened: Opened) -> None:
    store = filled(nodes, opened)
    with Readers(store) as readers:
        time.sleep(0.5)
        nodes[1].freeze()
        frozen = time.monotonic()
        time.sleep(3 * SHARE_S)
        nodes[1].thaw()
        time.sleep(3.0)
        nodes[0].freeze()  # so that only the one that was left out can answer
        time.sleep(SHARE_S + 0.5)
        assert store.count() == 20
    assert [failed for _, _, failed in readers.seen if failed] == []
    assert max(took for _, took, _ in readers.seen) < TIMEOUT_S / 2
    later = [took for began, took, _ in readers.seen if frozen + SHARE_S + 0.1 < began < frozen + 3 * SHARE_S]
    assert later
    assert max(later) < SHARE_S  # nobody waits for it any longer


def test_a_store_opens_and_is_changed_while_a_node_is_frozen(nodes: list[Node], opened: Opened) -> None:
    filled(nodes, opened)
    nodes[0].freeze()
    store = opened(*nodes)
    began = time.monotonic()
    store.add(sample_nodes(25))
    assert store.count() == 25
    assert time.monotonic() - began < TIMEOUT_S / 2


def test_a_change_that_a_node_may_still_carry_out_is_not_sent_to_another(nodes: list[Node], opened: Opened) -> None:
    store = filled(nodes, opened)
    for _ in nodes:
        store.count()  # each has just answered, so that the change is sent without a look
    for node in nodes:
        node.freeze()
    with pytest.raises(PartTimeout):
        store.set_fields({"valid_to": 7}, models.Filter())
    for node in nodes:
        node.thaw()
    time.sleep(0.5)
    ended = models.Filter(must=[models.FieldCondition(key="valid_to", range=models.Range(gte=7, lte=7))])
    assert 0 in [opened(node).count(ended) for node in nodes]
