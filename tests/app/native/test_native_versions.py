"""Versions over HTTP: what is listed, read and searched as of a point in a tenant's history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.native.calls import ingest, pages
from tests.app.running import serving

PROFILE = """
tenant: history
metadata: {fields: {species: {type: keyword, values: [dog, cat]}, year: {type: integer}}}
"""
VERSION = {"version", "snapshot", "sha256", "chunks", "created_at", "current"}
OLD = "The Border Collie needs one hour of exercise every day."
NEW = "The Border Collie needs two hours of exercise every day."
QUESTION = "How much exercise does a Border Collie need?"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("versions"), (PROFILE,)) as client:
        client.base_url = client.base_url.join("/tenants/history/")
        yield client


@pytest.fixture
def api(shared: httpx.Client) -> Iterator[httpx.Client]:
    """A tenant without documents, and afterwards without history."""
    yield shared
    for page in pages(shared, "documents", limit=1000):
        for document in page["documents"]:
            assert shared.delete(f"documents/{document['document_id']}?purge=true").status_code == 200


@pytest.fixture
def brought(api: httpx.Client) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was answered when a document was brought, and when it was brought again with other content."""
    before = ingest(api, document_id="dogs/collie", content=OLD)
    return before, ingest(api, document_id="dogs/collie", content=NEW)


@pytest.fixture
def changed(brought: tuple[dict[str, Any], dict[str, Any]]) -> tuple[int, int]:
    """The snapshots of the two versions."""
    before, after = brought
    return before["snapshot"], after["snapshot"]


def test_versions_are_listed_newest_first(api: httpx.Client, brought: tuple[dict[str, Any], dict[str, Any]]) -> None:
    before, after = brought
    answer = api.get("documents/dogs/collie/versions")
    assert answer.status_code == 200
    new, old = answer.json()["versions"]
    assert set(new) >= VERSION
    assert (new["version"], new["snapshot"], new["current"], new["ended"]) == (
        after["version"], after["snapshot"], True, None,
    )  # fmt: skip
    assert (old["version"], old["snapshot"], old["current"], old["ended"]) == (
        before["version"], before["snapshot"], False, after["snapshot"],
    )  # fmt: skip
    assert (new["state"], old["state"]) == ("ready", "superseded")
    assert new["sha256"] != old["sha256"]
    assert new["chunks"] == old["chunks"] == 1


def test_a_version_is_read_by_its_number(api: httpx.Client, brought: tuple[dict[str, Any], dict[str, Any]]) -> None:
    before, after = brought
    assert after["version"] == before["version"] + 1
    for which, text in ((f"?version={before['version']}", OLD), (f"?version={after['version']}", NEW), ("", NEW)):
        assert api.get(f"documents/dogs/collie/content{which}").text == text
        (chunk,) = api.get(f"documents/dogs/collie/chunks{which}").json()["chunks"]
        assert chunk["content"] == text


def test_a_version_is_read_by_the_snapshot_that_showed_it(api: httpx.Client, changed: tuple[int, int]) -> None:
    for snapshot, text in zip(changed, (OLD, NEW), strict=True):
        assert api.get(f"documents/dogs/collie/content?as_of={snapshot}").text == text
        (chunk,) = api.get(f"documents/dogs/collie/chunks?as_of={snapshot}").json()["chunks"]
        assert chunk["content"] == text


def test_before_its_first_version_a_document_is_not_found(api: httpx.Client, changed: tuple[int, int]) -> None:
    for below in ("content", "chunks"):
        answer = api.get(f"documents/dogs/collie/{below}?as_of={changed[0] - 1}")
        assert (answer.status_code, answer.json()["code"]) == (404, "document_not_found")


def test_a_search_and_an_answer_come_from_the_snapshot_asked_for(api: httpx.Client, changed: tuple[int, int]) -> None:
    for snapshot, text in zip(changed, (OLD, NEW), strict=True):
        found = api.post("search", json={"query": QUESTION, "as_of": snapshot}).json()
        assert [hit["content"] for hit in found["results"]] == [text]
        assert found["snapshot"] == snapshot
        answer = api.post("query", json={"question": QUESTION, "as_of": snapshot}).json()
        assert [citation["quote"] for citation in answer["citations"]] == [text]
        assert answer["snapshot"] == snapshot


def test_without_a_snapshot_the_newest_is_read(api: httpx.Client, changed: tuple[int, int]) -> None:
    found = api.post("search", json={"query": QUESTION, "as_of": None}).json()
    assert ([hit["content"] for hit in found["results"]], found["snapshot"]) == ([NEW], changed[1])
    assert api.get("stats").json()["snapshot"] == changed[1]


@pytest.mark.parametrize("route", ["search", "query", "content", "chunks"])
def test_a_snapshot_that_has_not_come_yet_is_refused(api: httpx.Client, changed: tuple[int, int], route: str) -> None:
    ahead = changed[1] + 1
    if route in ("content", "chunks"):
        answer = api.get(f"documents/dogs/collie/{route}?as_of={ahead}")
    else:
        answer = api.post(route, json={"query" if route == "search" else "question": QUESTION, "as_of": ahead})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == "as_of"


def test_a_deleted_document_can_be_read_in_the_past_until_it_is_purged(
    api: httpx.Client, changed: tuple[int, int]
) -> None:
    receipt = api.delete("documents/dogs/collie").json()
    assert receipt["snapshot"] > changed[1]
    assert (receipt["versions_left"], receipt["chunks_left"]) == (2, 2)
    assert api.get("documents/dogs/collie/content").status_code == 404
    assert api.post("search", json={"query": QUESTION}).json()["results"] == []
    assert api.get(f"documents/dogs/collie/content?as_of={changed[0]}").text == OLD
    assert len(api.post("search", json={"query": QUESTION, "as_of": changed[1]}).json()["results"]) == 1
    ingest(api, document_id="dogs/collie", content=NEW)
    receipt = api.delete("documents/dogs/collie?purge=true").json()
    assert (receipt["versions_left"], receipt["chunks_left"]) == (0, 0)
    assert receipt["chunks_removed"] >= 1
    assert api.get(f"documents/dogs/collie/content?as_of={changed[0]}").status_code == 404
    assert api.get("documents/dogs/collie/versions").status_code == 404
    assert api.post("search", json={"query": QUESTION, "as_of": changed[1]}).json()["results"] == []


def test_ids_that_look_like_other_routes_are_sent_with_an_escaped_slash(api: httpx.Client) -> None:
    for name in ("a/versions", "a/content", "a/chunks"):
        ingest(api, document_id=name, content=f"The text of {name}.")
        sent = name.replace("/", "%2F")
        assert api.get(f"documents/{sent}").json()["document_id"] == name
        assert api.get(f"documents/{sent}/content").text == f"The text of {name}."
        assert len(api.get(f"documents/{sent}/versions").json()["versions"]) == 1
        assert api.delete(f"documents/{sent}?purge=true").status_code == 200


def test_documents_are_listed_by_filter_and_state(api: httpx.Client) -> None:
    for name, metadata in (
        ("collie", {"species": "dog", "year": 1890}),
        ("pug", {"species": "dog", "year": 1750}),
        ("manx", {"species": "cat", "year": 1870}),
        ("plain", {}),
    ):
        ingest(api, document_id=name, content=f"About the {name}.", metadata=metadata)
    api.post("documents", json={"documents": [{"document_id": "blank", "content": " "}]})
    for parameters, expected in (
        ({"filters": '{"species": "dog"}'}, {"collie", "pug"}),
        ({"filters": '{"species": "dog", "year": {"gte": 1800}}'}, {"collie"}),
        ({"filters": '{"or": [{"species": "cat"}, {"year": {"lt": 1800}}]}'}, {"manx", "pug"}),
        ({"filters": "{}", "state": "ready"}, {"collie", "pug", "manx", "plain"}),
        ({"filters": "null", "state": "failed"}, {"blank"}),
        ({"state": "stale"}, set()),
        ({}, {"blank", "collie", "pug", "manx", "plain"}),
    ):
        seen = [document["document_id"] for page in pages(api, "documents", limit=1, **parameters)
                for document in page["documents"]]  # fmt: skip
        assert (sorted(seen), len(seen)) == (sorted(expected), len(expected)), parameters
    for part in ("chunks", "content"):
        missing = api.get(f"documents/blank/{part}")
        assert missing.status_code == 404
        assert missing.json()["detail"].startswith('document "blank" has no text, because its ingestion failed: ')
        assert api.get(f"documents/nobody/{part}").json()["detail"] == 'no document "nobody"'
    assert api.delete("documents/blank").status_code == 200


def test_a_list_shows_every_document_once_while_others_come(api: httpx.Client) -> None:
    names = [f"n{number}" for number in range(6)]
    for name in names:
        ingest(api, document_id=name, content=f"The number {name}.")
    seen: list[str] = []
    for number, page in enumerate(pages(api, "documents", limit=2)):
        seen += [document["document_id"] for document in page["documents"]]
        ingest(api, document_id=f"a{number}", content=f"It comes before: {number}.")
        if number < 3:
            ingest(api, document_id=f"z{number}", content=f"It comes after: {number}.")
    assert len(seen) == len(set(seen))
    assert set(names) <= set(seen)


def test_stats_report_the_horizon_and_stale_documents(api: httpx.Client, changed: tuple[int, int]) -> None:
    stats: dict[str, Any] = api.get("stats").json()
    assert stats["stale"] == 0
    assert 0 <= stats["horizon"] <= stats["snapshot"] == changed[1]
