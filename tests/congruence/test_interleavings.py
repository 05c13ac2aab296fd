"""What happens between two steps of the version store, one order of events at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import Engine, open_engine
from pipelines.errors import DocumentNotFound, StoreUnavailable
from pipelines.ingestion.tickets import ticket
from pipelines.types import DocumentInput
from tests.congruence.backends import BACKENDS, catalogue_of
from tests.congruence.wholeness import problems_of, problems_of_reading, readable, settle

PROFILE = """
tenant: {tenant}
{catalogue}
metadata: {{fields: {{name: {{type: keyword}}}}}}
chunking: {{size: {size}, overlap: 0}}
embedding: {{quantize: {quantize}, cache: false}}
retention: {{versions: 1}}
"""
BARK = "Beagles bark at strangers in the garden. They also howl at the moon, and nobody knows why they do."
SLEEP = "Pugs sleep all day on the sofa. At night they snore, which their owners come to like after some years."
Opener = Callable[..., Engine]


@pytest.fixture(params=BACKENDS)
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Opens a tenant, in the same data folder every time."""
    with catalogue_of(request.param) as catalogue:

        def open_it(tenant: str = "kennel", size: int = 16, quantize: str = "int8") -> Engine:
            file = tmp_path / f"{tenant}.yaml"
            text = PROFILE.format(tenant=tenant, catalogue=catalogue, size=size, quantize=quantize)
            file.write_text(text, encoding="utf-8")
            return open_engine(file, tmp_path / "data")

        yield open_it


def offer(text: str, name: str = "a", accepted: int | None = None) -> DocumentInput:
    return DocumentInput(text, name, metadata={"name": name}, accepted=accepted)


@contextmanager
def before(owner: Any, name: str, action: Callable[[], object]) -> Iterator[None]:
    """Does ``action`` once, just before ``owner.name`` is called for the first time."""
    called, done = getattr(owner, name), []

    def first(*arguments: Any, **named: Any) -> Any:
        if not done:
            done.append(True)
            action()
        return called(*arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, first)
        yield
    assert done, f"{name} was never called"


@contextmanager
def after(owner: Any, name: str, action: Callable[[], object]) -> Iterator[None]:
    """Does ``action`` once, just after ``owner.name`` returned for the first time."""
    called, done = getattr(owner, name), []

    def first(*arguments: Any, **named: Any) -> Any:
        result = called(*arguments, **named)
        if not done:
            done.append(True)
            action()
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, first)
        yield
    assert done, f"{name} was never called"


def fails() -> None:
    raise StoreUnavailable("the part under test", "it fails this once")


def whole(engine: Engine) -> None:
    settle(engine)
    assert problems_of(engine) == []


def test_a_failed_commit_is_not_completed_by_others(opener: Opener) -> None:
    def is_full() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with opener() as engine:
        engine.ingest([offer(SLEEP, "b")])
        with (
            before(engine._parts.catalogue.engine.dialect, "do_commit", is_full),
            pytest.raises((StoreUnavailable, sqlite3.Error)),
        ):
            engine.delete("b")
        for _ in range(3):  # somebody else's commits, on whichever connection
            engine._parts.catalogue.record_failure("c", "c", "text/plain", "given", "because")
        assert readable(engine, "b") == (1, SLEEP)
        whole(engine)


def test_a_document_confirmed_since_is_split_again(opener: Opener) -> None:
    with opener() as engine:
        assert [engine.ingest([offer(BARK)])[0].state for _ in range(2)] == ["ready", "unchanged"]
    with opener(size=32) as engine:
        assert engine.document("a").state == "stale"
        engine.reembed()
        assert engine.document("a").state == "ready"
        whole(engine)


def test_the_last_of_several_offers_in_one_load_stays(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])
        engine.ingest([offer(SLEEP), offer(BARK)])
        assert engine.content("a") == BARK


def test_a_confirmation_counts_although_another_load_was_quicker(opener: Opener) -> None:
    with opener() as engine:
        first, second, third = ticket(), ticket(), ticket()
        engine.ingest([offer(BARK, accepted=first), offer(BARK, accepted=third)])
        engine.ingest([offer(SLEEP, accepted=second)])
        assert engine.content("a") == BARK


def test_an_earlier_offer_does_not_undo_a_confirmation(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])
        earlier, later = ticket(), ticket()
        with before(engine._parts.catalogue, "confirm", lambda: engine.ingest([offer(SLEEP, accepted=earlier)])):
            engine.ingest([offer(BARK, accepted=later)])
        assert engine.content("a") == BARK


def test_readers_continue_while_another_model_takes_over(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])
    with opener(quantize="none") as engine, ThreadPoolExecutor(1) as others:
        reading: list[Future[object]] = []

        def read() -> None:
            reading.append(others.submit(readable, engine, "a"))
            wait(reading, 1)  # it may have to wait for us

        with after(engine._parts.catalogue, "flip", read):
            engine.reembed()
        assert reading[0].result() == (1, BARK)
        whole(engine)


def test_a_new_store_takes_nothing_over_that_was_never_committed(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])
    with opener(quantize="none") as engine:

        def copied_and_lost() -> None:
            with before(engine._parts.catalogue, "flip", fails), pytest.raises(StoreUnavailable):
                engine.reembed()
            fails()

        store = engine._parts.indexes.current.store
        with after(store._chunks, "write", copied_and_lost), pytest.raises(StoreUnavailable):
            engine.ingest([offer(SLEEP)])
        other = SLEEP.replace("Pugs", "Cats")
        engine.ingest([offer(other)])
        engine.reembed()
        assert readable(engine, "a") == (2, other)
        whole(engine)


def test_a_search_that_a_load_and_a_purge_overtake_still_finds_the_document(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])

        def overtake() -> None:
            engine.ingest([offer(SLEEP)])
            engine.purge()

        with before(type(engine._parts.indexes.embedder), "_encoded", overtake):
            hits = engine.search("sentence", top_k=100, filters={"name": "a"}).hits
        assert [text for text in (BARK, SLEEP) if not problems_of_reading(text, hits)], hits


def test_chunks_that_are_purged_while_they_are_read_are_not_given_in_part(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])
        with before(engine._parts.indexes.current.store._chunks, "scroll", lambda: engine.delete("a", purge=True)):
            try:
                chunks = engine.chunks("a")
            except DocumentNotFound:
                return
        assert not problems_of_reading(BARK, chunks)


def test_a_document_stays_in_sight_until_its_deletion_is_committed(opener: Opener) -> None:
    seen = []
    with opener() as engine:
        engine.ingest([offer(BARK)])

        def look_and_fail() -> None:
            seen.append(readable(engine, "a"))
            raise sqlite3.OperationalError("disk I/O error")

        with (
            before(engine._parts.catalogue.engine.dialect, "do_commit", look_and_fail),
            pytest.raises((StoreUnavailable, sqlite3.Error)),
        ):
            engine.delete("a", purge=True)
        assert seen == [(1, BARK)]
        assert readable(engine, "a") == (1, BARK)
        whole(engine)


@pytest.mark.parametrize("purge", [False, True])
def test_a_deletion_that_could_not_be_committed_leaves_the_document(opener: Opener, purge: bool) -> None:
    def is_full() -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with opener() as engine:
        engine.ingest([offer(BARK)])
        with (
            before(engine._parts.catalogue.engine.dialect, "do_commit", is_full),
            pytest.raises((StoreUnavailable, sqlite3.Error)),
        ):
            engine.delete("a", purge)
        engine._parts.catalogue.engine.dispose()  # whatever that left in the connection
        assert readable(engine, "a") == (1, BARK)
        engine.ingest([offer(SLEEP, "b")])
        assert readable(engine, "a") == (1, BARK)
        engine.ingest([offer(SLEEP)])
        assert engine.content("a", 1) == BARK
        assert not problems_of_reading(BARK, engine.chunks("a", 1))
        whole(engine)


def test_a_deletion_between_a_purge_and_its_cleaning_leaves_no_orphans(opener: Opener) -> None:
    with opener() as engine:
        for text in (BARK, SLEEP):
            engine.ingest([offer(text)])
        with before(engine._parts.writing.cleaner, "finish", lambda: engine.delete("a")):
            engine.purge()
        whole(engine)


def test_documents_awaiting_erasure_are_hidden_and_not_forgotten(opener: Opener) -> None:
    with opener() as engine:
        at = engine.ingest([offer(BARK)])[0].snapshot
        with before(engine._parts.writing.cleaner, "run", fails), suppress(StoreUnavailable):
            engine.delete("a", purge=True)
        assert readable(engine, "a") is None
        assert readable(engine, "a", at) is None
        engine.ingest([offer(SLEEP)])
        engine.delete("a")
        whole(engine)


def test_a_commit_with_a_lost_response_is_applied_or_not(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])
        engine.ingest([offer(SLEEP, "b")])  # so that the texts are embedded, and nothing else is committed before

        def lost() -> None:
            raise sqlite3.OperationalError("the connection was closed")

        with (
            after(engine._parts.catalogue.engine.dialect, "do_commit", lost),
            suppress(StoreUnavailable, sqlite3.Error),
        ):
            engine.ingest([offer(SLEEP)])
        assert readable(engine, "a") in ((1, BARK), (2, SLEEP))
        engine.ingest([offer(BARK, "c")])
        whole(engine)


def test_the_same_ids_in_two_tenants_never_meet(opener: Opener) -> None:
    with opener("kennel") as kennel, opener("cattery") as cattery:
        for engine, text in ((kennel, BARK), (cattery, SLEEP)):
            engine.ingest([offer(text)])
        kennel.delete("a", purge=True)
        assert readable(kennel, "a") is None
        assert readable(cattery, "a") == (1, SLEEP)
        kennel.ingest([offer(SLEEP)])
        kennel.ingest([offer(BARK)])
        kennel.purge()
        assert (readable(kennel, "a"), readable(cattery, "a")) == ((3, BARK), (1, SLEEP))
        assert cattery.stats().horizon == 0
        whole(kennel)
        whole(cattery)
