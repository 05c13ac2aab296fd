"""Documents that another reader read: the state that a release with a changed reader finds."""

from base64 import b64encode
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines import Engine
from pipelines.catalogue.tables import VersionRow
from pipelines.ingestion.readers import former_readers, hashed_again
from pipelines.reading import reader_of
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant
from tests.fakes.scans import drawn, file_of, joined, typed
from tests.pipelines.ingestion.knowledge import PROFILE, Tenant, states
from tests.pipelines.reading.picture_files import image

RECUT = PROFILE.replace("size: 64", "size: 90")


@pytest.fixture
def tenant(open_tenant: OpenTenant, tmp_path: Path) -> Tenant:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    return Tenant(open_tenant(PROFILE), folder)


def read_formerly(engine: Engine, reader: int | None, document_id: str, text: str | None = None) -> None:
    """Make a document's versions those of another reader, which made this text of it."""
    values = {"reader": reader} | ({} if text is None else {"text": text})
    with engine._parts.catalogue.engine.begin() as connection:
        connection.execute(sa.update(VersionRow).where(VersionRow.document_id == document_id).values(values))


def test_a_sync_reads_files_again_whose_reader_changed(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs")
    tenant.write("b.md", "many cats")
    tenant.sync()
    read_formerly(tenant.engine, 0, "a.txt", "some ???")
    synced = tenant.sync()
    assert states(synced) == {"a.txt": "ready", "b.md": "unchanged"}
    assert synced.reread == ("a.txt",)
    assert tenant.texts()["a.txt"] == "some dogs"
    assert next(one.reason for one in synced.results if one.source == "a.txt") == (
        "read again: the reader of text has changed"
    )
    again = tenant.sync()
    assert set(states(again).values()) == {"unchanged"}
    assert again.reread == ()


def test_a_changed_reader_that_makes_no_difference_makes_no_version(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs")
    tenant.sync()
    read_formerly(tenant.engine, 0, "a.txt")
    before = tenant.engine.stats().snapshot
    synced = tenant.sync()
    assert (states(synced), synced.reread) == ({"a.txt": "unchanged"}, ("a.txt",))
    assert tenant.engine.stats().snapshot == before
    assert tenant.sync().reread == ()


def test_files_of_a_release_that_did_not_note_its_readers_wait_until_they_are_asked_for(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs")
    tenant.sync()
    read_formerly(tenant.engine, None, "a.txt", "some ???")
    assert states(tenant.sync()) == {"a.txt": "unchanged"}
    assert tenant.texts() == {"a.txt": "some ???"}
    synced = tenant.syncer()(reread=True)
    assert (states(synced), synced.reread) == ({"a.txt": "ready"}, ("a.txt",))
    assert tenant.texts() == {"a.txt": "some dogs"}
    assert tenant.syncer()(reread=True).reread == ()


def test_a_file_that_the_present_reader_refuses_is_tried_once(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs")
    tenant.sync()
    read_formerly(tenant.engine, 0, "a.txt")
    tenant.overwrite_unseen("a.txt", "some\0dogs")  # as if the former reader had taken these bytes
    assert states(tenant.sync()) == {"a.txt": "failed"}
    assert (states(tenant.sync()), tenant.sync().reread) == ({"a.txt": "failed"}, ())


@pytest.mark.parametrize("former", [None, 0])
def test_the_same_content_given_again_is_read_by_the_present_reader(tenant: Tenant, former: int | None) -> None:
    engine, offered = tenant.engine, DocumentInput("some dogs", document_id="a")
    engine.ingest([offered])
    read_formerly(engine, former, "a", "some ???")
    (result,) = engine.ingest([offered])
    assert (result.state, result.version) == ("ready", 2)
    assert result.reason == "read again: the reader of Markdown has changed"
    assert engine.content("a") == "some dogs"
    assert engine.content("a", version=1) == "some ???"
    (again,) = engine.ingest([offered])
    assert (again.state, again.version) == ("unchanged", 2)
    read_formerly(engine, 0, "a", "some ???")  # the reader changes once more
    assert engine.ingest([offered])[0].version == 3
    assert engine.ingest([offered])[0].state == "unchanged"


def test_a_second_change_that_makes_no_difference_makes_no_version_either(tenant: Tenant) -> None:
    offer = DocumentInput("some dogs", document_id="a", source="a.html", media_type="text/html")
    tenant.engine.ingest(offer)
    with tenant.engine._parts.catalogue.engine.begin() as connection:  # what the reader before read otherwise
        sha256 = connection.scalar(sa.select(VersionRow.sha256))
        before = reader_of("text/html") - 1
        connection.execute(sa.update(VersionRow).values(reader=before, sha256=hashed_again(sha256, before)))
    for _ in range(3):
        assert [result.state for result in tenant.engine.ingest(offer)] == ["unchanged"]


def test_pages_without_text_make_no_third_version(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    offered = DocumentInput(
        joined(typed("Typed before."), file_of(drawn(("One",)), kind="PDF")), document_id="a.pdf", source="a.pdf"
    )
    engine.ingest([offered])
    assert "unread_pages" in engine.document("a.pdf").metadata
    read_formerly(engine, 0, "a.pdf", "Typed ???")
    assert [engine.ingest([offered])[0].version for _ in range(2)] == [2, 2]


def test_pictures_of_former_versions_stay(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE + "pictures: {keep: true}\n")
    page = f'<p>A dog.</p><img alt="dog" src="data:image/png;base64,{b64encode(image("navy")).decode()}"><p>End.</p>'
    offered = DocumentInput(page.encode(), document_id="a", source="a.html")
    engine.ingest([offered])
    read_formerly(engine, 0, "a", "A ???")
    engine.ingest([offered])
    hashes = {one.sha256 for one in engine.versions("a")}
    assert len(hashes) == 2  # a picture is kept by the sha256 of its version
    assert engine.ingest([offered])[0].state == "unchanged"


def test_cutting_again_does_not_pass_for_reading_again(open_tenant: OpenTenant, tmp_path: Path) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest([DocumentInput("some dogs", document_id="a")])
    read_formerly(engine, 0, "a")
    engine.close()
    recut = open_tenant(RECUT)
    recut.reembed()
    assert recut._parts.catalogue.readers() == {("text/markdown", 0): 1}


def test_a_doctor_counts_what_former_readers_read(tenant: Tenant) -> None:
    tenant.write("a.txt", "some dogs")
    tenant.write("b.md", "many cats")
    tenant.write("c.md", "no birds")
    tenant.sync()
    assert tenant.engine.doctor().findings == ()
    read_formerly(tenant.engine, None, "a.txt")
    read_formerly(tenant.engine, 0, "b.md")
    examination = tenant.engine.doctor()
    (finding,) = examination.findings
    assert examination.healthy
    assert finding.detail.startswith("2 documents read by readers of an earlier release (1 ")
    assert "`footnote sync --reread`" in finding.detail


def test_a_doctor_names_the_plain_sync_where_it_reads_everything_again(tenant: Tenant) -> None:
    tenant.write("a.md", "some dogs")
    tenant.sync()
    read_formerly(tenant.engine, 0, "a.md")
    (finding,) = tenant.engine.doctor().findings
    assert "`footnote sync` reads files" in finding.detail
    tenant.sync()
    assert tenant.engine.doctor().findings == ()


def test_a_reader_of_a_later_release_is_no_former_one() -> None:
    readers = {("text/markdown", 99): 1, ("text/markdown", 0): 1, ("application/x-unknown", 0): 1}
    assert former_readers(readers, unnoted=True) == [("text/markdown", 0)]
