"""The readers of all formats as LlamaIndex's."""

from pathlib import Path

import pytest
from llama_index.core import SimpleDirectoryReader
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import NodeWithScore

from pipelines import open_engine
from pipelines.errors import UnreadableDocument
from pipelines.reading import SUPPORTED_SUFFIXES
from pipelines.reading.llama import FootnoteReader, file_readers
from tests.pipelines.reading.reader_files import docx, paragraph


def test_every_ending_that_can_be_read_has_a_reader() -> None:
    readers = file_readers()
    assert set(readers) == set(SUPPORTED_SUFFIXES)
    assert all(isinstance(reader, BaseReader) for reader in readers.values())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "dogs.md").write_text("# Dogs\n\n**Beagles** need an hour of exercise a day.\n")
    (tmp_path / "cats.html").write_text("<nav>Home</nav><h1>Cats</h1><p>The Manx has no tail.</p>")
    (tmp_path / "sheep.docx").write_bytes(docx(paragraph("Collies herd sheep.")))
    return tmp_path


def test_a_folder_reads_as_people_see_it(folder: Path) -> None:
    loaded = SimpleDirectoryReader(str(folder), file_extractor=file_readers()).load_data()
    texts = {document.metadata["file_name"]: document.text.strip() for document in loaded}
    assert texts["dogs.md"].endswith("Beagles need an hour of exercise a day.")
    assert "*" not in texts["dogs.md"]
    assert "Home" not in texts["cats.html"]
    assert texts["sheep.docx"] == "Collies herd sheep."


def test_retrieved_text_can_be_cited(folder: Path) -> None:
    nodes = [NodeWithScore(node=document, score=0.9) for document in FootnoteReader().load_data(folder / "dogs.md")]
    with open_engine({"tenant": "dogs", "store": {"engine": "memory"}}) as engine:
        response = engine.synthesizer().synthesize("How much exercise do beagles need?", nodes)
    assert response.metadata["citations"][0]["source"] == "dogs.md"
    assert "an hour" in str(response)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"no pdf at all")
    with pytest.raises(UnreadableDocument):
        FootnoteReader().load_data(broken)
