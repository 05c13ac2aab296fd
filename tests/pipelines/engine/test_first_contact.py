"""The first minutes with the Python interface: a mapping as a profile, and whatever one has at hand as documents."""

import subprocess
import sys
from pathlib import Path

import pytest
from llama_index.core import Document

from pipelines.engine import open_engine
from pipelines.errors import InvalidRequest, ProfileError

MEMORY = {"tenant": "notes", "store": {"engine": "memory"}}


def test_a_mapping_is_a_profile() -> None:
    with open_engine({**MEMORY, "retrieval": {"top_k": 3}, "rerank": ({"type": "mmr"},)}) as engine:
        assert engine.tenant == "notes"
        assert engine.profile.retrieval.top_k == 3
        assert engine.profile.rerank[0].type == "mmr"


def test_a_mistake_in_a_mapping_is_named_by_its_path() -> None:
    with pytest.raises(ProfileError, match='retrieval -> fusoin: unknown key, did you mean "fusion"'):
        open_engine({**MEMORY, "retrieval": {"fusoin": "rrf"}})


def test_a_mapping_extends_a_base_seen_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base.yaml").write_text("retrieval: {top_k: 7}\nstore: {engine: memory}\n")
    monkeypatch.chdir(tmp_path)
    with open_engine({"extends": "base.yaml", "tenant": "notes"}) as engine:
        assert engine.profile.retrieval.top_k == 7


def test_texts_paths_and_llama_index_documents_are_ingested(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "collie.md").write_text("# Collie\n\nCollies herd sheep.")
    file = tmp_path / "poodle.md"
    file.write_text("# Poodle\n\nPoodles hardly shed.")
    loaded = Document(
        text="Beagles need *two* hours.", id_="beagle", metadata={"file_name": "beagle.pdf", "title": "Beagle"}
    )
    with open_engine(MEMORY) as engine:
        results = engine.ingest(["Terriers dig.", tmp_path / "folder", file, loaded])
        assert [result.document_id for result in results[1:]] == ["collie.md", "poodle.md", "beagle"]
        assert all(result.state == "ready" for result in results)
        assert engine.content("beagle") == "Beagles need *two* hours."
        assert engine.document("beagle").title == "Beagle"
        assert engine.ingest("Terriers dig.")[0].state == "unchanged"
        assert engine.documents().total == 4


def test_a_path_that_leads_nowhere_is_refused() -> None:
    with open_engine(MEMORY) as engine, pytest.raises(InvalidRequest, match="no such file or folder"):
        engine.ingest(Path("/nowhere/at/all"))


def test_completion_finds_the_types_and_importing_loads_no_llama_index() -> None:
    program = """
import sys
import pipelines
from pipelines import Answer, DocumentInput
assert {"open_engine", "Answer", "SearchResult"} <= set(dir(pipelines))
assert not [name for name in sys.modules if name.startswith(("llama_index", "pipelines.engine", "pandas"))]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
