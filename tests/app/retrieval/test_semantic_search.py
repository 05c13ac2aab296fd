"""Searches in Python, over a profile that the environment names."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.retrieval import SearchResult, library, semantic_search
from pipelines.errors import InvalidFilter, ProfileError
from tests.app.contracts.openpharma.library import SAMPLE

PROFILE = """
tenant: papers
knowledge: {path: knowledge, sync: startup}
metadata:
  fields:
    journal: {type: keyword}
    section: {type: keywords, source: headings}
chunking: {splitter: markdown, size: 64, overlap: 16}
"""


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "sample.nxml").write_text(SAMPLE, encoding="utf-8")
    (tmp_path / "profile.yaml").write_text(PROFILE)
    monkeypatch.setenv("FOOTNOTE_PROFILE", str(tmp_path))
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    yield tmp_path
    library.close()


@pytest.mark.usefixtures("papers")
def test_chunks_come_with_the_published_fields() -> None:
    [result] = semantic_search("cardiovascular death", filters={"section": "Results", "journal": "Samples for Tests"})
    assert isinstance(result, SearchResult)
    assert (result.section, result.source_id, result.doi) == ("2. Results", "99999999", "10.5555/sample.1")
    assert 0 < result.similarity_score <= 1
    assert result.document_id == "sample.nxml"


@pytest.mark.usefixtures("papers")
def test_top_k_bounds_the_list_which_falls() -> None:
    scores = [result.similarity_score for result in semantic_search("SGLT2 inhibitors", top_k=2)]
    assert len(scores) == 2
    assert scores == sorted(scores, reverse=True)


@pytest.mark.usefixtures("papers")
def test_a_filter_that_the_profile_does_not_know_is_refused() -> None:
    with pytest.raises(InvalidFilter, match='did you mean "journal"'):
        semantic_search("x", filters={"jornal": "y"})


@pytest.mark.usefixtures("papers")
def test_threads_open_the_tenant_once() -> None:
    found = []
    threads = [threading.Thread(target=lambda: found.append(library.library())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1


def test_another_profile_is_another_tenant(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = library.library()
    (papers / "other.yaml").write_text("tenant: other")
    monkeypatch.setenv("FOOTNOTE_PROFILE", str(papers / "other.yaml"))
    assert library.library() is not first
    assert semantic_search("anything") == []


def test_a_missing_profile_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_PROFILE", "openfarma")
    with pytest.raises(ProfileError, match='did you mean "openpharma"'):
        library.library()
