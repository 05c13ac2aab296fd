"""A tenant moves from its data folder to servers and back, with all that it holds; what fails leaves it as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.catalogue import Catalogue
from pipelines.catalogue.tables import Base
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.engine import Engine, move, moving, open_engine
from pipelines.engine.restoring import TenantNotEmpty
from pipelines.errors import DataFolderHeld, DocumentNotFound, InvalidRequest
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.types import DocumentInput
from tests.congruence.postgres import postgres_catalogue
from tests.fakes.ollama import ollama_server
from tests.fakes.qdrant_over_http import Served, serving
from tests.pipelines.reading.picture_files import image, word_file

pytestmark = pytest.mark.postgres
PROFILE = """
tenant: kennel
metadata: {fields: {sofa: {type: integer}}}
chunking: {size: 32, overlap: 0}
embedding: {quantize: int8, threads: 1}
"""
SERVERS = """
store: {{engine: server, url: "{qdrant}", strict_mode: true}}
catalogue: {{url: "${{MOVE_DATABASE}}"}}
"""
SEES = 'llm: {{provider: ollama, model: sees, base_url: "{url}"}}\n'
QUESTIONS = ("How long do beagles run?", "Who sleeps on sofa 3?", "moon")


@pytest.fixture
def here(tmp_path: Path) -> LoadedProfile:
    file = tmp_path / "kennel.yaml"
    file.write_text(PROFILE, encoding="utf-8")
    return load_profile(file)


@pytest.fixture
def qdrant() -> Served:
    return Served()


@pytest.fixture
def servers(tmp_path: Path, qdrant: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoadedProfile]:
    """A base that names the servers, and no tenant."""
    with postgres_catalogue() as database, serving(served=qdrant) as url:
        monkeypatch.setenv("MOVE_DATABASE", database)
        (tmp_path / "servers.yaml").write_text(SERVERS.format(qdrant=url), encoding="utf-8")
        yield load_profile(tmp_path / "servers.yaml")


@pytest.fixture
def there(servers: LoadedProfile, here: LoadedProfile, tmp_path: Path) -> LoadedProfile:
    """The tenant's profile on the servers."""
    file = tmp_path / "kennel-there.yaml"
    file.write_text(f"extends: servers.yaml\n{PROFILE}", encoding="utf-8")
    return load_profile(file)


@pytest.fixture
def data(tmp_path: Path, here: LoadedProfile) -> Path:
    """The data folder of a tenant with history, a deleted and a purged document, a conversation, a key and a log."""
    with open_engine(here, tmp_path / "data") as engine:
        engine.ingest([note(number, "Beagles run for an hour.") for number in range(12)])
        engine.ingest([note(0, "Beagles run for two hours.")])
        engine.delete("dog-10")
        engine.delete("dog-11", purge=True)
        answer = engine.answer("How long do beagles run?", conversation_id="mine")
        engine.feedback(answer.answer_id, helpful=True, comment="thanks")
        engine.keys.create("phone", "reader")
        engine.audit.add("delete_document", ["dog-10"], "ok")
    return tmp_path / "data"


def note(number: int, text: str) -> DocumentInput:
    content = f"{text} Dog {number} sleeps on sofa {number} and howls at the moon."
    return DocumentInput(content, f"dog-{number}", metadata={"sofa": number})


def seen(engine: Engine) -> object:
    """What readers and admins get."""
    documents = engine.documents(limit=100).documents
    found = [[(hit.chunk_id, hit.content) for hit in engine.search(text).hits] for text in QUESTIONS]
    filtered = [hit.document_id for hit in engine.search("moon", filters={"sofa": {"lt": 3}}).hits]
    past = engine.content("dog-0", version=1), engine.content("dog-10", as_of=1)
    turns = [(turn.question, turn.text) for turn in engine.conversations.conversation("mine").turns]
    keys = [(key.name, key.role) for key in engine.keys.list()]
    audit = [(entry.action, entry.target) for entry in engine.audit.list().entries]
    receipt = engine.delete("dog-11", purge=True)
    return documents, found, filtered, past, turns, keys, audit, receipt, engine.stats().documents


def rows(url: str) -> dict[str, int]:
    """Rows of every table of the catalogue."""
    database = sa.create_engine(url)
    with database.connect() as connection:
        tables = Base.metadata.sorted_tables
        counts = {t.name: connection.scalar(sa.select(sa.func.count()).select_from(t)) or 0 for t in tables}
    database.dispose()
    return counts


def test_a_tenant_moves_to_servers_and_back_with_all_that_it_holds(
    here: LoadedProfile, servers: LoadedProfile, there: LoadedProfile, data: Path
) -> None:
    with open_engine(here, data) as engine:
        before, held = seen(engine), rows(f"sqlite:///{data / 'kennel' / 'catalogue.sqlite'}")
    moved = move(here, servers, data)
    assert (moved.texts, moved.chunks, moved.probes) == (12, 12, 10)
    assert there.profile.catalogue.url is not None
    assert rows(there.profile.catalogue.url.get_secret_value()) == held
    with open_engine(there, data) as engine:
        assert seen(engine) == before
        assert engine.doctor().findings == ()
        assert engine.ingest([note(0, "Beagles swim.")])[0].version == 3
        engine.delete("dog-1", purge=True)
    with pytest.raises(TenantNotEmpty, match="10 documents"):
        move(there, load_profile("embedded"), data)
    move(there, load_profile("embedded"), data, replace_documents=True)
    with open_engine(here, data) as engine:
        assert "swim" in engine.search("Do beagles swim?").hits[0].content
        with pytest.raises(DocumentNotFound):
            engine.document("dog-1")
        assert engine.doctor().findings == ()
        assert engine.ingest([note(20, "Cats sleep.")])[0].version == 1
    assert sorted(path.name for path in data.iterdir()) == ["kennel"]
    assert (data / "kennel").stat().st_mode & 0o077 == 0


def test_keys_that_are_there_are_not_replaced_unasked(
    here: LoadedProfile, servers: LoadedProfile, there: LoadedProfile, data: Path
) -> None:
    with open_engine(there, data) as engine:
        engine.keys.create("tablet", "reader")
    with pytest.raises(TenantNotEmpty, match="kennel holds 1 key;"):
        move(here, servers, data)
    assert move(here, servers, data, replace_documents=True).chunks == 12


def test_pictures_and_their_descriptions_move_and_come_back(
    here: LoadedProfile, servers: LoadedProfile, tmp_path: Path
) -> None:
    with ollama_server(lambda asked: "A brass valve beside a gauge") as fake:
        described = f"{PROFILE}pictures: {{keep: true, describe: llm}}\n{SEES.format(url=fake.url)}"
        (tmp_path / "kennel.yaml").write_text(described, encoding="utf-8")
        (tmp_path / "kennel-there.yaml").write_text(f"extends: servers.yaml\n{described}", encoding="utf-8")
        here, there = load_profile(tmp_path / "kennel.yaml"), load_profile(tmp_path / "kennel-there.yaml")
        offered = [pictured("navy"), pictured("red")]
        with open_engine(here, tmp_path / "data") as engine:
            engine.ingest(offered[:1])
            engine.ingest(offered[1:])
            before = shown(engine)
        move(here, servers, tmp_path / "data")
        with open_engine(there, tmp_path / "data") as engine:
            assert shown(engine) == before
            assert engine.ingest(offered[1:])[0].state == "unchanged"
            assert engine.doctor().findings == ()
        move(there, load_profile("embedded"), tmp_path / "data", replace_documents=True)
        with open_engine(here, tmp_path / "data") as engine:
            assert shown(engine) == before
            engine.delete("manual", purge=True)
            with pytest.raises(DocumentNotFound):
                engine.picture("manual", 1)
        assert len(fake.asked) == 2


@cache  # an archive holds the time when it was made
def pictured(colour: str) -> DocumentInput:
    return DocumentInput(word_file(["The pump.", (image(colour), "Wiring")]), "manual", source="manual.docx")


def shown(engine: Engine) -> object:
    """What readers see of the pictures of the one document."""
    (hit, *_) = engine.search("brass valve beside a gauge").hits
    assert [one.described_by for one in hit.pictures] == ["sees"]
    return hit.pictures, engine.content("manual"), [engine.picture("manual", 1, version=one) for one in (1, 2)]


def test_a_move_that_is_killed_leaves_nothing_that_is_served_and_can_be_repeated(
    here: LoadedProfile, servers: LoadedProfile, there: LoadedProfile, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(moving, "copy_rows", _killed)
        with pytest.raises(KeyboardInterrupt):
            move(here, servers, data)
    assert there.profile.catalogue.url is not None
    assert set(rows(there.profile.catalogue.url.get_secret_value()).values()) == {0}
    assert move(here, servers, data).chunks == 12


def _killed(*_: object) -> int:
    raise KeyboardInterrupt


def test_a_move_to_several_shards_is_verified_though_each_weighs_words_by_its_own(
    here: LoadedProfile, servers: LoadedProfile, data: Path, qdrant: Served
) -> None:
    store = servers.profile.store.model_copy(update={"shards": 3})
    sharded = replace(servers, profile=servers.profile.model_copy(update={"store": store}))
    assert move(here, sharded, data).chunks == 12
    assert qdrant.params["footnote_kennel"]["shard_number"] == 3

    def other_words(self: ChunkStore, chunk_ids: Sequence[str]) -> dict[str, dict[int, float]]:
        return {} if self.shards > 1 else words(self, chunk_ids)

    words = ChunkStore.words
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ChunkStore, "words", other_words)
        with pytest.raises(InvalidRequest, match="the weights of words"):
            move(here, sharded, data, replace_documents=True)


def test_a_copy_that_lost_a_chunk_does_not_count(
    here: LoadedProfile, servers: LoadedProfile, there: LoadedProfile, data: Path, qdrant: Served
) -> None:
    def lossy(source: sa.Engine, target: sa.Engine, *rest: object) -> int:
        lost = qdrant.memory.scroll("footnote_kennel", limit=1)[0][0].id
        qdrant.memory.delete("footnote_kennel", [lost])
        return copied(source, target, *rest)  # type: ignore[arg-type]

    copied = moving.copy_rows
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moving, "copy_rows", lossy)
        with pytest.raises(InvalidRequest, match=r"chunks \(11 of 12"):
            move(here, servers, data)
    assert there.profile.catalogue.url is not None
    catalogue = Catalogue.open(there.profile.catalogue.url.get_secret_value(), "kennel")
    assert catalogue.totals().documents == 0
    catalogue.close()


def test_an_impossible_move_is_refused(here: LoadedProfile, data: Path, servers: LoadedProfile) -> None:
    with pytest.raises(InvalidRequest, match="a move goes from"):
        move(here, load_profile("embedded"), data)
    with open_engine(here, data), pytest.raises(DataFolderHeld):
        move(here, servers, data)
