import os
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from pipelines.catalogue import Catalogue, EmbeddingCache, NewVersion
from pipelines.errors import DocumentNotFound, StoreUnavailable
from pipelines.types import Heading, Page, Span

NEW = NewVersion(
    document_id="guides/a.md",
    title="A",
    source="guides/a.md",
    media_type="text/markdown",
    origin="given",
    sha256="0" * 64,
    text="# A\nBody.",
    pages=(Page(1, Span(0, 9), "i"),),
    headings=(Heading(1, "A", 0),),
    metadata={"topics": ["x"], "year": 2024},
    chunks=3,
    bytes=9,
)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of one's own, on either engine."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'catalogue.sqlite'}"
        return
    server = os.environ.get("FOOTNOTE_TEST_POSTGRES")
    if server is None:
        pytest.skip("FOOTNOTE_TEST_POSTGRES names no PostgreSQL server")
    name = f"footnote_test_{uuid.uuid4().hex[:12]}"
    admin = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield sa.make_url(server).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    opened = Catalogue.open(url, "acme")
    opened.claim("minilm")
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


def test_a_commit_that_fails_leaves_nothing_and_is_undone_elsewhere(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    undone = Undone()
    with pytest.raises(RuntimeError, match="store"), catalogue.committing(undone) as commit:
        assert commit.look_up([NEW.document_id]) == {NEW.document_id: (1, NEW.sha256)}
        commit.put(replace(NEW, sha256="1" * 64))
        raise RuntimeError("store")
    assert undone[-1] == 1
    assert catalogue.snapshot == 1
    assert catalogue.document("guides/a.md").version == 1


def test_another_process_never_undoes_a_commit_that_is_under_way(url: str) -> None:
    if url.startswith("sqlite"):
        pytest.skip("one process owns a SQLite catalogue, by the lock of its folder")
    first, second = (Catalogue.open(url, "acme") for _ in range(2))
    first.claim("minilm")
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


def test_a_dropped_document_is_gone_with_its_versions(catalogue: Catalogue) -> None:
    put(catalogue, NEW)
    put(catalogue, replace(NEW, sha256="1" * 64))
    with catalogue.committing(Undone()) as commit:
        assert commit.drop("guides/a.md") == 2
    with pytest.raises(DocumentNotFound):
        catalogue.version("guides/a.md", 1)
    with pytest.raises(DocumentNotFound), catalogue.committing(Undone()) as commit:
        commit.drop("guides/a.md")


def test_what_was_committed_is_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    first = Catalogue.in_folder(tmp_path, "acme")
    assert first.claim("minilm") == "minilm"
    put(first, NEW)
    first.close()
    second = Catalogue.in_folder(tmp_path, "acme")
    assert second.claim("another") == "minilm"
    assert second.snapshot == 1
    second.close()


def test_tenants_in_one_database_do_not_meet(tmp_path: Path) -> None:
    acme, globex = Catalogue.in_folder(tmp_path, "acme"), Catalogue.in_folder(tmp_path, "globex")
    acme.claim("m"), globex.claim("m")
    put(acme, NEW)
    with pytest.raises(DocumentNotFound):
        globex.document("guides/a.md")
    assert globex.totals().versions == 0
    acme.close(), globex.close()


def test_a_database_that_cannot_be_reached_is_named_without_its_address() -> None:
    with pytest.raises(StoreUnavailable) as caught:
        Catalogue.open("postgresql+psycopg://user:hidden@127.0.0.1:1/none", "acme")
    assert "hidden" not in str(caught.value)


def test_vectors_come_back_by_key_and_can_be_forgotten(catalogue: Catalogue) -> None:
    cache = EmbeddingCache(catalogue.engine, "acme")
    keys = [bytes([n]) * 32 for n in range(3)]
    cache.put({keys[0]: np.float32([0.5, 1.0]), keys[1]: np.float32([2.0, 3.0])})
    cache.put({keys[0]: np.float32([9.0, 9.0])})
    assert {key: vector.tolist() for key, vector in cache.get(keys).items()} == {
        keys[0]: [0.5, 1.0],
        keys[1]: [2.0, 3.0],
    }
    assert EmbeddingCache(catalogue.engine, "globex").get(keys) == {}
    assert cache.remove(keys) == 2
    assert cache.get(keys) == {}
