"""What a scope holds does not show in how another scope's documents are taken in."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines import Engine, open_engine
from pipelines.events import CacheAsked
from pipelines.types import DocumentInput

HIERARCHY = """
metadata:
  fields:
    level: {type: keyword, values: [platform, suite], required: true}
    suite: {type: keyword}
  hierarchy: {level: level, path: [suite]}
"""
SECRET = "The merger with Initech will be announced on Friday."


def open_tenant(folder: Path, more: str, asked: list[CacheAsked]) -> Engine:
    (folder / "acme.yaml").write_text(f"tenant: acme\n{more}")

    def observe(event: object) -> None:
        if isinstance(event, CacheAsked) and event.cache == "embedding":
            asked.append(event)

    return open_engine(folder / "acme.yaml", folder / "data", observe)


def offered(name: str, **metadata: str) -> DocumentInput:
    return DocumentInput(SECRET.encode(), document_id=name, metadata=metadata, media_type="text/plain")


def test_the_embedding_cache_reveals_no_documents_of_a_sibling(tmp_path: Path) -> None:
    asked: list[CacheAsked] = []
    with open_tenant(tmp_path, HIERARCHY, asked) as engine:
        engine.ingest([offered("fed", level="suite", suite="fed")])
        corp = engine.within({"suite": "corp"})
        corp.ingest([offered("corp", level="suite", suite="corp")])
        assert [(event.hits, event.misses) for event in asked] == [(0, 1), (0, 1)]
        assert corp.delete("corp").cache_entries_removed == 1
        assert engine.delete("fed", purge=True).cache_entries_removed == 1


@pytest.mark.parametrize("more", ["", HIERARCHY])
def test_a_documents_own_texts_are_not_embedded_again(tmp_path: Path, more: str) -> None:
    asked: list[CacheAsked] = []
    metadata = {"level": "platform"} if more else {}
    with open_tenant(tmp_path, more, asked) as engine:
        engine.ingest([offered("a", **metadata)])
        engine.ingest([offered("a", **metadata, note="another")])
        assert [(event.hits, event.misses) for event in asked] == [(0, 1), (1, 0)]


def test_documents_share_embeddings_where_no_scope_is_kept_apart(tmp_path: Path) -> None:
    asked: list[CacheAsked] = []
    with open_tenant(tmp_path, "", asked) as engine:
        engine.ingest([offered("a")])
        engine.ingest([offered("b")])
        assert [(event.hits, event.misses) for event in asked] == [(0, 1), (1, 0)]
