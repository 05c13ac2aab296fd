"""In strict mode a server refuses filters that no index answers: everything that an engine does must pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.components.store.payload_indexes import OWN_INDEXES, SERVER_INDEXES
from pipelines.engine import Engine, open_engine
from pipelines.filters.sections import stored_at
from pipelines.ingestion.visibility import chunks_of, unended
from pipelines.profile.loader import load_profile
from pipelines.profile.sections.documents import BUILT_IN
from pipelines.types import DocumentInput, Query
from tests.congruence.wholeness import problems_of
from tests.fakes.qdrant_over_http import Served, serving
from tests.fakes.qdrant_refusals import Refused, filtered_keys
from tests.pipelines.engine.test_front_pages_of_folders import CHAPTERS, FRONT
from tests.pipelines.engine.test_section_footnotes import ASKED_FOR, OTHERS

PROFILE = """
tenant: manual
knowledge: {{path: knowledge}}
metadata:
  fields:
    source: {{type: keyword}}
    level: {{type: keyword, values: [all, suite], required: true}}
    suite: {{type: keyword}}
    tags: {{type: keywords}}
    year: {{type: integer}}
    price: {{type: float}}
    public: {{type: boolean}}
    published: {{type: datetime}}
    headings: {{type: keywords, source: headings}}
  hierarchy: {{level: level, path: [suite], weights: {{suite: 2}}}}
chunking: {{splitter: markdown, size: 48, overlap: 0}}
embedding: {{quantize: int8, threads: 1}}
answer: {{abstain_below: 0, sentences: 1}}
store: {store}
"""
GIVEN: dict[str, Any] = {
    "source": "Ebb", "level": "all", "tags": ["tape", "disk"], "year": 2024, "price": 1.5, "public": True,
    "published": "2024-05-01",
}  # fmt: skip
OLD = f"# npm settings\n\n{OTHERS}{ASKED_FOR}"


class Strict(Served):
    """Records the keys of all filters, and what was refused: a job or a repair might hide it."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: set[str] = set()
        self.refused: list[str] = []

    def answer(self, command: str, name: str | None, rest: str | None, body: Any) -> Any:
        try:
            found = super().answer(command, name, rest, body)
        except Refused as error:
            self.refused.append(str(error))
            raise
        if name is not None and body is not None and self.strict[name].enabled:
            self.keys |= filtered_keys(body)
        return found


@pytest.fixture
def served() -> Iterator[tuple[Strict, str]]:
    served = Strict()
    with serving(served=served) as url:
        yield served, url


def profile_in(folder: Path, store: str) -> Path:
    (folder / "knowledge").mkdir()
    profile = folder / "manual.yaml"
    profile.write_text(PROFILE.format(store=store), encoding="utf-8")
    return profile


def fill(engine: Engine) -> None:
    texts = {**CHAPTERS, "index.md": FRONT, "npm": OLD}
    given = [DocumentInput(text, name, media_type="text/markdown", metadata=GIVEN) for name, text in texts.items()]
    placed = {"level": "suite", "suite": "tapes", "source": "Ebb"}
    given.append(DocumentInput("Ebb turns tapes at noon.", "turning", metadata=placed))
    assert {result.state for result in engine.ingest(given)} == {"ready"}
    engine.ingest([DocumentInput("Ebb turns tapes at night.", "turning", metadata=placed)])


def read(engine: Engine) -> None:
    every = {
        "and": [
            *({name: GIVEN[name]} for name in ("source", "year", "price", "public", "published")),
            {"or": [{name: {"exists": True}} for name in BUILT_IN]},
            {"tags": {"contains": "tape"}},
            {"headings": {"contains": "welcome to ebb"}},
        ]
    }
    assert engine.search("What does Ebb copy?", filters=every).hits
    assert engine.search("tapes", as_of=1, mode="sparse", scope={"suite": "tapes"}).hits
    assert engine.retriever(Query("tapes", filters=every)).retrieve("tapes")
    assert engine.answer("What is Ebb?").citations[0].source == "index.md"
    assert engine.answer("What does fetch-retries set?", top_k=1).citations[0].quote.startswith("The value is 2")
    assert engine.explain("What is Ebb?", document_id="index.md", filters=every)
    assert engine.documents(filters={"year": 2024})
    assert engine.facets(filters={"suite": "tapes"})
    assert engine.chunks("turning", version=1)
    assert engine.stats()


def change(engine: Engine) -> None:
    folder = engine.knowledge_folder
    assert folder is not None
    for text in ("Ebb rests.", "Ebb rests on Sundays."):
        (folder / "rest.md").write_text(f"---\nlevel: all\n---\n{text}\n", encoding="utf-8")
        engine.sync()
    (folder / "rest.md").unlink()
    engine.sync(allow_empty=True)
    engine.delete("chapters/keys.md")
    engine.delete("chapters/logs.md", purge=True)
    engine.vector_store.remove(chunks_of(["chapters/tapes.md"]))
    engine.vector_store.set_fields({"valid_to": 1}, chunks_of(["chapters/pools.md"], unended()))
    assert not engine.doctor().healthy
    assert {finding.repaired for finding in engine.doctor(repair=True).findings} == {True}
    for work in (engine.purge, engine.compact, engine.reembed, engine.rebuild):
        work()


def test_no_filter_of_an_engine_is_refused_in_strict_mode(served: tuple[Strict, str], tmp_path: Path) -> None:
    server, url = served
    profile = profile_in(tmp_path, f"{{engine: server, url: '{url}', strict_mode: true}}")
    with open_engine(profile, tmp_path / "data") as engine:
        fill(engine)
        read(engine)
        change(engine)
        read(engine)
        assert problems_of(engine) == []
    assert server.refused == []
    indexed = {stored_at(name, field) for name, field in load_profile(profile).profile.metadata.filterable.items()}
    assert (
        server.keys == indexed | OWN_INDEXES.keys() | SERVER_INDEXES.keys()
    )  # what no filter names was not tried, or needs no index


def test_a_collection_that_lacks_an_index_gets_it_on_opening(served: tuple[Strict, str], tmp_path: Path) -> None:
    server, url = served
    profile = profile_in(tmp_path, f"{{engine: server, url: '{url}', strict_mode: true}}")
    with open_engine(profile, tmp_path / "data") as engine:
        fill(engine)
    (indexes,) = server.indexes.values()
    for key in ("start", "end", "facts.source"):
        del indexes[key]
    with open_engine(profile, tmp_path / "data") as engine:
        read(engine)
    assert server.refused == []
