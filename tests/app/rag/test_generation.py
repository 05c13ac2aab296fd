"""The published usage example, as it stands in the document, in a process of its own; and answers in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.rag import answer_query
from app.retrieval import library, semantic_search
from pipelines.errors import InvalidRequest

ROOT = Path(__file__).parents[3]
EXAMPLE = """
from app.rag import answer_query

# Ask a question
result = answer_query(
    "What are GLP-1 agonists used for in diabetes treatment?",
    top_k=10,
    llm_provider="ollama"
)

# Print answer
print(result.answer)

# Print citations
for citation in result.citations:
    print(f"[{citation.number}] {citation.title} (PMC{citation.source_id})")
"""


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The shipped papers in a data folder of their own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("FOOTNOTE_PROFILE", raising=False)
        patched.setenv("FOOTNOTE_DATA", str(tmp_path_factory.mktemp("data")))
        patched.setenv("OLLAMA_URL", "http://127.0.0.1:9")
        yield
        library.close()


def test_the_published_example_runs_as_it_stands(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OLLAMA_URL": "http://127.0.0.1:9"}
    environment.pop("FOOTNOTE_PROFILE", None)
    environment.pop("FOOTNOTE_DATA", None)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EXAMPLE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer, *citations = done.stdout.splitlines()
    assert "obesity" in answer
    assert citations[0].startswith('[1] Footnote 2026, "')
    assert citations[0].endswith(")")
    assert (tmp_path / ".footnote" / "openpharma").is_dir()


@pytest.mark.usefixtures("papers")
def test_an_answer_has_the_published_fields() -> None:
    result = answer_query("What are the side effects of metformin?", top_k=3)
    assert "nausea" in result.answer
    assert result.query == "What are the side effects of metformin?"
    assert len(result.chunks_used) == 3
    assert (result.llm_provider, result.model) == ("ollama", "extractive")
    assert result.generation_time_ms >= 0
    citation = result.citations[0]
    assert (citation.number, citation.source_id, citation.authors) == (1, "FN0001", ["Footnote"])
    assert citation.chunk_id in {chunk.chunk_id for chunk in result.chunks_used}


@pytest.mark.usefixtures("papers")
def test_a_conversation_can_be_continued() -> None:
    first = answer_query("What is metformin?")
    second = answer_query("What about side effects?", conversation_id=first.conversation_id)
    assert second.conversation_id == first.conversation_id
    assert second.chunks_used[0].source_id == "FN0001"


@pytest.mark.usefixtures("papers")
def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(InvalidRequest, match='did you mean "ollama"'):
        answer_query("What is metformin?", llm_provider="olama")


@pytest.mark.usefixtures("papers")
def test_a_provider_that_is_not_text_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="llm_provider: must be text"):
        answer_query("What is metformin?", llm_provider=5)  # type: ignore[arg-type]


@pytest.mark.usefixtures("papers")
def test_an_invalid_query_is_reported_by_its_field_name() -> None:
    with pytest.raises(InvalidRequest, match=r"^query: has 4001 characters.*; top_k: 0 "):
        answer_query("x" * 4001, top_k=0)


@pytest.mark.usefixtures("papers")
def test_answers_and_searches_share_one_open_tenant() -> None:
    semantic_search("metformin", top_k=1)
    assert library.library() is library.library()
