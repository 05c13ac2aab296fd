"""Reranker stages in whole searches, on the bundled model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.engine import Engine
from pipelines.types import DocumentInput, Hit
from tests.conftest import OpenTenant

PROFILE = """
tenant: kennel
metadata:
  fields:
    species: {type: keyword, values: [dog, cat, bird]}
    topics: {type: keywords}
    published: {type: datetime}
chunking: {size: 32, overlap: 8}
"""
ANIMALS = {"beagle": "dog", "siamese": "cat", "parrot": "bird", "collie": "dog", "manx": "cat", "budgie": "bird"}


def documents() -> Iterator[DocumentInput]:
    for number, (name, species) in enumerate(ANIMALS.items()):
        text = (
            f"# {name}\n\n## Exercise\n\nA {name} needs exercise every day, and play.\n\n## Food\n\nA {name} eats well."
        )
        metadata = {"species": species, "published": f"20{10 + number}-05-01"}
        yield DocumentInput(content=text, document_id=name, title=name, metadata=metadata, media_type="text/markdown")


def opened(open_tenant: OpenTenant, rerank: str, more: str = "", data: Path | None = None) -> Engine:
    engine = open_tenant(f"{PROFILE}{more}\nrerank: {rerank}\n", data)
    engine.ingest(documents())
    return engine


def names(hits: object) -> list[str]:
    return [hit.document_id for hit in hits]  # type: ignore[attr-defined]


def check_scores(hits: tuple[Hit, ...]) -> None:
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize("engine", ["edge", "memory"])
@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse"])
def test_a_boosted_value_comes_first_and_the_scores_still_fall(
    open_tenant: OpenTenant, tmp_path: Path, engine: str, mode: str
) -> None:
    store = f"store: {{engine: {engine}}}\nretrieval: {{mode: {mode}}}"
    plain = opened(open_tenant, "[]", store, tmp_path / "plain").search("How much exercise does a beagle need?")
    boosted = opened(
        open_tenant, "[{type: field_boost, field: species, weights: {bird: 50}}]", store, tmp_path / "boosted"
    ).search("How much exercise does a beagle need?")
    assert plain[0].document_id == "beagle"
    assert boosted[0].metadata["species"] == "bird"
    assert boosted[0].score == plain[0].score  # the first place keeps its score
    assert [hit.scores["field_boost"].rank for hit in boosted] == [1, 2, 3, 4, 5]
    check_scores(boosted.hits)
