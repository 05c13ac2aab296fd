"""Explanations over real HTTP: their shape, and what is an error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.native.calls import ingest
from tests.app.running import serving

PROFILE = """
tenant: breeds
metadata:
  fields:
    species: {type: keyword, values: [dog, cat]}
    weight: {type: float}
"""
QUERY = "How much exercise does a collie need?"


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("explain"), (PROFILE,)) as client:
        client.base_url = client.base_url.join("/tenants/breeds/")
        for name, species, text in (
            ("collie", "dog", "A collie needs two hours of exercise."),
            ("manx", "cat", "The manx has no tail, and needs less exercise."),
        ):
            ingest(client, content=text, document_id=name, metadata={"species": species})
        yield client


def explained(api: httpx.Client, **body: Any) -> dict[str, Any]:
    answer = api.post("explain", json={"query": QUERY, **body})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_found_document_is_traced_to_its_rank(api: httpx.Client) -> None:
    found = explained(api, document_id="collie")
    assert (found["found"], found["dropped_by"], found["hint"], found["filter"]) == (True, None, None, [])
    assert [stage["name"] for stage in found["stages"]] == ["dense", "sparse", "fused", "result"]
    assert {stage["rank"] for stage in found["stages"]} == {1}
    assert all(set(stage) == {"name", "rank", "score", "kept", "note"} for stage in found["stages"])
    assert explained(api, chunk_id=found["chunk_id"]) == found


def test_the_clause_that_excludes_is_named(api: httpx.Client) -> None:
    found = explained(api, document_id="collie", filters={"species": "cat"})
    assert (found["found"], found["dropped_by"]) == (False, 'filter: species = "cat"')
    assert found["filter"] == [
        {"clause": "can be read", "matches": 2, "left": 2, "fits": True},
        {"clause": 'species = "cat"', "matches": 1, "left": 1, "fits": False},
    ]
    assert found["hint"] == 'leave out species = "cat" (its species is "dog"); it would then be number 1'


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"document_id": "none"}, 404, "document_not_found"),
        ({"chunk_id": "none"}, 404, "chunk_not_found"),
        ({}, 422, "request_invalid"),
        ({"document_id": "collie", "filters": {"specie": "dog"}}, 422, "filter_invalid"),
        ({"document_id": "collie", "top_k": 1000}, 422, "request_invalid"),
        ({"document_id": "collie", "mode": "sideways"}, 400, "request_malformed"),
        ({"document_id": 7}, 400, "request_malformed"),
        ({"document": "collie"}, 400, "request_malformed"),
    ],
)
def test_an_impossible_explanation_is_an_error(api: httpx.Client, body: dict[str, Any], status: int, code: str) -> None:
    answer = api.post("explain", json={"query": QUERY, **body})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
