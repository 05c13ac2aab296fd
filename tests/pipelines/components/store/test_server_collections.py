"""What only a Qdrant server has: versions, races between processes, strict mode, limits of requests, shards."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from chunk_samples import DIMENSIONS, FIELDS, encoder, equals, sample_nodes
from llama_index.core.schema import TextNode
from qdrant_client import models
from qdrant_client.http.exceptions import UnexpectedResponse

from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.errors import InvalidRequest, PartTimeout, StoreUnavailable
from pipelines.profile.sections.storage import ServerStore
from tests.fakes.qdrant_over_grpc import serving_grpc
from tests.fakes.qdrant_over_http import Served, serving
from tests.fakes.qdrant_refusals import Refused


def open_store(url: str, **section: Any) -> ChunkStore:
    return build_vector_store(
        ServerStore(engine="server", url=url, timeout_s=60, **section),
        folder=Path("/nowhere"),
        collection="c",
        dimensions=DIMENSIONS,
        fields=FIELDS,
        encoder=encoder(),
    )


def answering(status: int, content: Any, headers: dict[str, str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def test_a_server_that_is_too_old_is_refused_with_its_version() -> None:
    with (
        serving(served=Served(version="1.17.1")) as url,
        pytest.raises(StoreUnavailable, match=r"Qdrant 1\.17\.1 is too old; version 1\.20 or later is needed"),
    ):
        open_store(url)


@pytest.mark.parametrize("version", ["1.20.0", "1.21.3-dev", "2.0.0", "master"])
def test_newer_and_unnumbered_servers_are_taken(version: str) -> None:
    with serving(served=Served(version=version)) as url:
        open_store(url).close()


def test_a_limited_rate_of_calls_says_when_to_come_again() -> None:
    handler = answering(429, {"status": {"error": "Rate limiting exceeded"}}, {"Retry-After": "7"})
    with serving(handler) as url, pytest.raises(StoreUnavailable, match="again in 7 s"):
        open_store(url)


def test_a_server_that_gives_up_in_time_is_too_slow() -> None:
    with serving(answering(408, {"status": {"error": "Timeout"}}, {})) as url, pytest.raises(PartTimeout):
        open_store(url)


class Raced(Served):
    """Another process makes the collection between the first one's look and its making."""

    def answer(self, command: str, name: str | None, rest: str | None, body: Any) -> Any:
        found = super().answer(command, name, rest, body)
        if rest == "/exists" and self.calls.count("GET /exists") == 1:
            with serving(served=self) as other:
                open_store(other).close()
        return found


def test_the_first_of_two_processes_makes_the_collection_and_the_other_takes_it() -> None:
    served = Raced()
    with serving(served=served) as url:
        store = open_store(url)
        store.add(sample_nodes(3))
        assert store.count() == 3
        store.close()
    assert served.calls.count("PUT ") == 2


def test_a_collection_that_was_removed_behind_our_back_makes_the_store_unavailable() -> None:
    served = Served()
    with serving(served=served) as url:
        store = open_store(url)
        served.memory.delete_collection("c")
        with pytest.raises(StoreUnavailable, match="status 404"):
            store.count()
        store.close()


def test_a_collection_gets_the_shards_replicas_and_copies_of_the_profile() -> None:
    served = Served()
    with serving(served=served) as url:
        open_store(url, shards=6, replicas=3).close()
        assert served.params["c"] == {"shard_number": 6, "replication_factor": 3, "write_consistency_factor": 2}
    served = Served()
    with serving(served=served) as url:
        open_store(url, replicas=2, write_consistency=2).close()
        assert served.params["c"] == {"shard_number": 1, "replication_factor": 2, "write_consistency_factor": 2}


def test_strict_mode_follows_the_profile_and_refuses_what_no_index_answers() -> None:
    served = Served()
    with serving(served=served) as url:
        open_store(url).close()
        assert not served.strict["c"].enabled
        store = open_store(url, strict_mode=True)
        store.add(sample_nodes(40))
        assert store.count(models.Filter(must=[equals("metadata.suite", "fedsuite")])) > 0
        assert store.count(models.Filter(must=[equals("document_id", "doc/1")])) == 8
        with pytest.raises(InvalidRequest, match=r"Index required but not found for .*title"):
            store.count(models.Filter(must=[equals("title", "Title 1")]))
        store.close()
        open_store(url).close()
        assert not served.strict["c"].enabled


def test_long_input_is_split_into_several_requests() -> None:
    served = Served()
    with serving(served=served) as url:
        store = open_store(url)
        store.add([TextNode(text="ß" * 2_000_000, embedding=[1.0] * DIMENSIONS) for _ in range(20)])
        assert store.count() == 20
        store.close()
    assert served.calls.count("PUT /points") == 4


class Late(Served):
    """Takes changes, and does not carry them out in time."""

    def answer(self, command: str, name: str | None, rest: str | None, body: Any) -> Any:
        if rest in ("/points", "/points/payload", "/points/delete", "/points/vectors") and not body.get("ids"):
            return models.UpdateResult(operation_id=1, status=models.UpdateStatus.WAIT_TIMEOUT)
        return super().answer(command, name, rest, body)


def test_a_change_that_is_not_carried_out_yet_counts_as_none() -> None:
    where = models.Filter(must=[equals("document_id", "doc/0")])
    with serving(served=Late()) as url:
        store = open_store(url)
        for change in (
            lambda: store.add(sample_nodes(1)),
            lambda: store.set_fields({"valid_to": 1}, where),
            lambda: store._chunks.remove(where),
        ):
            with pytest.raises(StoreUnavailable, match="wait_timeout"):
                change()
        store.close()


class Behind(Served):
    """Another node of a cluster, which still shows a collection that was removed, or shows none that was made."""

    def __init__(self) -> None:
        super().__init__()
        self.stale: list[str] = []

    def answer(self, command: str, name: str | None, rest: str | None, body: Any) -> Any:
        if self.stale and (command, rest) in (("GET", "/exists"), ("GET", "")):
            if self.stale.pop() == "removed":
                return {"exists": True} if rest == "/exists" else super().answer(command, name, rest, body)
            raise Refused(404, "Not found: Collection `c` doesn't exist!")
        found = super().answer(command, name, rest, body)
        if (command, rest) == ("DELETE", ""):
            self.stale.append("removed")
        return found


def test_clearing_makes_the_collection_even_where_a_node_still_shows_the_old_one() -> None:
    served = Behind()
    with serving(served=served) as url:
        store = open_store(url)
        store.add(sample_nodes(3))
        store.clear()
        assert (store.count(), store.missing_indexes()) == (0, [])
        store.close()
    assert served.calls.count("PUT ") == 2


def test_a_collection_that_a_node_does_not_show_yet_is_waited_for() -> None:
    served = Behind()
    with serving(served=served) as url:
        store = open_store(url)
        served.stale = ["made", "made", "removed"]
        store.prepare()
        assert served.stale == []
        store.close()


def test_strict_mode_is_turned_on_only_when_every_index_is_there() -> None:
    served = Served()
    with serving(served=served) as url:
        open_store(url, strict_mode=True).close()
    assert served.strict["c"].enabled
    last_index = max(number for number, call in enumerate(served.calls) if call == "PUT /index")
    assert served.calls.index("PATCH ") > last_index


class TooLate(Served):
    """Makes a collection, and answers when nobody waits any more, as a cluster with a dead node does."""

    def create(self, name: str, body: Any) -> Any:
        super().create(name, body)
        raise Refused(408, "Timeout: Operation 'create' timed out")


def test_a_collection_that_was_made_too_late_is_taken() -> None:
    with serving(served=TooLate()) as url:
        store = open_store(url)
        assert store.missing_indexes() == []
        store.close()


def test_changes_are_done_when_they_are_answered_and_in_one_order_on_every_copy() -> None:
    served = Served()
    with serving(served=served) as url:
        store = open_store(url)
        store.add(sample_nodes(2))
        store.set_fields({"valid_to": 1}, models.Filter(must=[equals("document_id", "doc/0")]))
        store.give_vectors({store.first(models.Filter(), 1)[0]: [1.0] * DIMENSIONS})
        store.remove(models.Filter(must=[equals("document_id", "doc/0")]))
        store.close()
    assert served.changes == [{"wait": ["true"], "ordering": ["medium"]}] * 4


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda store: store.client.facet("c", key="title"), "No appropriate index for faceting"),
        (lambda store: store.client.scroll("c", order_by="title"), "No range index"),
        (lambda store: store.first(models.Filter(), 0), "limit"),
        (lambda store: store.delete_nodes(["no id"]), "not a valid point ID"),
        (lambda store: store.legs([float("nan")] * DIMENSIONS, None, where=None, depth=1), "validation error"),
    ],
)
def test_the_stand_in_refuses_what_a_server_refuses(wrong: Callable[[ChunkStore], Any], said: str) -> None:
    with serving() as url:
        store = open_store(url)
        store.add(sample_nodes(2))
        with pytest.raises((InvalidRequest, UnexpectedResponse), match=said):
            wrong(store)
        store.close()


def test_metadata_that_grpc_cannot_carry_is_refused_with_the_way_out() -> None:
    deep: Any = {}
    for _ in range(40):
        deep = {"k": deep}
    node = TextNode(text="howl", embedding=[1.0] * DIMENSIONS, metadata={"metadata": deep})
    served = Served()
    with serving(served=served) as url, serving_grpc(served) as port:
        over_grpc, over_http = open_store(url, grpc_port=port), open_store(url)
        with pytest.raises(InvalidRequest, match="nests too deep for gRPC; leave out `grpc_port`"):
            over_grpc.add([node])
        over_http.add([node])
        assert next(over_http.scan())[1]["metadata"] == deep
        over_grpc.close()
        over_http.close()
