"""SmartBreeds' knowledge over HTTP, without a language model."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import httpx
import pytest

from tests.app.contracts.smartbreeds.kennel import BEAGLE, body_of, data_url, ingest, kennel, photograph, refused

QUERY, INGEST, EXPLAIN = "/api/v1/rag/query", "/api/v1/rag/ingest", "/api/v1/rag/explain-products"
VISION = "/api/v1/vision/analyze"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """One server for all: what a test brings in, it brings in under a name of its own."""
    with kennel(tmp_path_factory.mktemp("kennel")) as client:
        yield client


def query(client: httpx.Client, question: str, **asked: Any) -> dict[str, Any]:
    return body_of(client.post(QUERY, json={"question": question, **asked}), "query")


def test_without_a_model_an_answer_is_a_quote_with_its_source(client: httpx.Client) -> None:
    data = query(client, "What are golden retrievers prone to?")
    assert data["model"] == "extractive"
    assert data["answer"].startswith("Golden Retrievers are prone to hip dysplasia and cancer.")
    assert "prone to hip dysplasia" in data["sources"][0]["content"]


def test_every_number_in_an_answer_is_a_place_among_its_sources(client: httpx.Client) -> None:
    data = query(client, "Which dogs are prone to epilepsy, and which to cancer?", top_k=2)
    assert len(data["sources"]) == 2
    for number, source in enumerate(data["sources"], 1):
        before, mark, _ = data["answer"].partition(f" [{number}]")
        assert not mark or before.rpartition("] ")[2] in source["content"]


def test_an_answer_has_no_more_sources_than_were_asked_for(client: httpx.Client) -> None:
    data = query(client, "What are golden retrievers and beagles prone to?", top_k=1)
    assert len(data["sources"]) == 1
    assert data["answer"].endswith(" [1]")


def test_chunks_have_the_published_ids_and_metadata(client: httpx.Client) -> None:
    source = query(client, "What are golden retrievers prone to?")["sources"][0]
    assert source["chunk_id"] == "breed_golden_retriever_health_considerations_002"
    metadata = source["metadata"]
    assert (metadata["source_file"], metadata["chunk_index"]) == ("golden_retriever.md", 1)
    assert datetime.fromisoformat(metadata["updated_at"]).tzinfo is not None


def test_null_is_not_given(client: httpx.Client) -> None:
    question = "What are golden retrievers prone to?"
    assert query(client, question, top_k=None)["sources"] == query(client, question)["sources"]
    sent = {"content": BEAGLE, "source_name": "beagle.md", "metadata": None}
    assert body_of(client.post(INGEST, json=sent), "ingest")["state"] == "unchanged"
    product = {"name": "Orthopedic bed", "id": None, "category": None, "description": None}
    asked = {"breed": "beagle", "products": [product], "preferences": None, "top_k": None}
    assert client.post(EXPLAIN, json=asked).status_code == 200
    told_of = dict.fromkeys(("return_traits", "return_health_info", "enrich"))
    for options in (None, told_of):  # nothing is wrong with them: there is no model here
        refused(client.post(VISION, json={"image": data_url(photograph()), "options": options}), 503)
    for key in ("breed", "products"):
        assert key in refused(client.post(EXPLAIN, json={**asked, key: None}), 400)["message"]


@pytest.mark.parametrize("nothing", [None, {}, {"species": None, "breed": None}])
def test_a_null_filter_is_no_constraint(client: httpx.Client, nothing: Any) -> None:
    found = query(client, "Which pets are there?", filters=nothing, top_k=50)["sources"]
    files = {source["source_file"] for source in found}
    assert {"golden_retriever.md", "beagle.md", "siamese.md"} <= files


@pytest.mark.parametrize(
    ("filters", "files"),
    [
        ({"species": "cat"}, {"siamese.md"}),
        ({"species": "dog", "doc_type": "breed", "breed": None}, {"golden_retriever.md", "beagle.md"}),
        ({"source_file": "siamese.md"}, {"siamese.md"}),
        ({"or": [{"source_file": {"prefix": "siam"}}, {"breed": "beagle"}]}, {"siamese.md", "beagle.md"}),
        ({"topics": ["temperament", "care"]}, {"golden_retriever.md", "siamese.md"}),
    ],
)
def test_filters_hold_sources_to_what_they_say(client: httpx.Client, filters: Any, files: set[str]) -> None:
    found = query(client, "Which pets are there?", filters=filters)["sources"]
    assert {source["source_file"] for source in found} == files


def test_filters_that_exclude_everything_are_reported(client: httpx.Client) -> None:
    data = query(client, "Which pets are there?", filters={"breed": "poodle"})
    assert (data["abstained"], data["reason"], data["sources"]) == (True, "filtered_out", [])


def test_given_metadata_wins_over_the_frontmatter(client: httpx.Client) -> None:
    made = ingest(client, BEAGLE, "guides/howling.md", doc_type="care_guide", topics=["noise"])
    assert made["document_id"] == "care_guide_howling"
    [source] = query(client, "Who howls?", filters={"topics": "noise"})["sources"]
    told = {"doc_type": "care_guide", "species": "dog", "breed": "beagle", "topics": ["noise"]}
    assert {name: source["metadata"][name] for name in told} == told
    assert source["source_file"] == "guides/howling.md"


def test_the_same_name_is_a_new_version_of_the_same_document(client: httpx.Client) -> None:
    text = "Boxers snore when they sleep."
    first = ingest(client, text, "boxer.md", doc_type="breed", breed="boxer")
    again = ingest(client, text, "boxer.md", doc_type="breed", breed="boxer")
    newer = ingest(client, text.replace("snore", "dream"), "boxer.md", doc_type="breed", breed="boxer")
    assert (first["state"], again["state"], newer["state"]) == ("ready", "unchanged", "ready")
    assert {made["document_id"] for made in (first, again, newer)} == {"breed_boxer"}
    assert [made["version"] for made in (first, again, newer)] == [1, 1, 2]
    assert again["chunks_created"] == 1
    assert "dream" in query(client, "What do boxers do?", filters={"breed": "boxer"})["answer"]


@pytest.mark.parametrize(
    ("name", "document_id"),
    [
        ("dental_care.md", "health_dental_care"),
        ("health/teeth/flossing.MD", "health_flossing"),
        ("C:\\notes\\gums.md", "health_gums"),
        ("Dr. Smith on gums", "health_Dr. Smith on gums"),
        ("Dr. Jones on gums.md", "health_Dr. Jones on gums"),
        ("gums 2.5", "health_gums 2.5"),
        ("gums.v2.md", "health_gums.v2"),
        ("歯.md", "health_歯"),
    ],
)
def test_the_stem_of_a_name_is_without_folder_and_ending(client: httpx.Client, name: str, document_id: str) -> None:
    assert ingest(client, "Gums bleed.", name, doc_type="health")["document_id"] == document_id


def test_headings_part_chunks_before_their_length_does(client: httpx.Client) -> None:
    made = ingest(client, "# A\n\n## One\nShort.\n\n## Two\nShort too.", "parts.md", doc_type="care_guide")
    assert made["chunks_created"] == 2


def test_products_are_explained_by_what_is_known_of_the_breed(client: httpx.Client) -> None:
    asked = {
        "breed": "Golden Retriever",
        "preferences": ["joint health"],
        "products": [
            {"id": 7, "name": "Orthopedic bed", "description": "eases stiff joints"},
            {"id": "b", "name": "Coat brush", "category": "grooming"},
        ],
        "top_k": 2,
    }
    data = body_of(client.post(EXPLAIN, json=asked), "explain")
    assert data["breed"] == "golden_retriever"
    bed, brush = data["explanations"]
    assert (bed["product_id"], bed["product"], brush["product_id"]) == (7, "Orthopedic bed", "b")
    assert "joints" in bed["explanation"]
    assert "brushing" in brush["explanation"]
    assert {source["source_file"] for source in bed["sources"]} == {"golden_retriever.md"}
    assert bed["explanation"].endswith("]")


def test_an_unknown_breed_is_refused_with_the_nearest_one(client: httpx.Client) -> None:
    error = refused(client.post(EXPLAIN, json={"breed": "beegull", "products": [{"name": "Bowl"}]}), 422)
    assert (error["code"], error["details"][0]["suggestion"]) == ("value_unknown", "beagle")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"products": []}, "products"),
        ({"products": [{"name": "x"}] * 21}, "products"),
        ({"products": [{"name": ""}]}, "products -> 0 -> name"),
        ({"products": [{"description": "x"}]}, "products -> 0 -> name"),
        ({"products": [{"id": 1.5, "name": "x"}]}, "products -> 0 -> id"),
        ({"preferences": "x" * 1001}, "preferences"),
        ({"preferences": [5]}, "preferences"),
        ({"breed": ""}, "breed"),
        ({"top_k": 0}, "top_k"),
    ],
)
def test_what_cannot_be_explained_is_refused_by_name(client: httpx.Client, changes: Any, path: str) -> None:
    error = refused(client.post(EXPLAIN, json={"breed": "beagle", "products": [{"name": "Bowl"}], **changes}), 400)
    assert [problem["path"] for problem in error["details"]] == [path]


@pytest.mark.parametrize(
    ("route", "body", "status", "said"),
    [
        (QUERY, {}, 400, "question"),
        (QUERY, {"question": ""}, 422, "question: is empty; it must have 1 to 4000 characters"),
        (QUERY, {"question": "   "}, 422, "question"),
        (QUERY, {"question": "Why?", "top_k": 0}, 422, "top_k"),
        (QUERY, {"question": "Why?", "top_k": 101}, 422, "top_k"),
        (QUERY, {"question": "Why?", "top_k": "5"}, 400, "top_k"),
        (QUERY, {"question": "Why?", "filters": {"bred": "beagle"}}, 422, "filters -> bred: unknown field"),
        (QUERY, {"question": "Why?", "filters": {"bred": "beagle"}}, 422, 'did you mean "breed"'),
        (QUERY, {"question": "Why?", "filters": {"species": "dgo"}}, 422, 'did you mean "dog"'),
        (INGEST, {"content": "Text.", "metadata": {"doc_type": "health"}}, 400, "source_name"),
        (INGEST, {"content": "Text.", "metadata": {"doc_type": "health"}, "source_name": "/"}, 400, "name of a file"),
        (INGEST, {"content": "Text.", "metadata": {"doc_type": "health"}, "source_name": ".md"}, 400, "name of a file"),
        (INGEST, {"content": "Text.", "metadata": {"doc_type": "health"}, "source_name": "a\tb"}, 400, "source_name"),
        (INGEST, {"content": "", "metadata": {"doc_type": "health"}, "source_name": "a.md"}, 422, "nothing to index"),
        (INGEST, {"content": "Text.", "source_name": "a.md"}, 422, "doc_type"),
        (INGEST, {"content": "Text.", "metadata": {"doc_type": "helth"}, "source_name": "a.md"}, 422, "health"),
        (INGEST, {"content": "---\nx: [\n---\nText.", "source_name": "a.md"}, 422, "frontmatter"),
        (INGEST, {"content": "  ", "metadata": {"doc_type": "health"}, "source_name": "a.md"}, 422, "nothing to index"),
    ],
)
def test_bad_requests_are_refused_in_the_envelope(
    client: httpx.Client, route: str, body: Any, status: int, said: str
) -> None:
    assert said in refused(client.post(route, json=body), status)["message"]


@pytest.mark.parametrize(
    ("path", "asked", "wrong", "right"),
    [
        (QUERY, {"question": "Who howls?", "filter": {"species": "cat"}}, "filter", "filters"),
        (QUERY, {"question": "Who howls?", "topk": 1}, "topk", "top_k"),
        (QUERY, {"question": "Who howls?", "session": "7"}, "session", None),
        (INGEST, {"content": BEAGLE, "source_name": "b.md", "meta_data": {}}, "meta_data", "metadata"),
        (VISION, {"image": "data:", "options": {"enrch": True}}, "options -> enrch", "enrich"),
    ],
)
def test_unknown_keys_are_refused_with_a_suggestion(
    client: httpx.Client, path: str, asked: dict[str, Any], wrong: str, right: str | None
) -> None:
    [problem] = refused(client.post(path, json=asked), 400)["details"]
    assert (problem["path"], problem["suggestion"]) == (wrong, right)


def test_a_product_may_have_further_keys(client: httpx.Client) -> None:
    asked = {"breed": "beagle", "products": [{"name": "Orthopedic bed", "price": 20}]}
    assert client.post(EXPLAIN, json=asked).status_code == 200


def test_invalid_json_is_refused_in_the_envelope(client: httpx.Client) -> None:
    answer = client.post(QUERY, content=b"{", headers={"Content-Type": "application/json"})
    assert refused(answer, 400)["code"] == "json_invalid"


def test_unknown_routes_and_methods_are_refused_in_the_envelope(client: httpx.Client) -> None:
    assert refused(client.get("/api/v1/nothing"), 404)["code"] == "route_not_found"
    assert refused(client.get(QUERY), 405)["code"] == "method_not_allowed"


def test_without_a_model_photographs_are_not_looked_at(client: httpx.Client) -> None:
    answer = client.post("/api/v1/vision/analyze", json={"image": data_url(photograph())})
    assert refused(answer, 503)["code"] == "llm_unavailable"
