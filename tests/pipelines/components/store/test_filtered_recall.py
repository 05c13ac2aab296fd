"""Filtered searches of an Edge collection that has a graph find what a scan in numpy finds, whatever share fits."""

from collections.abc import Iterator

import numpy as np
import pytest
from qdrant_client import models

from pipelines.components.store import dense_vectors
from pipelines.components.store.collection import DENSE, StoreCollection
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.sections.storage import EdgeStore

CHUNKS, DIMENSIONS, QUESTIONS = 8_000, 64, 40
FIELDS = {"group": MetadataField(type="keyword"), "n": MetadataField(type="integer"), "x": MetadataField(type="float")}
RANDOM = np.random.default_rng(5)
groups, numbers = RANDOM.integers(0, 100, CHUNKS), RANDOM.permutation(CHUNKS)
CENTRES = RANDOM.standard_normal((80, DIMENSIONS))


def texts(count: int) -> np.ndarray:
    """Unit vectors that lie in heaps, as those of texts do."""
    vectors = 0.8 * CENTRES[RANDOM.integers(0, len(CENTRES), count)] + RANDOM.standard_normal((count, DIMENSIONS))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


VECTORS, ASKED = texts(CHUNKS), texts(QUESTIONS)
SIMILAR = ASKED @ VECTORS.T


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreCollection]:
    made = StoreCollection(EdgeStore(), tmp_path_factory.mktemp("store"), "recall", DIMENSIONS, FIELDS)
    made.write(
        [
            models.PointStruct(
                id=number,
                vector={DENSE: VECTORS[number].tolist()},
                payload={
                    "metadata": {
                        "group": f"g{groups[number]}",
                        "n": int(numbers[number]),
                        "x": float(numbers[number] / CHUNKS),
                    }
                },
            )
            for number in range(CHUNKS)
        ]
    )
    made.optimize()
    assert made.client.get_collection("recall").indexed_vectors_count > 0
    yield made
    made.close()


def field(name: str, **condition: object) -> models.FieldCondition:
    return models.FieldCondition(key=f"metadata.{name}", **condition)


def either_group(percent: int) -> tuple[models.Filter, np.ndarray]:
    alternatives = [field("group", match=models.MatchValue(value=f"g{number}")) for number in range(percent)]
    return models.Filter(should=alternatives), groups < percent


def low_numbers(percent: int) -> tuple[models.Filter, np.ndarray]:
    bound = CHUNKS * percent // 100
    return models.Filter(must=[field("n", range=models.Range(lt=bound))]), numbers < bound


def either_end(percent: int) -> tuple[models.Filter, np.ndarray]:
    low, high = CHUNKS * percent // 200, 1 - percent / 200
    ends = [field("n", range=models.Range(lt=low)), field("x", range=models.Range(gte=high))]
    return models.Filter(should=ends), (numbers < low) | (numbers / CHUNKS >= high)


@pytest.mark.parametrize("percent", [1, 5, 9, 20, 50, 90])
@pytest.mark.parametrize("kind", [either_group, low_numbers, either_end])
@pytest.mark.parametrize("scanned", [dense_vectors.SCANNED, 50], ids=["as it is", "walked wherever it can be"])
def test_ten_nearest_are_found_whatever_share_fits(
    collection: StoreCollection, kind: object, percent: int, scanned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense_vectors, "SCANNED", scanned)
    where, fits = kind(percent)  # type: ignore[operator]
    found = 0
    for vector, similar in zip(ASKED, SIMILAR, strict=True):
        (leg,) = collection.ranked({DENSE: vector.tolist()}, where, 100)
        nearest = np.argsort(-np.where(fits, similar, -2.0))[:10]
        found += len({int(chunk_id) for chunk_id, _ in leg[:10]} & set(nearest.tolist()))
    assert found / (10 * QUESTIONS) >= 0.99
