"""What happens between two steps of the version store, one order of events at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pipelines.engine import Engine, open_engine
from pipelines.errors import DocumentNotFound, StoreUnavailable
from pipelines.ingestion.tickets import ticket
from pipelines.types import DocumentInput
from tests.congruence.backends import BACKENDS, catalogue_of
from tests.congruence.wholeness import problems_of, readable, settle

PROFILE = """
tenant: {tenant}
{catalogue}
metadata: {{fields: {{name: {{type: keyword}}}}}}
chunking: {{size: {size}, overlap: 0}}
embedding: {{quantize: {quantize}}}
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


def whole(engine: Engine) -> None:
    settle(engine)
    assert problems_of(engine) == []


def test_what_could_not_be_committed_is_not_committed_by_others(opener: Opener) -> None:
    def fails() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with opener() as engine:
        engine.ingest([offer(SLEEP, "b")])
        settle(engine)
        with before(engine._catalogue.engine.dialect, "do_commit", fails), pytest.raises((StoreUnavailable, sqlite3.Error)):
            engine.delete("b")
        for _ in range(3):  # somebody else's commits, on whichever connection
            engine._catalogue.record_failure("c", "c", "text/plain", "given", "because")
        assert readable(engine, "b") == (1, SLEEP)
        whole(engine)


def test_a_document_that_was_confirmed_since_is_cut_anew(opener: Opener) -> None:
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
        with before(engine._catalogue, "confirm", lambda: engine.ingest([offer(SLEEP, accepted=earlier)])):
            engine.ingest([offer(BARK, accepted=later)])
        assert engine.content("a") == BARK


def test_readers_go_on_at_the_moment_in_which_another_model_takes_over(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])
    with opener(quantize="none") as engine:
        with after(engine._catalogue, "flip", lambda: readable(engine, "a")):
            engine.reembed()
        whole(engine)


def test_a_new_store_takes_nothing_over_that_was_never_committed(opener: Opener) -> None:
    with opener() as engine:
        engine.ingest([offer(BARK)])

    def fails() -> None:
        raise StoreUnavailable("the part under test", "it fails this once")

    def ingest_in_vain() -> None:
        with before(engine._catalogue, "flip", lambda: None), suppress(StoreUnavailable):
            pass

    with opener(quantize="none") as engine:
        spaces = engine._spaces

        def look_while_a_commit_is_under_way() -> None:
            """The copy is made of what a commit wrote that then fails."""
            with pytest.raises(StoreUnavailable):
                engine.reembed()

        with before(engine._catalogue, "flip", fails):  # the copy is left as it is
            store = spaces.current.store
            write = store.add

            def add(nodes: Any) -> Any:
                result = write(nodes)
                look_while_a_commit_is_under_way()
                raise StoreUnavailable("the part under test", "it fails this once")

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(type(store), "add", lambda self, nodes: add(nodes) if self is store else write_any(self, nodes))
                write_any = type(store).__mro__[0].__dict__.get("add", write)
                with suppress(StoreUnavailable):
                    engine.ingest([offer(SLEEP)])
        engine.ingest([offer(SLEEP + " And that is that.")])
        engine.reembed()
        assert readable(engine, "a") == (2, SLEEP + " And that is that.")
        whole(engine)
