"""A reader at full speed sees a document's old version or its new one: never neither, never both, never a mixture."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from pipelines.engine import Engine, open_engine
from pipelines.types import DocumentInput
from tests.app.running import serving
from tests.congruence.backends import BACKENDS, catalogue_of
from tests.congruence.wholeness import problems_of, problems_of_reading, settle

PROFILE = """
tenant: kennel
{catalogue}
metadata: {{fields: {{name: {{type: keyword}}}}}}
chunking: {{size: {size}, overlap: 0}}
embedding: {{quantize: {quantize}, embed: [], threads: 1}}
retention: {{versions: 1}}
"""
LASTING = [f"lasting-{n}" for n in range(6)]
FLEETING = [f"fleeting-{n}" for n in range(2)]
ROUNDS = int(os.environ.get("FOOTNOTE_ROUNDS", "4"))
"""How often everything is brought in, up to 24 times; the first four editions differ in length."""
OTHERS = [f"other-{n}" for n in range(6 * ROUNDS)]
EDITIONS = 24
LEAST_READS = 5 * ROUNDS
Look = Callable[[int], None]


def text_of(name: str, edition: int) -> str:
    return " ".join(f"Sentence {n} of {name} tells of beagles in edition {edition}." for n in range(3 + edition % 4))


def offers(names: list[str], edition: int) -> list[DocumentInput]:
    return [DocumentInput(text_of(name, edition), name, metadata={"name": name}) for name in names]


def texts_of(name: str) -> set[str]:
    return {text_of(name, edition) for edition in range(EDITIONS)}


@contextmanager
def watched(*looks: Look) -> Iterator[None]:
    """Calls every look again and again, each in a thread of its own, while the block runs, and a number of times.

    Raises:
        ExceptionGroup: What the looks raised.
    """
    done, raised = threading.Event(), []

    def poll(look: Look) -> None:
        turn = 0
        try:
            while turn < LEAST_READS or not done.is_set():
                look(turn)
                turn += 1
        except Exception as error:  # noqa: BLE001 - it is raised where the test sees it
            raised.append(error)

    threads = [threading.Thread(target=poll, args=(look,)) for look in looks]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()
    if raised:
        raise ExceptionGroup("torn", raised)


def search_one(engine: Engine) -> Look:
    """Finds every chunk of one document: they must be those of one whole version."""

    def look(turn: int) -> None:
        name = LASTING[turn % len(LASTING)]
        hits = engine.search("sentence of beagles", top_k=100, filters={"name": name}).hits
        texts = [text for text in texts_of(name) if not problems_of_reading(text, hits)]
        assert len(texts) == 1, f"{name}: {[(hit.version, hit.content) for hit in hits]}"

    return look


def search_all(engine: Engine) -> Look:
    """Finds chunks of many documents: no document by two versions, and every one that lasts."""

    def look(turn: int) -> None:
        hits = engine.search(f"lasting sentence {turn % 3}", top_k=100, filters={"name": LASTING}).hits
        versions = {(hit.document_id, hit.version) for hit in hits}
        assert sorted(name for name, _ in versions) == LASTING, sorted(versions)

    return look


def read_one(engine: Engine) -> Look:
    """Reads a document's text, its chunks, and where it is listed."""

    def look(turn: int) -> None:
        name = LASTING[turn % len(LASTING)]
        assert engine.content(name) in texts_of(name)
        chunks = engine.chunks(name)
        assert any(not problems_of_reading(text, chunks) for text in texts_of(name)), chunks
        listed = engine.documents(limit=1000).documents
        assert [one.document_id for one in listed if one.document_id in LASTING and one.version] == LASTING

    return look


class Tenant:
    """A tenant that can be opened with other profiles."""

    def __init__(self, folder: Path, catalogue: str) -> None:
        self._folder, self._catalogue = folder, catalogue

    def open(self, size: int = 16, quantize: str = "int8") -> Engine:
        file = self._folder / "kennel.yaml"
        text = PROFILE.format(catalogue=self._catalogue, size=size, quantize=quantize)
        file.write_text(text, encoding="utf-8")
        return open_engine(file, self._folder / "data")


@pytest.fixture(params=BACKENDS)
def tenant(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tenant]:
    with catalogue_of(request.param) as catalogue:
        yield Tenant(tmp_path, catalogue)


@pytest.mark.slow
def test_reingestion_deletion_and_purges_never_tear_a_document(tenant: Tenant) -> None:
    with tenant.open() as engine:
        engine.ingest(offers(LASTING + FLEETING, 0))
        with watched(search_one(engine), search_all(engine), read_one(engine)):
            for edition in range(1, ROUNDS):
                engine.ingest(offers(LASTING + FLEETING, edition))
                engine.purge()
                for number, name in enumerate(FLEETING):
                    engine.delete(name, purge=number % 2 == 0)
        settle(engine)
        assert problems_of(engine) == []


@pytest.mark.slow
def test_another_model_and_another_cut_never_tear_a_document(tenant: Tenant) -> None:
    with tenant.open() as engine:
        engine.ingest(offers(LASTING + OTHERS, 0))
    for number, (size, quantize) in enumerate([(16, "none"), (32, "none"), (16, "int8")]):
        with tenant.open(size, quantize) as engine:
            with watched(search_one(engine), read_one(engine), reingest(engine, 1 + number)):
                engine.reembed()
            engine.reembed()  # what was ingested meanwhile may have been cut before
            settle(engine)
            assert engine.stats().stale == 0
            assert problems_of(engine) == []


def reingest(engine: Engine, edition: int) -> Look:
    """Brings two documents in again and again, in editions that differ from one time to the next."""

    def look(turn: int) -> None:
        results = engine.ingest(offers(LASTING[:2], edition + 4 * (turn % 4)))
        assert all(result.state != "failed" for result in results), results

    return look


@pytest.mark.slow
def test_nothing_is_torn_over_http(tmp_path: Path) -> None:
    profile = PROFILE.format(catalogue="", size=16, quantize="int8")

    def put(client: httpx.Client, edition: int) -> None:
        documents = [
            {"content": text_of(name, edition), "document_id": name, "metadata": {"name": name}} for name in LASTING
        ]
        client.post("/tenants/kennel/documents", json={"documents": documents}).raise_for_status()

    with serving(tmp_path, (profile,)) as client:

        def look(turn: int) -> None:
            name = LASTING[turn % len(LASTING)]
            body = {"query": "sentence of beagles", "top_k": 100, "filters": {"name": name}}
            found = client.post("/tenants/kennel/search", json=body).raise_for_status().json()["results"]
            chunks = client.get(f"/tenants/kennel/documents/{name}/chunks").raise_for_status().json()["chunks"]
            for hits in (found, chunks):
                pieces = {hit["span"]["start"]: hit["content"] for hit in hits}
                assert " ".join(pieces[start] for start in sorted(pieces)) in texts_of(name)
                assert len({hit["version"] for hit in hits}) == 1

        put(client, 0)
        with watched(look, look):
            for edition in range(1, ROUNDS):
                put(client, edition)
