"""How vectors are kept: nothing may be found less, whatever the profile chooses, and the choice may be changed."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from qdrant_client import models

from pipelines.catalogue import NEVER
from pipelines.components.store import dense_vectors
from pipelines.components.store.collection import DENSE, StoreCollection
from pipelines.components.store.dense_vectors import DenseVectors, walk, way
from pipelines.ingestion.visibility import readable_at
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.sections.storage import EdgeStore, ServerStore, StoreSection
from tests.fakes.qdrant_over_http import serving

COUNT, DIMENSIONS = 8_000, 96
CHOICES = {
    "as they are": {},
    "int8": {"quantization": "int8"},
    "on disk": {"on_disk": True},
    "int8, whole ones on disk": {"quantization": "int8", "on_disk": True},
}
INT8 = {"scalar": {"type": "int8", "quantile": 0.99, "always_ram": True}}


def spread(count: int, seed: int) -> np.ndarray:
    """Unit vectors around a hundred middles, as texts stand around their topics."""
    random = np.random.default_rng(seed)
    middles = np.random.default_rng(1).normal(size=(100, DIMENSIONS))
    vectors = middles[random.integers(100, size=count)] + 0.7 * random.normal(size=(count, DIMENSIONS))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


VECTORS, QUESTIONS = spread(COUNT, seed=2), spread(30, seed=3)
GROUPS = np.arange(COUNT) % 4
ENDED = np.arange(COUNT) % 5 == 0


def point(n: int) -> models.PointStruct:
    payload = {
        "valid_from": 1,
        "valid_to": 7 if ENDED[n] else NEVER,
        "metadata": {"group": f"g{GROUPS[n]}"},
    }
    return models.PointStruct(id=str(uuid.UUID(int=n)), vector={DENSE: VECTORS[n].tolist()}, payload=payload)


@contextmanager
def opened(section: StoreSection, folder: Path) -> Iterator[StoreCollection]:
    collection = StoreCollection(section, folder, "c", DIMENSIONS, {"group": MetadataField(type="keyword")})
    try:
        yield collection
    finally:
        collection.close()


@pytest.fixture(scope="module", params=CHOICES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, EdgeStore]:
    """A folder with an optimised collection, which nobody has open, and the choice it was made with."""
    folder, section = tmp_path_factory.mktemp("vectors"), EdgeStore.model_validate(CHOICES[request.param])
    with opened(section, folder) as collection:
        collection.write([point(n) for n in range(COUNT)])
        collection.optimize()
    return folder, section


def kept(folder: Path) -> tuple[str, object]:
    """How the optimised segment keeps its vectors, as it says itself."""
    (graph,) = [
        vectors
        for file in (folder / "c").rglob("segment.json")
        if (vectors := json.loads(file.read_text())["config"]["vector_data"][DENSE])["index"]["type"] == "hnsw"
    ]
    return graph["storage_type"], graph["quantization_config"]


def recall(collection: StoreCollection, where: models.Filter | None, matching: np.ndarray, depth: int) -> float:
    """The share of the true nearest ``depth`` that is found."""
    numbers, found = np.flatnonzero(matching), 0
    for question in QUESTIONS:
        nearest = {str(uuid.UUID(int=int(numbers[n]))) for n in np.argsort(-(VECTORS[numbers] @ question))[:depth]}
        (leg,) = collection.ranked({DENSE: question.tolist()}, where, depth)
        found += len(nearest & {key for key, _ in leg})
    return found / len(QUESTIONS) / depth


def in_group(number: int) -> models.Filter:
    return models.Filter(
        must=[models.FieldCondition(key="metadata.group", match=models.MatchValue(value=f"g{number}"))]
    )


@pytest.mark.parametrize("scanned", [dense_vectors.SCANNED, 50], ids=["as it is", "walked wherever it can be"])
def test_the_nearest_are_found_however_vectors_are_kept(
    folder: tuple[Path, EdgeStore], scanned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense_vectors, "SCANNED", scanned)
    with opened(folder[1], folder[0]) as collection:
        for depth in (10, 100):
            assert recall(collection, None, GROUPS >= 0, depth) >= 0.99
            assert recall(collection, in_group(3), GROUPS == 3, depth) >= 0.99


def test_scores_are_cosines_however_vectors_are_kept(folder: tuple[Path, EdgeStore]) -> None:
    with opened(folder[1], folder[0]) as collection:
        (leg,) = collection.ranked({DENSE: QUESTIONS[0].tolist()}, None, 10)
    cosines = [float(VECTORS[uuid.UUID(key).int] @ QUESTIONS[0]) for key, _ in leg]
    assert [score for _, score in leg] == pytest.approx(cosines, abs=1e-5)


def test_versions_and_filters_hold_however_vectors_are_kept(folder: tuple[Path, EdgeStore]) -> None:
    with opened(folder[1], folder[0]) as collection:
        for snapshot, readable in ((0, GROUPS < 0), (6, GROUPS >= 0), (7, ~ENDED)):
            where = readable_at(snapshot, in_group(2))
            legs = [collection.ranked({DENSE: question.tolist()}, where, 50)[0] for question in QUESTIONS]
            expected = np.flatnonzero(readable & (GROUPS == 2))
            assert {uuid.UUID(key).int for leg in legs for key, _ in leg} <= {int(n) for n in expected}
            assert collection.count(where) == len(expected)
            assert not len(expected) or recall(collection, where, readable & (GROUPS == 2), 10) >= 0.99


@pytest.mark.parametrize(
    ("matching", "total", "expected"),
    [
        (0, 0, models.SearchParams(exact=True)),
        (12_000, 100_000, models.SearchParams(exact=True)),
        (12_001, 100_000, walk(100, 1.0)),
        (89_999, 100_000, walk(100, 1.0)),
        (90_000, 100_000, walk(100)),
        (60_000, 1_000_000, models.SearchParams(exact=True)),
        (60_001, 1_000_000, walk(100, 1.0, 1_000_000)),
        (1_000_000, 1_000_000, walk(100, None, 1_000_000)),
    ],
)
def test_the_way_to_the_nearest_depends_on_how_many_match(matching: int, total: int, expected: object) -> None:
    assert way(100, matching, total) == expected


def test_a_walk_keeps_more_candidates_among_more_chunks() -> None:
    widths = [walk(100, None, total).hnsw_ef for total in (0, 100_000, 400_000, 1_000_000)]
    assert widths == [200, 200, 400, 632]


def test_chunks_written_after_optimisation_are_found_too(folder: tuple[Path, EdgeStore]) -> None:
    extra = models.PointStruct(id=str(uuid.UUID(int=COUNT)), vector={DENSE: QUESTIONS[0].tolist()}, payload={})
    with opened(folder[1], folder[0]) as collection:
        collection.write([extra])
        (leg,) = collection.ranked({DENSE: QUESTIONS[0].tolist()}, None, 10)
        collection.remove(models.Filter(must=[models.HasIdCondition(has_id=[extra.id])]))
    assert leg[0] == (extra.id, pytest.approx(1.0, abs=1e-5))


def test_a_changed_choice_is_taken_over_when_the_collection_is_next_optimised(tmp_path: Path) -> None:
    with opened(EdgeStore(), tmp_path) as collection:
        collection.write([point(n) for n in range(COUNT)])
        collection.optimize()
    assert kept(tmp_path) == ("InRamMmap", None)
    for section, stored in (
        (EdgeStore(quantization="int8"), ("InRamMmap", INT8)),
        (EdgeStore(quantization="int8", on_disk=True), ("Mmap", INT8)),
        (EdgeStore(), ("InRamMmap", None)),
    ):
        before = kept(tmp_path)
        with opened(section, tmp_path) as collection:
            assert recall(collection, None, GROUPS >= 0, 10) >= 0.99
        assert kept(tmp_path) == before
        with opened(section, tmp_path) as collection:
            collection.optimize()
            assert recall(collection, None, GROUPS >= 0, 10) >= 0.99
        assert kept(tmp_path) == stored


def test_a_server_receives_the_datatype_and_its_changes() -> None:
    def params(**choice: object) -> models.VectorParams:
        section = ServerStore(engine="server", url=url, timeout_s=100, **choice)
        with opened(section, Path("/nowhere")) as collection:
            vectors = collection.client.get_collection("c").config.params.vectors
            return vectors[DENSE]

    with serving() as url:
        made = params(quantization="int8", on_disk=True)
        changed = params()
    assert made.on_disk
    assert made.quantization_config.model_dump(mode="json", exclude_none=True) == INT8
    assert not changed.on_disk
    assert changed.quantization_config is None


@pytest.mark.parametrize(("kind", "least"), [("turbo8", 0.97), ("turbo4", 0.85)])
def test_compact_vectors_find_nearly_as_much_and_stay_compact(tmp_path: Path, kind: str, least: float) -> None:
    with opened(EdgeStore.model_validate({"quantization": kind}), tmp_path) as collection:
        collection.write([point(n) for n in range(1000)])
        found = [collection.ranked({DENSE: one.tolist()}, None, 10)[0] for one in QUESTIONS]
    true = [set(np.argsort(-(VECTORS[:1000] @ one))[:10].tolist()) for one in QUESTIONS]
    hits = [len({uuid.UUID(name).int for name, _ in leg} & best) for leg, best in zip(found, true, strict=True)]
    assert np.mean(hits) / 10 >= least
    with opened(EdgeStore(), tmp_path) as collection:
        assert collection.client.get_collection("c").config.params.vectors[DENSE].datatype == kind
        assert len(collection.ranked({DENSE: QUESTIONS[0].tolist()}, None, 10)[0]) == 10


@pytest.mark.parametrize(("quantization", "kept"), [("none", 4.0), ("int8", 5.0), ("turbo8", 1.0), ("turbo4", 0.5)])
def test_the_bytes_of_a_vector_are_those_that_its_quantization_keeps(quantization: str, kept: float) -> None:
    section = EdgeStore.model_validate({"quantization": quantization})
    assert DenseVectors.of(section).bytes_per_dimension == kept
