import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from pipelines.catalogue import (
    Bounds,
    Catalogue,
    Claim,
    Cleanup,
    Current,
    EmbeddingCache,
    ExtractCache,
    NewVersion,
)
from pipelines.catalogue.pools import OpenDatabase
from pipelines.errors import DocumentNotFound, InvalidRequest, StoreUnavailable
from pipelines.types import Heading, Page, Span, StoredText

NEW = NewVersion(
    document_id="guides/a.md",
    title="A",
    source="guides/a.md",
    media_type="text/markdown",
    origin="given",
    sha256="0" * 64,
    pipeline="sentences",
    accepted=1,
    text="# A\nBody.",
    pages=(Page(1, Span(0, 9), "i"),),
    headings=(Heading(1, "A", 0),),
    metadata={"topics": ["x"], "year": 2024},
    chunks=3,
    bytes=9,
)


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    opened = Catalogue.open(url, "acme")
    opened.claim("minilm", {})
    opened.pipeline = "sentences"
    yield opened
    opened.close()


class Undone(list[int]):
    def __call__(self, snapshot: int) -> None:
        self.append(snapshot)


def put(catalogue: Catalogue, *versions: NewVersion) -> int:
    with catalogue.committing(Undone()) as commit:
        commit.look_up([version.document_id for version in versions])
        for version in versions:
            commit.put(version)
    return commit.snapshot


def test_the_texts_of_versions_are_read_at_once_and_those_that_are_not_kept_are_left_out(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    put(catalogue, replace(NEW, text="# A\nOther.", sha256="1" * 64), replace(NEW, document_id="b", text="Third."))
    texts = catalogue.stored_texts([(NEW.document_id, 1), (NEW.document_id, 2), ("b", 1), ("b", 2), ("c", 1)])
    assert texts == {
        (NEW.document_id, 1): StoredText(NEW.text, NEW.pages, NEW.headings),
        (NEW.document_id, 2): StoredText("# A\nOther.", NEW.pages, NEW.headings),
        ("b", 1): StoredText("Third.", NEW.pages, NEW.headings),
    }
    assert catalogue.stored_texts([(f"no-{number}", 1) for number in range(1000)]) == {}


def test_a_commit_raises_the_snapshot_and_shows_the_document(catalogue: Catalogue) -> None:
    assert catalogue.snapshot == 0
    assert put(catalogue, NEW) == 1
    assert catalogue.snapshot == 1
    document = catalogue.document("guides/a.md")
    assert (document.state, document.version, document.chunks, document.metadata["year"]) == ("ready", 1, 3, 2024)


def test_a_new_version_takes_the_place_of_the_old_one_and_both_are_kept(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    put(catalogue, replace(NEW, text="Other.", sha256="1" * 64))
    assert catalogue.version("guides/a.md").text == "Other."
    assert catalogue.version("guides/a.md", 1).text == "# A\nBody."
    assert catalogue.document("guides/a.md").version == 2
    assert catalogue.totals().versions == 2
    assert catalogue.totals().documents == 1


def test_pages_and_headings_come_back_as_they_went_in(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    version = catalogue.version("guides/a.md")
    assert (version.pages, version.headings) == (NEW.pages, NEW.headings)


def test_a_failed_commit_leaves_nothing_and_is_undone_in_the_store(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    undone = Undone()
    with pytest.raises(RuntimeError, match="store"), catalogue.committing(undone) as commit:
        current = Current(1, NEW.sha256, NEW.pipeline, NEW.media_type)
        assert commit.look_up([NEW.document_id]) == {NEW.document_id: current}
        commit.put(replace(NEW, sha256="1" * 64))
        raise RuntimeError("store")
    assert undone[-1] == 1
    assert catalogue.snapshot == 1
    assert catalogue.document("guides/a.md").version == 1


def test_another_process_never_undoes_a_commit_that_is_under_way(url: str) -> None:
    if url.startswith("sqlite"):
        pytest.skip("one process owns a SQLite catalogue, by the lock of its folder")
    first, second = (Catalogue.open(url, "acme") for _ in range(2))
    first.claim("minilm", {})
    order: list[str] = []
    started = threading.Event()

    def recover() -> None:
        started.wait()
        second.recover(lambda snapshot: order.append(f"undo beyond {snapshot}"))

    waiting = threading.Thread(target=recover)
    waiting.start()
    with first.committing(Undone()) as commit:
        commit.look_up([NEW.document_id])
        commit.put(NEW)
        started.set()
        time.sleep(0.3)
        order.append("written")
    waiting.join()
    assert order == ["written", "undo beyond 1"]
    first.close(), second.close()


def test_an_undo_that_failed_is_tried_again_before_the_next_commit(catalogue: Catalogue) -> None:
    def failing(snapshot: int) -> None:
        raise ConnectionError("away")

    with pytest.raises(ConnectionError), catalogue.committing(failing):
        raise RuntimeError("store")
    undone = Undone()
    with catalogue.committing(undone) as commit:
        commit.put(NEW)
    assert undone == [0]
    assert catalogue.snapshot == 1


def test_a_failed_attempt_is_noted_and_the_readable_version_stays(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    catalogue.record_failure("guides/a.md", "guides/a.md", "text/markdown", "given", "truncated")
    catalogue.record_failure("b.pdf", "b.pdf", "application/pdf", "given", "locked")
    assert catalogue.document("guides/a.md").state == "ready"
    assert catalogue.document("guides/a.md").reason == "truncated"
    assert catalogue.document("b.pdf").state == "failed"
    assert catalogue.totals().failed == 1


def test_pages_of_documents_follow_each_other(catalogue: Catalogue) -> None:
    put(catalogue, *(replace(NEW, document_id=f"{n}.md") for n in range(5)))
    first = catalogue.documents(2, None)
    second = catalogue.documents(2, first.next_cursor)
    third = catalogue.documents(2, second.next_cursor)
    listed = [document.document_id for page in (first, second, third) for document in page.documents]
    assert listed == [f"{n}.md" for n in range(5)]
    assert third.next_cursor is None
    assert first.total == 5


def drop(catalogue: Catalogue, document_id: str, accepted: int = 2, purge: bool = False) -> tuple[int, int]:
    with catalogue.committing(Undone()) as commit:
        dropped = commit.purge(document_id, accepted) if purge else commit.drop(document_id, accepted)
    return dropped.versions, dropped.chunks


def test_a_dropped_document_is_gone_and_its_history_stays(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    put(catalogue, replace(NEW, sha256="1" * 64, text="Second."))
    assert drop(catalogue, "guides/a.md") == (1, 3)
    with pytest.raises(DocumentNotFound):
        catalogue.version("guides/a.md")
    with pytest.raises(DocumentNotFound):
        drop(catalogue, "guides/a.md")
    assert catalogue.version("guides/a.md", as_of=2).text == "Second."
    assert catalogue.version("guides/a.md", as_of=1).version == 1
    assert [version.state for version in catalogue.versions("guides/a.md")] == ["deleted", "deleted"]
    assert catalogue.cleanups() == [Cleanup("guides/a.md", "retire", 3)]


def test_a_purged_document_leaves_no_history_and_its_numbers_are_not_given_again(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    put(catalogue, replace(NEW, sha256="1" * 64))
    drop(catalogue, "guides/a.md")
    assert drop(catalogue, "guides/a.md", purge=True) == (2, 6)
    with pytest.raises(DocumentNotFound):
        catalogue.versions("guides/a.md")
    with pytest.raises(DocumentNotFound):
        drop(catalogue, "guides/a.md", purge=True)
    assert catalogue.cleanups() == [Cleanup("guides/a.md", "erase", 4)]
    put(catalogue, replace(NEW, accepted=3))
    assert catalogue.document("guides/a.md").version == 3


def test_an_earlier_offer_that_ends_later_is_kept_and_never_readable(catalogue: Catalogue) -> None:
    put(catalogue, replace(NEW, accepted=5, text="Later."))
    with catalogue.committing(Undone()) as commit:
        commit.look_up([NEW.document_id])
        earlier = replace(NEW, accepted=4, sha256="1" * 64, text="Earlier.")
        assert commit.overtaken(earlier)
        assert commit.put_overtaken(earlier) == 1
    assert catalogue.version(NEW.document_id).text == "Later."
    newest, readable = catalogue.versions(NEW.document_id)
    assert (newest.version, newest.state, newest.snapshot, newest.ended) == (2, "superseded", 2, 2)
    assert (readable.version, readable.current) == (1, True)
    assert catalogue.version(NEW.document_id, 2).text == "Earlier."


def test_an_offer_from_before_a_deletion_does_not_bring_the_document_back(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    drop(catalogue, NEW.document_id, accepted=9)
    with catalogue.committing(Undone()) as commit:
        commit.look_up([NEW.document_id])
        assert commit.overtaken(replace(NEW, accepted=8))
        assert commit.put_overtaken(replace(NEW, accepted=8)) == 0
    assert len(catalogue.versions(NEW.document_id)) == 1


def test_the_same_content_offered_again_overtakes_what_was_offered_before_it(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    assert catalogue.confirm(NEW.document_id, 1, "given", 7)
    with catalogue.committing(Undone()) as commit:
        commit.look_up([NEW.document_id])
        assert commit.overtaken(replace(NEW, accepted=6, sha256="1" * 64))


def test_documents_of_another_pipeline_are_stale(catalogue: Catalogue) -> None:
    put(catalogue, NEW, replace(NEW, document_id="b.md", pipeline="characters"))
    assert catalogue.document("b.md").state == "stale"
    assert catalogue.stale_ids() == ["b.md"]
    assert catalogue.totals().stale == 1
    listed = {state: catalogue.documents(9, None, state).documents for state in ("ready", "stale", "failed")}
    assert {state: [found.document_id for found in documents] for state, documents in listed.items()} == {
        "ready": [NEW.document_id],
        "stale": ["b.md"],
        "failed": [],
    }
    catalogue.embedded = False
    assert catalogue.documents(9, None, "stale").total == 2
    assert catalogue.documents(9, None, "ready").total == 0


def test_documents_are_listed_by_what_their_metadata_says(catalogue: Catalogue) -> None:
    put(catalogue, *(replace(NEW, document_id=f"{n}.md", metadata={"year": 2020 + n % 2}) for n in range(6)))
    first = catalogue.documents(2, None, wanted=lambda metadata: metadata["year"] == 2021)
    assert ([document.document_id for document in first.documents], first.total) == (["1.md", "3.md"], 3)
    second = catalogue.documents(2, first.next_cursor, wanted=lambda metadata: metadata["year"] == 2021)
    assert ([document.document_id for document in second.documents], second.next_cursor) == (["5.md"], None)


def test_retention_keeps_the_newest_versions_and_moves_the_horizon(catalogue: Catalogue) -> None:
    for number in range(1, 5):
        put(catalogue, replace(NEW, sha256=str(number) * 64, accepted=number))
    put(catalogue, replace(NEW, document_id="b.md"))
    trimmed = catalogue.trim(Bounds(versions=2, days=None))
    assert (trimmed.versions, trimmed.horizon, catalogue.horizon) == (2, 3, 3)
    assert [version.version for version in catalogue.versions(NEW.document_id)] == [4, 3]
    assert catalogue.cleanups() == [Cleanup(NEW.document_id, "trim", 3)]
    catalogue.check_as_of(3)
    with pytest.raises(InvalidRequest, match="before snapshot 3 was purged"):
        catalogue.check_as_of(2)
    with pytest.raises(InvalidRequest, match="the newest is 5"):
        catalogue.check_as_of(6)


def test_retention_counts_a_deletion_as_the_newest_version(catalogue: Catalogue) -> None:
    for number in (1, 2):
        put(catalogue, replace(NEW, sha256=str(number) * 64, accepted=number))
    put(catalogue, replace(NEW, document_id="b.md"))
    drop(catalogue, NEW.document_id, accepted=3)

    def clean() -> None:  # a document with a cleanup to come waits for its turn
        for cleanup in catalogue.cleanups():
            catalogue.cleaned(cleanup)

    clean()
    assert catalogue.trim(Bounds(versions=2, days=None)).versions == 1
    assert [version.version for version in catalogue.versions(NEW.document_id)] == [2]
    clean()
    assert catalogue.trim(Bounds(versions=1, days=None)).versions == 1
    with pytest.raises(DocumentNotFound):
        catalogue.versions(NEW.document_id)
    assert catalogue.document("b.md").version == 1


def test_retention_by_days_takes_what_ended_long_ago_and_never_what_is_readable(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    put(catalogue, replace(NEW, sha256="1" * 64, accepted=2))
    assert catalogue.trim(Bounds(versions=None, days=1)).versions == 0
    assert catalogue.trim(Bounds(versions=None, days=0)).versions == 1
    assert catalogue.document(NEW.document_id).version == 2


def test_a_flip_is_seen_with_the_generation_and_nothing_is_committed_beside_it(catalogue: Catalogue) -> None:
    looked: list[int] = []
    catalogue.flip(1, "other", {"dimensions": 8}, lambda _: looked.append(catalogue.position[1]))
    assert looked == [0]
    assert catalogue.position == (0, 1)
    put(catalogue, NEW)
    assert catalogue.claim("other", {"dimensions": 8}) == Claim("other", {"dimensions": 8}, 1)


def test_committed_documents_survive_reopening(tmp_path: Path) -> None:
    first = Catalogue.in_folder(tmp_path, "acme")
    assert first.claim("minilm", {"dimensions": 384}).embedding == "minilm"
    put(first, NEW)
    first.close()
    second = Catalogue.in_folder(tmp_path, "acme")
    assert second.claim("another", {}) == Claim("minilm", {"dimensions": 384}, 0)
    assert second.snapshot == 1
    second.close()


def test_processes_that_open_a_new_tenant_together_agree_on_its_claim(url: str) -> None:
    processes = [Catalogue.open(url, "acme") for _ in range(4)]
    together, claims = threading.Barrier(len(processes)), list[Claim]()

    def claim(process: Catalogue) -> None:
        process.check()
        together.wait(10)
        claims.append(process.claim("minilm", {"dimensions": 384}))

    threads = [threading.Thread(target=claim, args=(process,)) for process in processes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(one.fresh for one in claims) == [False, False, False, True]
    assert {one.embedding for one in claims} == {"minilm"}
    for process in processes:
        process.close()


def test_a_database_whose_connections_are_all_in_use_is_not_available(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'a.sqlite'}", pool_size=1, max_overflow=0, pool_timeout=0.05)
    with engine.connect(), pytest.raises(StoreUnavailable, match="all connections are in use"):
        Catalogue(OpenDatabase(engine, engine.dispose, threading.Lock()), "acme", owned=True).check()
    engine.dispose()


def test_tenants_in_one_database_do_not_meet(tmp_path: Path) -> None:
    acme, globex = Catalogue.in_folder(tmp_path, "acme"), Catalogue.in_folder(tmp_path, "globex")
    acme.claim("m", {}), globex.claim("m", {})
    put(acme, NEW)
    with pytest.raises(DocumentNotFound):
        globex.document("guides/a.md")
    assert globex.totals().versions == 0
    acme.close(), globex.close()


def test_a_database_that_cannot_be_reached_is_named_without_its_address() -> None:
    with pytest.raises(StoreUnavailable) as caught:
        Catalogue.open("postgresql+psycopg://user:hidden@127.0.0.1:1/none", "acme")
    assert "hidden" not in str(caught.value)


def test_vectors_come_back_by_key_and_are_forgotten_with_their_document(catalogue: Catalogue) -> None:
    cache = EmbeddingCache(catalogue.engine, "acme")
    keys = [bytes([n]) * 32 for n in range(3)]
    owners = {keys[0]: "a.md", keys[1]: "b.md"}
    cache.put({keys[0]: np.float32([0.5, 1.0]), keys[1]: np.float32([2.0, 3.0])}, owners)
    cache.put({keys[0]: np.float32([9.0, 9.0])}, {keys[0]: "c.md"})
    assert {key: vector.tolist() for key, vector in cache.get(keys).items()} == {
        keys[0]: [0.5, 1.0],
        keys[1]: [2.0, 3.0],
    }
    assert EmbeddingCache(catalogue.engine, "globex").get(keys) == {}
    assert (cache.count_of("a.md"), cache.count_of("c.md")) == (1, 0)
    assert cache.forget("a.md") == 1
    assert list(cache.get(keys)) == [keys[1]]


def test_extracts_come_back_as_they_were_and_are_forgotten_with_their_document(catalogue: Catalogue) -> None:
    cache = ExtractCache(catalogue.engine, "acme")
    keys = [bytes([n]) * 32 for n in range(3)]
    cache.put({keys[0]: "A title", keys[1]: ["one", "two"]}, {keys[0]: "a.md", keys[1]: "b.md"})
    assert cache.get(keys) == {keys[0]: "A title", keys[1]: ["one", "two"]}
    assert ExtractCache(catalogue.engine, "globex").get(keys) == {}
    assert (cache.forget("a.md"), cache.count_of("a.md"), cache.count_of("b.md")) == (1, 0, 1)


def test_a_part_of_a_source_is_looked_for_in_its_letter_case(catalogue: Catalogue) -> None:
    put(catalogue, replace(NEW, document_id="1", source="Guide.txt"), replace(NEW, document_id="2", source="guide.txt"))
    assert catalogue.sources_of({}, "guide.t") == {"2": "guide.txt"}
