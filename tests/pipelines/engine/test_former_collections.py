"""Collections of a Qdrant server that another embedding model replaced are removed, and nobody else's."""

from __future__ import annotations

from pathlib import Path

from qdrant_client import models

from pipelines.engine import open_engine
from pipelines.engine.parts.store_names import former_collections
from pipelines.profile.loader import load_profile
from pipelines.types import DocumentInput
from tests.fakes.qdrant_over_http import Served, serving

PROFILE = """
tenant: kennel
store: {{engine: server, url: "{url}"}}
embedding: {{quantize: {quantize}, threads: 1}}
"""
OTHERS = {"footnote_kennel-club", "footnote_kennelx", "kennel", "footnote_kennel-1-of-many"}


def names(served: Served) -> set[str]:
    return {one.name for one in served.memory.get_collections().collections}


def test_leftovers_of_a_reembedding_are_removed_by_the_next_purge_or_start(tmp_path: Path) -> None:
    served = Served()
    for name in OTHERS:
        served.memory.create_collection(name, vectors_config=models.VectorParams(size=4, distance=models.Distance.DOT))

    with serving(served=served) as url:
        profile = tmp_path / "kennel.yaml"
        profile.write_text(PROFILE.format(url=url, quantize="int8"), encoding="utf-8")
        with open_engine(profile, tmp_path / "data") as engine:
            engine.ingest([DocumentInput("Beagles howl at the moon.", "beagle"), DocumentInput("Cats.", "cat")])
        profile.write_text(PROFILE.format(url=url, quantize="none"), encoding="utf-8")
        with open_engine(profile, tmp_path / "data") as engine:
            engine.reembed()
            assert len(names(served) - OTHERS) == 2  # readers may be at work in the former one
        with open_engine(profile, tmp_path / "data") as engine:
            (current,) = names(served) - OTHERS
            assert current.startswith("footnote_kennel-1-")
            assert engine.search("moon").hits[0].document_id == "beagle"
            served.memory.create_collection(
                "footnote_kennel", vectors_config=models.VectorParams(size=4, distance=models.Distance.DOT)
            )
            engine.delete("cat", purge=True)
            assert names(served) == OTHERS | {current}


def test_only_earlier_generations_of_the_same_tenant_count(tmp_path: Path) -> None:
    profile = load_profile({"tenant": "kennel", "store": {"engine": "server", "url": "http://127.0.0.1:6333"}}).profile
    mine = ["footnote_kennel", "footnote_kennel-1-0123abcd", "footnote_kennel-2-0123abcd", "footnote_kennel-3-0123abcd"]
    assert former_collections(profile, 2, [*mine, *OTHERS]) == mine[:2]
    assert former_collections(profile, 0, [*mine, *OTHERS]) == []
