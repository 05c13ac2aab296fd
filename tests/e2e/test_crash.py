"""A process that is killed while it ingests leaves every document whole."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import OpenTenant

PROFILE = "tenant: kennel\nchunking: {size: 32, overlap: 0}\n"
DOCUMENTS = 12
WRITER = """
import itertools, sys
from pipelines import open_engine
from pipelines.types import DocumentInput

with open_engine(sys.argv[1], sys.argv[2]) as engine:
    print("open", flush=True)
    for round in itertools.count(int(sys.argv[3]) * 1000):
        text = " ".join(f"Sentence {n} of round {round} is about beagles and pugs." for n in range(12))
        documents = [DocumentInput(content=text, document_id=f"d{n}") for n in range(12)]
        engine.ingest(documents)
        if round % 3 == 2:
            engine.delete("d0")
"""


@pytest.mark.slow
def test_documents_are_whole_after_every_kill(open_tenant: OpenTenant, tmp_path: Path) -> None:
    generator = random.Random(7)
    profile = tmp_path / "kennel.yaml"
    profile.write_text(PROFILE)
    for attempt in range(6):
        arguments = [sys.executable, "-c", WRITER, str(profile), str(tmp_path / "data"), str(attempt)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
            time.sleep(generator.uniform(0.1, 2.0))
            writer.kill()
        engine = open_tenant(PROFILE, tmp_path / "data")
        listed = engine.documents().documents
        for document in listed:
            chunks = engine.chunks(document.document_id)
            content = engine.content(document.document_id)
            assert {chunk.version for chunk in chunks} == {document.version}
            assert len(chunks) == document.chunks
            assert all(chunk.content == content[chunk.span.start : chunk.span.end] for chunk in chunks)
            assert len({content.split(" of ")[n].split(" is ")[0] for n in range(1, 13)}) == 1
        hits = engine.search("Which sentence is about beagles?", top_k=100)
        assert {hit.document_id: hit.version for hit in hits} == {
            document.document_id: document.version for document in listed
        }
        kept = {chunk: version for version, chunk in _versions(engine)}
        assert engine._store.count(None) == sum(kept.values())
        engine.close()


def _versions(engine: object) -> list[tuple[int, str]]:
    """Chunks of every version that the catalogue keeps, by document and number."""
    import sqlalchemy as sa

    from pipelines.catalogue.tables import VersionRow

    with engine._catalogue.engine.connect() as connection:  # type: ignore[attr-defined]
        query = sa.select(VersionRow.chunks, VersionRow.document_id, VersionRow.version)
        return [(row.chunks, f"{row.document_id}/{row.version}") for row in connection.execute(query)]
