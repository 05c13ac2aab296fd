"""How documents are cut while the profile changes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from llama_index.core.schema import TransformComponent

from pipelines.catalogue import Catalogue
from pipelines.components.splitters import build_splitter
from pipelines.ingestion.identity import Identities
from pipelines.ingestion.prepare import Prepared, Preparer
from pipelines.ingestion.transforms import Locate
from pipelines.profile.schema import Profile
from pipelines.profile.sections.chunking import Chunking
from pipelines.reading.workers import ReaderPool, ReadingLimits
from pipelines.types import DocumentInput

UNASKED = (lambda text: pytest.fail("no tokens are counted"), lambda texts: pytest.fail("nothing is embedded"))
PLACING = Locate(with_headings=True, embed_title=True, embed_headings=True, context_weight=1)
TEXT = "Beagles howl at night.\n\nPugs snore all day long."
CHUNKS = {"old": 1, "new": 2}


def steps(size: int) -> Sequence[TransformComponent]:
    section = Chunking(splitter="sentence", unit="character", size=size, overlap=0)
    return [build_splitter(section, *UNASKED), PLACING]


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue.in_folder(tmp_path, "kennel")
    opened.claim("any", {})
    yield opened
    opened.close()


@pytest.fixture
def readers() -> Iterator[ReaderPool]:
    pool = ReaderPool(ReadingLimits())
    yield pool
    pool.close()


def test_documents_are_named_by_what_cut_them_when_the_profile_changes_under_way(
    catalogue: Catalogue, readers: ReaderPool
) -> None:
    profile = Profile.model_validate({"tenant": "kennel"})

    def old_steps(_: Chunking) -> Sequence[TransformComponent]:
        preparer.adopt(profile, lambda _: steps(30), "new")  # by another thread, while this document is cut
        return steps(300)

    identities = Identities(None, catalogue)
    preparer = Preparer(profile, catalogue, old_steps, "old", readers=readers, identities=identities)
    for number in range(2):
        done = preparer(DocumentInput(TEXT, document_id=f"dogs {number}"))
        assert isinstance(done, Prepared), done
        assert len(done.nodes) == CHUNKS[done.new.pipeline]
    assert done.new.pipeline == "new"
