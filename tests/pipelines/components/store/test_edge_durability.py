"""Who may hold an Edge folder, what outlives a kill, and what goes on while a collection is optimised."""

import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_points import make, number_is, numbers, point_id, points, run
from qdrant_client import models

from pipelines import open_engine
from pipelines.components.store.edge import collection as edge_collection
from pipelines.components.store.edge.client import EdgeClient
from pipelines.errors import DataFolderHeld, StoreUnavailable
from pipelines.types import DocumentInput


@pytest.fixture
def client(tmp_path: Path) -> Iterator[EdgeClient]:
    with EdgeClient(tmp_path / "vectors") as made:
        make(made)
        yield made


# ---------------------------------------------------------------------------------------------------------------------
# Holding the folder


def test_another_process_is_refused_the_folder_until_it_is_closed(tmp_path: Path) -> None:
    script = """
        try:
            EdgeClient(Path(sys.argv[1])).close()
        except DataFolderHeld as error:
            print("held:", error)
        else:
            print("free")
    """
    with EdgeClient(tmp_path):
        said = run(script, tmp_path).stdout
    assert said.startswith(f"held: another process, such as a server, holds the data folder {tmp_path}; ")
    assert "in Python data=..." in said
    assert run(script, tmp_path).stdout == "free\n"


def test_a_second_client_of_the_same_process_is_refused_too(tmp_path: Path) -> None:
    with EdgeClient(tmp_path), pytest.raises(DataFolderHeld):
        EdgeClient(tmp_path)


def test_a_folder_that_cannot_be_flushed_is_released_all_the_same(tmp_path: Path) -> None:
    client = EdgeClient(tmp_path)
    make(client)
    make(client, "other")
    client.upsert("c", points(0, 3))
    in_the_way = tmp_path / "c" / "collection.json.new"
    in_the_way.mkdir()
    with pytest.raises(StoreUnavailable):
        client.close()
    in_the_way.rmdir()
    with EdgeClient(tmp_path) as again:
        assert numbers(again) == [0, 1, 2]


def test_a_dead_process_holds_nothing(tmp_path: Path) -> None:
    dead = run("client = EdgeClient(Path(sys.argv[1])); make(client); os.kill(os.getpid(), signal.SIGKILL)", tmp_path)
    assert dead.returncode == -signal.SIGKILL
    with EdgeClient(tmp_path) as client:
        assert client.collection_exists("c")


def test_a_child_process_does_not_inherit_the_lock(tmp_path: Path) -> None:
    with EdgeClient(tmp_path):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        EdgeClient(tmp_path).close()
    finally:
        child.communicate(b"\n")


def test_a_closed_client_says_so(client: EdgeClient) -> None:
    client.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        client.count("c")


def test_an_unusable_folder_is_named_with_advice(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "vectors"):
        with pytest.raises(StoreUnavailable, match=rf"its folder {folder} cannot be used .*name another --data"):
            EdgeClient(folder)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"generation": 7}'])
def test_a_damaged_collection_says_so(tmp_path: Path, content: bytes) -> None:
    with EdgeClient(tmp_path) as client:
        make(client)
    (tmp_path / "c" / "collection.json").write_bytes(content)
    with EdgeClient(tmp_path) as client, pytest.raises(StoreUnavailable, match=r"collection\.json is damaged"):
        client.count("c")


def test_a_collection_without_its_files_says_so(tmp_path: Path) -> None:
    with EdgeClient(tmp_path) as client:
        make(client)
    (generation,) = (path for path in (tmp_path / "c").iterdir() if path.is_dir())
    shutil.rmtree(generation)
    with EdgeClient(tmp_path) as client, pytest.raises(StoreUnavailable, match="does not exist"):
        client.count("c")


# ---------------------------------------------------------------------------------------------------------------------
# Durability


def test_everything_survives_a_kill_without_a_flush(tmp_path: Path) -> None:
    script = """
        client = EdgeClient(Path(sys.argv[1]))
        make(client)
        client.upload_points("c", points(0, 3000))
        client.set_payload("c", {"stamp": 7}, points=number_is(5))
        client.delete("c", [point_id(number) for number in range(100, 200)])
        client.upsert("c", points(0, 1, replaced=True))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    assert run(script, tmp_path).returncode == -signal.SIGKILL
    with EdgeClient(tmp_path) as client:
        assert numbers(client) == [*range(100), *range(200, 3000)]
        assert client.retrieve("c", [point_id(5)])[0].payload == {"n": 5, "stamp": 7}
        assert client.retrieve("c", [point_id(0)])[0].payload == {"n": 0, "replaced": True}
        assert client.count("c", number_is(2999)).count == 1


def test_a_session_that_only_reads_writes_nothing(tmp_path: Path) -> None:
    profile = {"tenant": "pets"}
    with open_engine(profile, tmp_path) as engine:
        engine.ingest([DocumentInput("Cats sleep for most of the day.", document_id="cats")])
    [state] = tmp_path.rglob("collection.json")
    before = state.stat()
    with open_engine(profile, tmp_path) as engine:
        assert engine.answer("How long do cats sleep?").citations
    after = state.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def generations_after_opening(folder: Path) -> list[Path]:
    """The generations that the next opening leaves; the optimiser of a killed process may write for a while yet."""
    edge_collection.EdgeCollection.open(folder).close()
    return [path for path in folder.iterdir() if path.is_dir()]


@pytest.mark.parametrize("moment", range(6))
def test_a_kill_while_optimising_loses_nothing(tmp_path: Path, moment: int) -> None:
    script = """
        edge_collection._AT_ONCE = 0
        client = EdgeClient(Path(sys.argv[1]))
        make(client, optimizers_config=models.OptimizersConfigDiff(indexing_threshold=10))
        client.upload_points("c", points(0, 3000))
        threading.Timer(float(sys.argv[2]), os.kill, (os.getpid(), signal.SIGKILL)).start()
        threading.Thread(target=client.optimize, args=("c",)).start()
        for number in range(3000, 100_000):
            client.upsert("c", points(number, number + 1))
            print(number, flush=True)
    """
    killed = run(script, tmp_path, 0.02 + 0.15 * moment)
    assert killed.returncode == -signal.SIGKILL
    acknowledged = int(killed.stdout.split()[-1]) if killed.stdout.strip() else 2999
    with EdgeClient(tmp_path) as client:
        found = numbers(client)
        assert found in ([*range(acknowledged + 1)], [*range(acknowledged + 2)])
    until = time.monotonic() + 60
    while len(generations_after_opening(tmp_path / "c")) > 1:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_an_interrupted_creation_leaves_no_collection(tmp_path: Path) -> None:
    (tmp_path / "c" / "half").mkdir(parents=True)
    with EdgeClient(tmp_path) as client:
        assert not client.collection_exists("c")
        make(client)
        assert client.count("c").count == 0


def test_the_log_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_collection, "_FLUSH_AFTER", 300)
    with EdgeClient(tmp_path) as client:
        make(client)
        wide = {"text": "x" * 100_000}
        for round_ in range(4):
            client.upsert("c", points(0, 400, round=round_, **wide))
        log = sum(path.stat().st_blocks * 512 for path in tmp_path.rglob("wal/*"))
        assert log < 120_000_000  # 160 MB were written


# ---------------------------------------------------------------------------------------------------------------------
# Optimising


def test_searching_and_writing_continue_during_optimisation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_collection, "_AT_ONCE", 0)
    with EdgeClient(tmp_path) as client:
        make(client, optimizers_config=models.OptimizersConfigDiff(indexing_threshold=10))
        client.upload_points("c", points(0, 3000))
        optimising = threading.Thread(target=client.optimize, args=("c",))
        optimising.start()
        written = 3000
        while optimising.is_alive():
            if written < 3300:  # most are to lie in the graph, however long another process is kept waiting
                client.upsert("c", points(written, written + 1))
                client.delete("c", [point_id(written - 3000)])
                client.set_payload("c", {"stamp": written}, points=number_is(written))
                written += 1
            assert len(client.query_points("c", [1.0, 0.0, 0.0, 0.0], using="dense", limit=5).points) == 5
        assert written > 3001
        assert numbers(client) == [*range(written - 3000, written)]
        for number in (3000, written - 1):
            assert client.retrieve("c", [point_id(number)])[0].payload == {"n": number, "stamp": number}
        assert client.get_collection("c").indexed_vectors_count > written - 3000
        left = client.unoptimized("c")
        assert 0 < left <= written - 3000
    with EdgeClient(tmp_path) as client:
        assert numbers(client) == [*range(written - 3000, written)]
        assert client.unoptimized("c") == left


def test_a_failing_optimiser_leaves_the_collection_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('no room')")
    monkeypatch.setattr(edge_collection, "_AT_ONCE", 0)
    monkeypatch.setattr(edge_collection, "_OPTIMIZER", broken)
    with EdgeClient(tmp_path / "vectors") as client:
        make(client)
        client.upsert("c", points(0, 10))
        with pytest.raises(StoreUnavailable, match="no room"):
            client.optimize("c")
        client.upsert("c", points(10, 20))
        assert numbers(client) == [*range(20)]
        assert len([path for path in (tmp_path / "vectors" / "c").iterdir() if path.is_dir()]) == 1


def test_closing_gives_up_an_optimisation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, begun = tmp_path / "slow.py", tmp_path / "begun"
    slow.write_text(f"import pathlib, time; pathlib.Path({str(begun)!r}).touch(); time.sleep(60)")
    monkeypatch.setattr(edge_collection, "_AT_ONCE", 0)
    monkeypatch.setattr(edge_collection, "_OPTIMIZER", slow)
    client = EdgeClient(tmp_path / "vectors")
    make(client)
    client.upsert("c", points(0, 10))
    errors: list[StoreUnavailable] = []

    def optimise() -> None:
        try:
            client.optimize("c")
        except StoreUnavailable as error:
            errors.append(error)

    thread = threading.Thread(target=optimise)
    thread.start()
    while not begun.exists():
        thread.join(0.01)
    client.close()
    thread.join(30)
    assert "closed during the call" in str(errors[0])
    with EdgeClient(tmp_path / "vectors") as again:
        assert numbers(again) == [*range(10)]


def test_closing_while_the_copy_is_made_starts_no_optimiser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = tmp_path / "begun"
    script = tmp_path / "never.py"
    script.write_text(f"import pathlib; pathlib.Path({str(begun)!r}).touch()")
    client = EdgeClient(tmp_path / "vectors")
    make(client)
    client.upsert("c", points(0, 10))
    collection, copy, closing = client._folder.collection("c"), edge_collection.copy_with_holes, threading.Event()
    closer = threading.Thread(target=client.close)

    def close_and_copy(source: str, target: str) -> None:
        if not closing.is_set():
            closing.set()
            closer.start()
        while not collection._closed:
            closer.join(0.01)
        copy(source, target)

    monkeypatch.setattr(edge_collection, "_AT_ONCE", 0)
    monkeypatch.setattr(edge_collection, "_OPTIMIZER", script)
    monkeypatch.setattr(edge_collection, "copy_with_holes", close_and_copy)
    with pytest.raises(StoreUnavailable, match="closed during the call"):
        client.optimize("c")
    closer.join(30)
    assert not begun.exists()
    with EdgeClient(tmp_path / "vectors") as again:
        assert numbers(again) == [*range(10)]


def test_the_graphs_shape_can_be_changed(tmp_path: Path) -> None:
    with EdgeClient(tmp_path) as client:
        make(client, hnsw_config=models.HnswConfigDiff(m=8, ef_construct=50))
        client.upsert("c", points(0, 10))
        client.update_collection("c", hnsw_config=models.HnswConfigDiff(m=24))
        assert numbers(client) == [*range(10)]
    with EdgeClient(tmp_path) as client:
        hnsw = client.get_collection("c").config.hnsw_config
        assert (hnsw.m, hnsw.ef_construct) == (24, 50)
        assert numbers(client) == [*range(10)]


def test_a_shape_that_edge_refuses_leaves_the_collection_as_it_was(tmp_path: Path) -> None:
    with EdgeClient(tmp_path) as client:
        make(client)
        client.upsert("c", points(0, 10))
    collection = edge_collection.EdgeCollection.open(tmp_path / "c")
    config = collection.config
    longer = {"dense": models.VectorParams(size=9, distance=models.Distance.COSINE)}
    other = config.model_copy(update={"params": config.params.model_copy(update={"vectors": longer})})
    with pytest.raises(StoreUnavailable, match="expected vector size 9"):
        collection.reconfigure(other)
    assert collection.read(lambda shard: shard.info().points_count) == 10
    assert collection.config == config
    collection.close()


# ---------------------------------------------------------------------------------------------------------------------
# Threads


def test_readers_and_writers_share_a_client(client: EdgeClient) -> None:
    client.upsert("c", points(0, 500))
    failures: list[BaseException] = []

    def guarded(work: object, rounds: int) -> threading.Thread:
        def loop() -> None:
            try:
                for round_ in range(rounds):
                    work(round_)
            except BaseException as error:  # noqa: BLE001 - told to the test
                failures.append(error)

        return threading.Thread(target=loop)

    def read(_: int) -> None:
        hits = client.query_points("c", [1.0, 0.0, 0.0, 0.0], using="dense", limit=10).points
        assert len(hits) == 10
        assert client.count("c").count >= 500

    threads = [guarded(read, 100) for _ in range(3)]
    threads += [
        guarded(
            lambda round_, first=first: client.upsert("c", points(first + 20 * round_, first + 20 * round_ + 20)), 20
        )
        for first in (1000, 2000)
    ]
    threads.append(guarded(lambda round_: client.set_payload("c", {"round": round_}, points=number_is(round_)), 50))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert client.count("c").count == 500 + 2 * 20 * 20
