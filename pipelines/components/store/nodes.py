"""The nodes of a Qdrant cluster: calls go to those that answer."""

from __future__ import annotations

import itertools
import logging
import math
import threading
import time
from enum import Enum
from functools import cached_property, partial
from typing import Any

import grpc
import httpx
from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from pipelines.components.store.server import server_client
from pipelines.profile.sections.storage import ServerStore

_READS = {
    *("collection_exists", "get_collection", "get_collections", "info"),
    *("count", "facet", "query_batch_points", "retrieve", "scroll"),
}
_CHANGES = {
    *("create_collection", "create_payload_index", "delete_collection", "update_collection"),
    *("delete", "set_payload", "update_vectors", "upsert"),
}
_SHARE = 5
"""A read waits for this part of `timeout_s` at a node while there is another one to ask."""
_TRIES = 3
_PAUSE_SECONDS = 0.1
_FRESH_SECONDS = 1.0
"""A node that answered so long ago is asked whether it does before it gets a change."""
_LOOK_SECONDS = 0.5
_FIRST_REST, _LONGEST_REST = 1.0, 30.0
_log = logging.getLogger(__name__)


class _Failure(Enum):
    LATE = "did not answer"  # it may still carry out what it was sent
    GONE = "is unavailable"  # cannot be reached, or says so itself over gRPC


class Nodes:
    """A client of all nodes that the profile names, with the methods of `QdrantClient` that the store uses.

    Reads go to the nodes by turns. One that does not answer in a fifth of the time, or cannot be reached, is left out,
    and the read goes to another one; a thread looks after the node, and takes it back once it answers. A change is sent
    again only where the connection was refused or cut: every change may be repeated, but not after a node that sleeps
    has it, which would carry it out over later ones. Failures are those of `QdrantClient`.
    """

    def __init__(self, section: ServerStore) -> None:
        self._timeout_s = section.timeout_s
        self._nodes = [_Node(section, url) for url in section.urls]
        self._turns = itertools.count()
        self._lock = threading.Lock()
        self._watcher: threading.Thread | None = None
        self._closed = threading.Event()

    def __getattr__(self, name: str) -> Any:
        if name in _READS or name in _CHANGES:
            return partial(self._call, name)
        raise AttributeError(name)

    def close(self) -> None:
        """Close all connections."""
        self._closed.set()
        for node in self._nodes:
            node.close()

    def _call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        nodes, changes, began = self._candidates(), name in _CHANGES, time.monotonic()
        tries = max(_TRIES, len(nodes))
        for number in range(1, tries + 1):
            node, sent = nodes[(number - 1) % len(nodes)], False
            try:
                if changes and len(nodes) > 1:
                    node.check()
                sent = True
                client = node.patient if changes or number == len(nodes) else node.quick
                return node.answer(getattr(client, name), *args, **kwargs)
            except (ResponseHandlingException, grpc.RpcError) as error:
                failure = _failure(error)
                if failure is None:
                    raise
                self._leave_out(node, failure)
                asleep = changes and sent and failure is _Failure.LATE
                if asleep or number == tries or time.monotonic() - began >= self._timeout_s:
                    raise
            if number >= len(nodes):
                time.sleep(_PAUSE_SECONDS * number)  # before the same node is asked again
        raise AssertionError  # the last try returns or raises

    def _candidates(self) -> list[_Node]:
        """Return the nodes that answer, or all if none does, each time beginning with another one."""
        nodes = [node for node in self._nodes if not node.is_out] or self._nodes
        first = next(self._turns) % len(nodes)
        return nodes[first:] + nodes[:first]

    def _leave_out(self, node: _Node, failure: _Failure) -> None:
        if len(self._nodes) == 1:
            return
        with self._lock:
            if not node.leave_out():
                return
            _log.warning("Qdrant at %s %s; calls go to other nodes until it answers", node.url, failure.value)
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="qdrant-nodes", daemon=True)
                self._watcher.start()

    def _watch(self) -> None:
        """Ask nodes that are left out, until all are back."""
        while not self._closed.wait(_LOOK_SECONDS):
            for node in self._nodes:
                if node.is_out and node.is_back():
                    _log.warning("Qdrant at %s answers again", node.url)
            with self._lock:
                if not any(node.is_out for node in self._nodes):
                    self._watcher = None
                    return


class _Node:
    """One address with its connections, and whether calls go there."""

    def __init__(self, section: ServerStore, url: str) -> None:
        self._section = section
        self.url = url
        self.is_out = False
        self._answered = self._back_at = -math.inf
        self._rest, self._look_at = _FIRST_REST, 0.0

    @cached_property
    def patient(self) -> QdrantClient:
        """A client whose calls have all the time that the profile gives."""
        return server_client(self._section, url=self.url)

    @cached_property
    def quick(self) -> QdrantClient:
        """A client whose calls leave time to ask another node."""
        return server_client(self._section, math.ceil(self._section.timeout_s / _SHARE), url=self.url)

    def answer(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        """Call, and remember when the node answered."""
        try:
            answer = call(*args, **kwargs)
        except UnexpectedResponse:
            self._answered = time.monotonic()
            raise
        self._answered = time.monotonic()
        return answer

    def check(self) -> None:
        """Ask a node that has not answered for a while whether it does."""
        if time.monotonic() - self._answered > _FRESH_SECONDS:
            self.answer(self.quick.info)

    def leave_out(self) -> bool:
        """Take it out of service; return whether it was in. One that was back for a short time rests for longer."""
        if self.is_out:
            return False
        now = time.monotonic()
        self._rest = min(2 * self._rest, _LONGEST_REST) if now - self._back_at < _LONGEST_REST else _FIRST_REST
        self._look_at, self.is_out = now + self._rest, True
        return True

    def is_back(self) -> bool:
        """Ask whether it answers, once its rest is over; then take it back."""
        if time.monotonic() < self._look_at:
            return False
        try:
            self.answer(self.quick.info)
        except UnexpectedResponse:
            pass  # an answer, too: calls tell what is wrong
        except (ResponseHandlingException, grpc.RpcError) as error:
            if _failure(error) is not None:
                return False
        self._back_at, self.is_out = time.monotonic(), False
        return True

    def close(self) -> None:
        """Close the connections that were made."""
        for name in ("patient", "quick"):
            if name in self.__dict__:
                getattr(self, name).close()


def _failure(error: ResponseHandlingException | grpc.RpcError) -> _Failure | None:
    """Return how a node failed; none if it answered."""
    if isinstance(error, ResponseHandlingException):
        if not isinstance(error.source, httpx.TransportError):
            return None
        late = isinstance(error.source, httpx.TimeoutException) and not isinstance(error.source, httpx.ConnectTimeout)
        return _Failure.LATE if late else _Failure.GONE
    if error.code() == grpc.StatusCode.DEADLINE_EXCEEDED:
        return _Failure.LATE
    if error.code() != grpc.StatusCode.UNAVAILABLE:
        return None
    return _Failure.LATE if "ping timeout" in (error.details() or "") else _Failure.GONE
