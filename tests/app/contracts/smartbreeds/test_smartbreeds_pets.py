"""Questions about a certain pet, and questions that follow others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.contracts.smartbreeds.kennel import (
    body_of,
    ingest,
    kennel,
    refused,
)
from tests.app.running import Serve

QUERY = "/api/v1/rag/query"
REX = {"name": "Rex", "breed": "Golden Retriever", "age": 7, "weight": 32.5, "conditions": ["Arthritis"]}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with kennel(tmp_path_factory.mktemp("pets")) as client:
        ingest(client, "Arthritis stiffens joints. Short walks help.", "arthritis.md", doc_type="health")
        ingest(client, "Cats with arthritis stop jumping.", "cats.md", doc_type="health", species="cat")
        yield client


def query(client: httpx.Client, question: str, **asked: Any) -> dict[str, Any]:
    return body_of(client.post(QUERY, json={"question": question, **asked}), "query")


def test_a_pet_narrows_the_search_to_its_breed_and_general_documents(client: httpx.Client) -> None:
    data = query(client, "What helps him?", pet=REX, top_k=20)
    found = {source["source_file"] for source in data["sources"]}
    assert found == {"golden_retriever.md", "arthritis.md"}
    assert "walks" in data["answer"]
    assert (data["pet"]["breed"], data["pet"]["species"], data["pet"]["told"]) == ("golden_retriever", "dog", None)


def test_a_pet_and_filters_are_combined(client: httpx.Client) -> None:
    data = query(client, "What helps him?", pet=REX, filters={"doc_type": "breed"}, top_k=20)
    assert {source["source_file"] for source in data["sources"]} == {"golden_retriever.md"}
    both = {"and": [{"doc_type": "breed"}, {"species": "dog"}]}
    data = query(client, "What helps him?", pet=REX, filters=both, top_k=20)
    assert {source["source_file"] for source in data["sources"]} == {"golden_retriever.md"}


@pytest.mark.parametrize(
    ("filters", "path"),
    [
        ({"bred": "beagle"}, "filters -> bred"),
        ({"and": [{"bred": "beagle"}]}, "filters -> and -> 0 -> bred"),
        ({"and": []}, "filters -> and"),
    ],
)
def test_a_wrong_filter_beside_a_pet_is_named_by_its_own_path(client: httpx.Client, filters: Any, path: str) -> None:
    error = refused(client.post(QUERY, json={"question": "What helps?", "pet": REX, "filters": filters}), 422)
    assert [problem["path"] for problem in error["details"]] == [path]


def test_a_pet_is_asked_about_where_the_profile_has_no_field_for_species(serve: Serve) -> None:
    fields = "{doc_type: {type: keyword}, breed: {type: keyword}}"
    profile = f"tenant: plain\ncontract: smartbreeds\nmetadata: {{fields: {fields}}}\n"
    client = serve(profile + "store: {engine: memory}\njobs: {run: worker}\n")
    ingest(client, "Beagles weigh ten kilograms.", "beagle.md", doc_type="breed", breed="beagle")
    for species in ({}, {"species": "dog"}):
        pet = query(client, "How heavy is it?", pet={"breed": "Beagle", **species})["pet"]
        assert (pet["breed"], pet["species"]) == ("beagle", None)


def test_an_unknown_breed_is_refused(client: httpx.Client) -> None:
    error = refused(client.post(QUERY, json={"question": "What helps?", "pet": {"breed": "Pug"}}), 422)
    assert (error["code"], error["details"][0]["path"]) == ("value_unknown", "pet -> breed")
    refused(client.post(QUERY, json={"question": "What helps?", "pet": {"bread": "Beagle"}}), 400)


def test_a_question_follows_another_of_its_conversation(client: httpx.Client) -> None:
    first = query(client, "What are beagles prone to?", conversation_id="c-1", user="ann")
    assert first["conversation_id"] == "c-1"
    then = query(client, "And when they are bored?", conversation_id="c-1", user="ann")
    assert "beagles" in then["rewritten_question"].lower()
    assert query(client, "What are beagles prone to?")["conversation_id"] is None
    assert query(client, "What are beagles prone to?", user="ann")["conversation_id"]
