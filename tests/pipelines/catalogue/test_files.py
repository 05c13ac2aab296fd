from collections.abc import Iterator
from dataclasses import replace

import pytest

from pipelines.catalogue import Catalogue
from pipelines.catalogue.files import FileRecord, FileRecords, FolderDocument, Stamp
from pipelines.errors import StoreUnavailable
from tests.pipelines.catalogue.test_catalogue import NEW, put

RECORD = FileRecord("guides/a.md", Stamp(9, 1_700_000_000_123_456_789, 2**63 - 1), "a" * 64, True)


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    opened = Catalogue.open(url, "acme")
    opened.claim("minilm", {})
    yield opened
    opened.close()


@pytest.fixture
def files(catalogue: Catalogue) -> FileRecords:
    return FileRecords(catalogue.engine, "acme")


def test_records_come_back_as_they_were_put(files: FileRecords) -> None:
    other = FileRecord("ünï/文.md", Stamp(0, -1, 0), "b" * 64, False)
    files.put([RECORD, other])
    assert files.all() == {RECORD.path: RECORD, other.path: other}


def test_a_record_takes_the_place_of_the_one_before(files: FileRecords) -> None:
    files.put([RECORD])
    changed = replace(RECORD, stamp=Stamp(10, 1, 2), sha256="c" * 64, settled=False)
    files.put([changed])
    assert files.all() == {RECORD.path: changed}


def test_thousands_of_records_are_unsettled_and_forgotten_by_path(files: FileRecords) -> None:
    records = [replace(RECORD, path=f"{number:04}.md") for number in range(1200)]
    files.put(records)
    files.unsettle([record.path for record in records[100:]])
    assert [record.path for record in files.all().values() if record.settled] == [f"{n:04}.md" for n in range(100)]
    files.remove([record.path for record in records[1:]])
    assert list(files.all()) == ["0000.md"]


def test_nothing_to_do_is_not_an_error(files: FileRecords) -> None:
    files.put([])
    files.unsettle([])
    files.remove(["absent"])
    assert files.all() == {}


def test_tenants_do_not_see_each_other(files: FileRecords, catalogue: Catalogue) -> None:
    others = FileRecords(catalogue.engine, "other")
    files.put([RECORD])
    others.unsettle([RECORD.path])
    others.remove([RECORD.path])
    assert others.all() == {}
    assert files.all() == {RECORD.path: RECORD}


def test_the_folder_owns_only_live_documents_that_came_from_it(files: FileRecords, catalogue: Catalogue) -> None:
    put(catalogue, NEW, replace(NEW, document_id="b.md", origin="knowledge"))
    catalogue.record_failure("c.md", "c.md", "text/markdown", "knowledge", "it is empty")
    catalogue.record_failure("d.md", "d.md", "text/markdown", "given", "it is empty")
    assert files.documents() == {
        NEW.source: FolderDocument("b.md", 1, None),
        "c.md": FolderDocument("c.md", 0, "it is empty"),
    }
    files.put([replace(RECORD, path="guides/b.md", document_id="b.md")])
    assert files.documents()["guides/b.md"] == FolderDocument("b.md", 1, None)


def test_a_database_that_fails_is_named(files: FileRecords, catalogue: Catalogue) -> None:
    with catalogue.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE files")
    with pytest.raises(StoreUnavailable, match="catalogue"):
        files.all()
