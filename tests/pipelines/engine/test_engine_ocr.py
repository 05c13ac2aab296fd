"""Tenants that bring in scans: what is kept, when pages are read again, and what happens while nothing reads them."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipelines.catalogue.tables import ExtractRow
from pipelines.engine import Engine
from pipelines.errors import ProfileError, StoreUnavailable
from pipelines.types import DocumentInput, IngestResult, SyncResult
from tests.conftest import OpenTenant
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server
from tests.fakes.scans import drawn, file_of, joined, needs_tesseract, typed

PROFILE = """
tenant: kennel
chunking: {size: 32, overlap: 8}
knowledge: {path: knowledge}
metadata: {fields: {ocr_confidence: {type: float}}}
"""
SEEING = 'ocr: {engine: ollama, model: sees, base_url: "URL", page_timeout_s: 20}\n'
SCAN = file_of(drawn(("One",)), kind="PDF")
OTHER = file_of(drawn(("Two", "lines")), kind="PDF")
MIXED = joined(typed("Typed before."), SCAN, OTHER, typed("Typed after."))
Opened = Callable[..., Engine]


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with ollama_server(lambda asked: "Beagles tire nobody but their owners.") as fake:
        yield fake


@pytest.fixture
def opened(open_tenant: OpenTenant, server: FakeOllama, tmp_path: Path) -> Opened:
    (tmp_path / "knowledge").mkdir()
    last: list[Engine] = []

    def open_it(ocr: str = SEEING) -> Engine:
        """The tenant with another section; the one that was open is closed."""
        for engine in last:
            engine.close()
        last[:] = [open_tenant(PROFILE + ocr.replace("URL", server.url))]
        return last[0]

    return open_it


def ingest(engine: Engine, content: bytes = MIXED, name: str = "a.pdf", **said: object) -> IngestResult:
    (result,) = engine.ingest([DocumentInput(content, source=name, **said)])  # type: ignore[arg-type]
    return result


def write(folder: Path, name: str, content: bytes) -> None:
    """A file that was written long ago."""
    file = folder / "knowledge" / name
    file.write_bytes(content)
    moment = time.time_ns() - 3600 * 10**9
    os.utime(file, ns=(moment, moment))


def states(result: SyncResult) -> dict[str, str]:
    return {one.document_id: one.state for one in result.results}


def test_a_scan_is_cited_by_its_page_and_says_that_it_was_recognised(opened: Opened) -> None:
    engine = opened()
    assert ingest(engine).reason is None
    (note, *_) = engine.answer("Whom do beagles tire?").citations
    assert (note.document_id, note.page) == ("a.pdf", 2)
    text = engine.content("a.pdf")
    assert text[note.span.start : note.span.end] == note.quote == "Beagles tire nobody but their owners."
    metadata = dict(engine.document("a.pdf").metadata)
    assert metadata.pop("created")
    assert len(metadata.pop("ocr_settings")) == 16
    assert metadata == {"ocr_engine": "ollama sees", "ocr_pages": "2-3"}


def test_no_page_is_read_twice_until_its_document_is_purged(opened: Opened, server: FakeOllama) -> None:
    engine = opened()
    assert ingest(engine).state == "ready"
    assert ingest(engine).state == "unchanged"
    assert ingest(engine, metadata={"year": 2024}).version == 2
    assert ingest(engine, OTHER, "b.pdf").state == "ready"
    assert len(server.asked) == 2
    assert engine.delete("a.pdf", purge=True).cache_entries_removed >= 2
    ingest(engine, SCAN)
    assert len(server.asked) == 3


def test_an_unavailable_model_fails_only_the_document_and_is_retried(
    opened: Opened, server: FakeOllama, tmp_path: Path
) -> None:
    server.script = lambda asked: Reply("", "missing")
    write(tmp_path, "scan.pdf", SCAN)
    write(tmp_path, "typed.pdf", typed("Beagles are hounds."))
    engine = opened()
    result = engine.sync()
    assert states(result) == {"scan.pdf": "failed", "typed.pdf": "ready"}
    (failed,) = [one for one in result.results if one.state == "failed"]
    assert failed.code == "ocr_unavailable"
    assert "next sync or ingestion tries the document again" in (failed.reason or "")
    server.script = lambda asked: "Read now."
    assert states(engine.sync()) == {"scan.pdf": "ready", "typed.pdf": "unchanged"}
    assert states(engine.sync()) == {"scan.pdf": "unchanged", "typed.pdf": "unchanged"}


def test_pages_that_could_not_be_had_are_named_and_read_by_the_next_synchronisation(
    opened: Opened, server: FakeOllama, tmp_path: Path
) -> None:
    def script(asked: Asked) -> Reply | str:
        return "Read." if len(server.asked) == 1 else Reply("", "bad")

    server.script = script
    write(tmp_path, "a.pdf", MIXED)
    engine = opened()
    (result,) = engine.sync().results
    assert result.state == "ready"
    assert "page 3: " in (result.reason or "")
    metadata = engine.document("a.pdf").metadata
    assert (metadata["ocr_pages"], metadata["unread_pages"]) == ("2", "3")
    (result,) = engine.sync().results
    assert (result.state, result.version) == ("unchanged", 1)
    server.script = lambda asked: "Read later."
    (result,) = engine.sync().results
    assert (result.state, result.version) == ("ready", 2)
    assert "unread_pages" not in engine.document("a.pdf").metadata
    assert [asked.images for asked in server.asked].count(server.asked[0].images) == 1


def test_switching_it_on_reads_what_was_not_and_leaves_the_rest(
    opened: Opened, server: FakeOllama, tmp_path: Path
) -> None:
    write(tmp_path, "mixed.pdf", MIXED)
    write(tmp_path, "scan.pdf", SCAN)
    write(tmp_path, "photo.png", file_of(drawn(("One",))))
    write(tmp_path, "typed.pdf", typed("Beagles are hounds."))
    engine = opened("")
    first = {one.document_id: one for one in engine.sync().results}
    assert {name: one.state for name, one in first.items()} == {
        "mixed.pdf": "ready", "scan.pdf": "failed", "photo.png": "failed", "typed.pdf": "ready",
    }  # fmt: skip
    assert "page 2-3: it has no text layer" in (first["mixed.pdf"].reason or "")
    assert "engine: tesseract" in (first["scan.pdf"].reason or "")
    assert "engine: tesseract" in (first["photo.png"].reason or "")
    metadata = engine.document("mixed.pdf").metadata
    assert (metadata["unread_pages"], metadata["ocr_settings"], "ocr_pages" in metadata) == ("2-3", "off", False)
    engine = opened()
    assert states(engine.sync()) == {
        "mixed.pdf": "ready", "scan.pdf": "ready", "photo.png": "ready", "typed.pdf": "unchanged",
    }  # fmt: skip
    asked = len(server.asked)
    assert set(states(engine.sync()).values()) == {"unchanged"}
    assert len(server.asked) == asked
    assert [version.version for version in engine.versions("typed.pdf")] == [1]


def test_another_setting_reads_again_and_none_leaves_what_was_read(
    opened: Opened, server: FakeOllama, tmp_path: Path
) -> None:
    write(tmp_path, "scan.pdf", SCAN)
    opened().sync()
    server.script = lambda asked: "Read otherwise."
    engine = opened(SEEING.replace("sees", "other"))
    assert states(engine.sync()) == {"scan.pdf": "ready"}
    assert engine.content("scan.pdf") == "Read otherwise."
    engine = opened("")
    assert states(engine.sync()) == {"scan.pdf": "unchanged"}
    assert ingest(engine, SCAN, "scan.pdf").state == "unchanged"
    assert states(opened(SEEING.replace("sees", "other")).sync()) == {"scan.pdf": "unchanged"}


def test_cutting_otherwise_reads_no_page_again(opened: Opened, server: FakeOllama) -> None:
    ingest(opened())
    engine = opened(f"extractors: [frontmatter]\n{SEEING}")
    (result,) = engine.reembed()
    assert (result.state, result.version) == ("ready", 2)
    assert engine.document("a.pdf").metadata["ocr_pages"] == "2-3"
    assert ingest(engine).state == "unchanged"
    assert len(server.asked) == 2


@needs_tesseract
def test_tesseracts_confidence_can_be_filtered_on(opened: Opened, tmp_path: Path) -> None:
    engine = opened("ocr: {engine: tesseract, dpi: 200}\n")
    page = drawn(("Beagles tire nobody", "but their owners."))
    ingest(engine, file_of(page, kind="TIFF"), "scan.tif")
    ingest(engine, typed("Beagles are typed here."), "typed.pdf")
    (hit,) = engine.search("beagles", filters={"ocr_confidence": {"gte": 0.5}}).hits
    assert (hit.document_id, hit.page) == ("scan.tif", 1)
    assert hit.content == "Beagles tire nobody\nbut their owners."


def test_a_tenant_without_its_tesseract_is_not_opened(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProfileError, match="apt-get install tesseract-ocr"):
        opened("ocr: {engine: tesseract}\n")


def test_an_unavailable_database_is_not_blamed_on_the_scan(opened: Opened, tmp_path: Path) -> None:
    engine = opened()
    (catalogue,) = tmp_path.rglob("catalogue.sqlite")
    with closing(sqlite3.connect(catalogue)) as database:
        database.execute(f"ALTER TABLE {ExtractRow.__tablename__} RENAME TO gone")
    with pytest.raises(StoreUnavailable):
        ingest(engine)
    assert engine.documents().total == 0  # nor is it recorded as one that cannot be read


def test_nothing_stays_of_a_scan_that_was_only_described(opened: Opened) -> None:
    engine = opened()
    assert "ocr_engine" in engine.described(DocumentInput(MIXED, source="never.pdf"))
    ingest(engine)
    assert engine.delete("a.pdf", purge=True).cache_entries_removed > 2  # with both pages that were recognised
