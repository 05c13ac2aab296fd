"""Footnote on real Qdrant servers: `QDRANT_URL=http://127.0.0.1:6333 pytest -m qdrant_server`.

QDRANT_CLUSTER_URLS names a cluster's nodes. QDRANT_KILL_COMMAND is run with the address of a node as its last argument,
to kill it, and QDRANT_START_COMMAND to start it again; a node is killed only where both are there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from llama_index.core.schema import TextNode
from qdrant_client import models

from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.chunk_store import build_vector_store
from pipelines.components.store.edge.sparse_files import copy_with_holes
from pipelines.components.store.server import server_client
from pipelines.engine import Engine, move, open_engine
from pipelines.errors import PartTimeout, Unavailable
from pipelines.profile.loader import load_profile
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.profile.sections.storage import ServerStore
from pipelines.types import DocumentInput
from tests.congruence.backends import catalogue_of
from tests.congruence.wholeness import problems_of
from tests.fakes.on_server import VARIABLE
from tests.fakes.qdrant_servers import (
    PATIENCE_S,
    REAL,
    SHARDED,
    STAND_INS,
    cluster_urls,
    dead_node,
    for_a_file,
    qdrant_server,
    require_commands,
    with_port,
)

ROOT = Path(__file__).resolve().parents[2]
SUITES = {
    "the native API": ["tests/app/native"],
    "tenants": [
        "tests/pipelines/engine",
        "--ignore=tests/pipelines/engine/test_moving.py",
        "--ignore=tests/pipelines/engine/test_former_collections.py",
        "--ignore=tests/pipelines/engine/test_moved_clock.py",  # gRPC counts its deadlines by the clock that it moves
        # these open one tenant in two places, which would be one collection
        *(
            f"--deselect=tests/pipelines/engine/{test}"
            for test in (
                "test_engine_late_interaction.py::test_enabled_later_it_is_skipped_by_name_until_reembedding",
                "test_engine_rerank.py::test_a_boosted_value_comes_first_and_the_scores_still_fall",
                "test_engine_rerank.py::test_the_stages_can_be_had_as_postprocessors",
                "test_engine_versions.py::test_bm25_finds_the_same_in_a_store_that_was_built_beside_as_in_a_fresh_one",
            )
        ),
    ],
    "crashes": ["tests/e2e/test_crash.py"],
    "torn readers": ["tests/e2e/test_torn.py"],
}
"""Without the tests marked `embedded`."""
RANKED = {"the native API", "tenants"}
"""These compare ranks of tenants and of searches: on a cluster they get one shard, which weighs all words alike."""


def run_on(section: dict[str, Any], *tests: str) -> None:
    environment = {**os.environ, VARIABLE: json.dumps(section)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.fakes.on_server", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]


def test_a_suite_runs_on_the_server_that_the_environment_names() -> None:
    with qdrant_server("server's gRPC") as section:
        run_on(section, "tests/app/native/test_native_versions.py")


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("server", REAL)
def test_the_embedded_suite_passes_on_a_server(server: str, suite: str) -> None:
    with qdrant_server(server) as section:
        one_shard = {"shards": 1, "replicas": 3} if server in SHARDED and suite in RANKED else {}
        run_on({**section, **one_shard}, *SUITES[suite])


# ---------------------------------------------------------------------------------------------------------------------
# Snapshots, and nodes that die

PROFILE = "tenant: kennel\nmetadata: {{fields: {{name: {{type: keyword}}}}}}\nstore: {store}\n"
NAMES = [f"dog-{number}" for number in range(24)]


def offers(edition: int) -> list[DocumentInput]:
    return [DocumentInput(f"{name} howls in edition {edition}.", name, metadata={"name": name}) for name in NAMES]


@contextmanager
def kennel(server: str, folder: Path, **more: Any) -> Iterator[tuple[ServerStore, Callable[[], Engine]]]:
    """A tenant's store, which is removed at the end, and what opens the tenant."""
    with qdrant_server(server) as named:
        section = {**named, "collection": f"footnote_test_{uuid.uuid4().hex}", "timeout_s": PATIENCE_S, **more}
        profile = folder / "kennel.yaml"
        profile.write_text(PROFILE.format(store=json.dumps(for_a_file(section))), encoding="utf-8")
        store = ServerStore(**section)
        try:
            yield store, lambda: open_engine(profile, folder / "data")
        finally:
            client = server_client(store)
            for name in collections(store):
                client.delete_collection(name)
            client.close()


def put_back(store: ServerStore, collection: str, snapshot: str) -> None:
    """Fetch a snapshot and send it back: the server may know itself by another address than ours."""
    key = store.api_key.get_secret_value()
    headers = {"api-key": key} if key else {}
    with httpx.Client(base_url=with_port(store.url), headers=headers, timeout=PATIENCE_S, trust_env=False) as http:
        kept = http.get(f"/collections/{collection}/snapshots/{snapshot}")
        kept.raise_for_status()
        place = f"/collections/{collection}/snapshots/upload"
        http.post(place, params={"priority": "snapshot"}, files={"snapshot": kept.content}).raise_for_status()


@pytest.mark.parametrize("server", [*STAND_INS, *REAL])
def test_what_one_client_has_written_or_cleared_every_other_sees_at_once(server: str, tmp_path: Path) -> None:
    """On a cluster each client has a node of its own."""
    with kennel(server, tmp_path) as (section, _), ExitStack() as opened:
        urls = cluster_urls() if server == "cluster" else [section.url] * 2
        stores = [
            build_vector_store(
                section.model_copy(update={"url": url}),
                folder=tmp_path,
                collection=str(section.collection),
                dimensions=2,
                fields={"name": MetadataField(type="keyword")},
                encoder=Bm25Encoder(SparseSection()),
            )
            for url in urls
        ]
        for store in stores:
            opened.callback(store.close)
        for turn in range(6):
            writer = stores[turn % len(stores)]
            writer.add([TextNode(text=f"howl {n}", embedding=[1.0, n], metadata={"n": turn}) for n in range(20)])
            assert [store.count() for store in stores] == [20] * len(stores)
            writer.set_fields({"valid_to": turn}, models.Filter())
            ended = models.Filter(must=[models.FieldCondition(key="valid_to", range=models.Range(gte=turn))])
            assert [store.count(ended) for store in stores] == [20] * len(stores)
            writer.clear()
            assert [store.count() for store in stores] == [0] * len(stores)
            assert [store.missing_indexes() for store in stores] == [[]] * len(stores)


@pytest.mark.parametrize("server", [STAND_INS[0], REAL[0]])
def test_a_snapshot_and_the_catalogue_of_its_time_go_back_together(server: str, tmp_path: Path) -> None:
    with kennel(server, tmp_path) as (store, opened):
        name, client = str(store.collection), server_client(store)
        with opened() as engine:
            engine.ingest(offers(1))
        snapshot = client.create_snapshot(name)
        assert snapshot is not None
        shutil.copytree(tmp_path / "data", tmp_path / "kept", copy_function=copy_with_holes)
        with opened() as engine:
            engine.ingest(offers(2))
        put_back(store, name, snapshot.name)
        client.close()
        shutil.rmtree(tmp_path / "data")
        (tmp_path / "kept").rename(tmp_path / "data")
        with opened() as engine:
            assert problems_of(engine) == []
            assert {hit.version for hit in engine.search("howls", top_k=24).hits} == {1}


def collections(store: ServerStore) -> list[str]:
    """The store's collections, of all generations."""
    client = server_client(store)
    names = [one.name for one in client.get_collections().collections]
    client.close()
    return [name for name in names if name.startswith(str(store.collection))]


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.parametrize("server", [*STAND_INS, *REAL])
def test_a_tenant_moves_to_a_server_is_embedded_again_there_and_moves_back(server: str, tmp_path: Path) -> None:
    data, home, away = tmp_path / "data", tmp_path / "home.yaml", tmp_path / "kennel.yaml"
    home.write_text(PROFILE.format(store="{engine: edge}"), encoding="utf-8")
    with open_engine(home, data) as engine:
        engine.ingest(offers(1))
        engine.ingest(offers(2))
    with kennel(server, tmp_path) as (store, opened), catalogue_of("postgres") as catalogue:
        away.write_text(away.read_text(encoding="utf-8") + catalogue, encoding="utf-8")
        move(load_profile(home), load_profile(away), data)
        with opened() as engine:
            assert problems_of(engine) == []
            assert {hit.version for hit in engine.search("howls", as_of=1, top_k=24).hits} == {1}
        away.write_text(away.read_text(encoding="utf-8") + "embedding: {quantize: none}\n", encoding="utf-8")
        with opened() as engine:
            engine.reembed()
            assert problems_of(engine) == []
        with opened() as engine:  # which removes the collection of before
            engine.ingest(offers(3))
        assert len(collections(store)) == 1
        move(load_profile(away), load_profile("embedded"), data, replace_documents=True)
    home.write_text(home.read_text(encoding="utf-8") + "embedding: {quantize: none}\n", encoding="utf-8")
    with open_engine(home, data) as engine:
        assert problems_of(engine) == []
        assert {hit.version for hit in engine.search("howls", top_k=24).hits} == {3}


def until_it_succeeds(work: Callable[[], Any], seconds: float = 180.0) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            work()
            return
        except (Unavailable, PartTimeout):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


def ingest_all(engine: Engine, edition: int) -> None:
    for result in engine.ingest(offers(edition)):
        if result.state == "failed":
            raise Unavailable(result.document_id, str(result.reason))


@pytest.mark.qdrant_server
@pytest.mark.slow
def test_a_node_killed_under_load_loses_and_tears_nothing(tmp_path: Path) -> None:
    urls = cluster_urls()
    require_commands()
    wrong: list[str] = []
    answered = 0
    over = threading.Event()

    def read(engine: Engine) -> None:
        nonlocal answered
        while not over.is_set():
            for name in NAMES:
                try:
                    hits = engine.search("howls", filters={"name": name}).hits
                except (Unavailable, PartTimeout):
                    continue
                answered += 1
                if len(hits) != 1:
                    wrong.append(f"{name}: {[(hit.document_id, hit.version) for hit in hits]}")

    with kennel("cluster", tmp_path) as (_, opened), opened() as engine:
        ingest_all(engine, 1)
        reader = threading.Thread(target=read, args=(engine,))
        reader.start()
        try:
            until_it_succeeds(lambda: ingest_all(engine, 2))
            with dead_node(urls[-1]):
                before = answered
                until_it_succeeds(lambda: ingest_all(engine, 3))
                until_it_succeeds(lambda: ingest_all(engine, 4))
                assert answered > before
                over.set()
                reader.join()
        finally:
            over.set()
            reader.join()
        assert wrong == []
        assert problems_of(engine) == []
        assert {engine.content(name).split()[-1] for name in NAMES} == {"4."}
