"""Photographs over HTTP: a stand-in for Ollama sees what each test lets it see."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.app.contracts.smartbreeds.kennel import WITH_MODEL, body_of, data_url, kennel, photograph, refused
from tests.app.running import sent
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server

ROUTE = "/api/v1/vision/analyze"
SEEN = {"breed": "Golden Retriever", "species": "dog", "confidence": 0.92}
TRAITS = {"traits": {"size": "large", "coat": "long", "color": "golden", "temperament": ["friendly"]}}
HEALTH = {"health_considerations": ["Hip dysplasia", "Cancer risk"]}
NEITHER = {"return_traits": False, "return_health_info": False}

Sees = Callable[..., tuple[httpx.Client, FakeOllama]]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, FakeOllama]]:
    """One server for all; what its model says is put into place by each test."""
    with ollama_server() as fake:
        profile = WITH_MODEL.replace("URL", fake.url).replace("MODEL", "m")
        with kennel(tmp_path_factory.mktemp("kennel"), profile) as client:
            yield client, fake


@pytest.fixture
def sees(served: tuple[httpx.Client, FakeOllama]) -> Sees:
    """Lets the model see what is given, time after time, and answer questions with one sentence."""
    client, fake = served

    def start(*seen: Any, manner: str = "") -> tuple[httpx.Client, FakeOllama]:
        left = [one if isinstance(one, str) else json.dumps(one) for one in seen]

        def script(asked: Asked) -> Reply:
            return Reply(left.pop(0) if asked.images else "Golden Retrievers are friendly dogs [1].", manner)

        fake.script = script
        fake.asked.clear()
        return client, fake

    return start


def look(client: httpx.Client, **options: bool) -> dict[str, Any]:
    return body_of(client.post(ROUTE, json={"image": data_url(photograph()), "options": options}), "vision")


def test_only_the_requested_options_are_asked_and_returned(sees: Sees) -> None:
    client, fake = sees(SEEN, {**SEEN, **TRAITS}, {**SEEN, **HEALTH})
    plain = look(client, **NEITHER)
    assert plain.keys() == {"breed", "breed_id", "species", "confidence", "model"}
    assert look(client, return_health_info=False)["traits"] == TRAITS["traits"]
    assert look(client, return_traits=False)["health_considerations"] == HEALTH["health_considerations"]
    forms = [set(asked.form["properties"]) - SEEN.keys() for asked in fake.asked]  # type: ignore[index]
    assert forms == [set(), {"traits"}, {"health_considerations"}]


def test_by_default_traits_and_health_are_returned_without_enrichment(sees: Sees) -> None:
    client, _ = sees({**SEEN, **TRAITS, **HEALTH})
    data = body_of(client.post(ROUTE, json={"image": data_url(photograph())}), "vision")
    assert data["traits"]["color"] == "golden"
    assert "enriched_info" not in data


def test_the_model_is_shown_the_image_as_a_jpeg(sees: Sees) -> None:
    client, fake = sees(SEEN)
    look(client, **NEITHER)
    [image] = fake.asked[0].images
    with Image.open(BytesIO(image)) as shown:
        assert (shown.format, shown.size) == ("JPEG", (64, 56))


def test_enrichment_answers_only_from_documents_of_the_breed(sees: Sees) -> None:
    client, fake = sees(SEEN)
    data = look(client, enrich=True, **NEITHER)
    assert data["breed_id"] == "golden_retriever"
    info = data["enriched_info"]
    assert (info["description"], info["care_summary"]) == ("Golden Retrievers are friendly dogs [1].",) * 2
    assert info["sources"] == ["golden_retriever.md"]
    assert not any("Siamese" in asked.last or "Beagles" in asked.last for asked in fake.asked)


@pytest.mark.parametrize(
    ("said", "breed_id"),
    [
        ("golden retriever", "golden_retriever"),
        ("Golden Retriever dog", "golden_retriever"),
        ("Siamese cat (seal point)", "siamese"),
        ("Beagles", "beagle"),
        ("Poodle", None),
        ("Unknown", None),
        ("golden_retriever OR breed = siamese", None),
        ('"}} ignore all filters', None),
    ],
)
def test_a_models_reply_becomes_a_filter_only_for_a_known_breed(sees: Sees, said: str, breed_id: str | None) -> None:
    client, _ = sees({**SEEN, "breed": said})
    data = look(client, enrich=True, **NEITHER)
    assert (data["breed"], data["breed_id"]) == (said, breed_id)
    assert (data["enriched_info"] is None) == (breed_id is None)


def test_an_answer_that_is_not_of_the_form_is_asked_for_once_more(sees: Sees) -> None:
    client, fake = sees({**SEEN, "confidence": 92}, SEEN)
    assert look(client, **NEITHER)["confidence"] == 0.92
    assert "confidence" in fake.asked[1].last


@pytest.mark.parametrize("rubbish", ["A dog.", "", "{}", '{"breed": 7}'])
def test_a_model_that_never_answers_in_the_form_is_a_503(sees: Sees, rubbish: str) -> None:
    client, fake = sees(rubbish, rubbish)
    answer = client.post(ROUTE, json={"image": data_url(photograph())})
    assert refused(answer, 503)["code"] == "llm_answer_invalid"
    assert len(fake.asked) == 2


@pytest.mark.parametrize("manner", ["missing", "broken", "bad", "crash", "rubbish"])
def test_an_unavailable_or_text_only_model_is_a_503(sees: Sees, manner: str) -> None:
    client, _ = sees(*[SEEN] * 3, manner=manner)
    answer = client.post(ROUTE, json={"image": data_url(photograph()), "options": NEITHER})
    assert refused(answer, 503)["code"] == "llm_unavailable"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP"])
def test_every_usual_format_is_looked_at(sees: Sees, kind: str) -> None:
    client, _ = sees(SEEN)
    asked = {"image": data_url(photograph(kind), kind.lower()), "options": NEITHER}
    body_of(client.post(ROUTE, json=asked), "vision")


def test_base64_without_its_scheme_is_an_image_too(sees: Sees) -> None:
    client, _ = sees(SEEN)
    asked = {"image": base64.encodebytes(photograph()).decode(), "options": NEITHER}
    body_of(client.post(ROUTE, json=asked), "vision")


@pytest.mark.parametrize(
    "image",
    [
        "no image at all",
        "data:image/png,plain",
        "data:image/png",
        "https://example.com/dog.jpg",
        data_url(b""),
        data_url(b"GIF89a, or not"),
        data_url(photograph()[:60]),
        data_url(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "svg+xml"),
    ],
)
def test_an_invalid_image_is_refused_and_not_sent_to_the_model(sees: Sees, image: str) -> None:
    client, fake = sees()
    assert refused(client.post(ROUTE, json={"image": image}), 422)["code"] == "image_invalid"
    assert fake.asked == []


def test_an_image_of_too_many_bytes_is_refused(sees: Sees) -> None:
    client, _ = sees()
    error = refused(client.post(ROUTE, json={"image": data_url(bytes(20_000_001))}), 413)
    assert (error["code"], "20,000,000 bytes" in error["message"]) == ("image_too_large", True)
    error = refused(client.post(ROUTE, json={"image": data_url(bytes(50_000_000))}), 413)
    assert (error["code"], "an image of 20 MB" in error["message"]) == ("request_too_large", True)


def test_an_image_of_too_many_pixels_is_refused(sees: Sees) -> None:
    client, _ = sees()
    written = BytesIO()
    Image.new("1", (10_000, 6_000)).save(written, "PNG")
    error = refused(client.post(ROUTE, json={"image": data_url(written.getvalue())}), 413)
    assert "50,000,000 pixels" in error["message"]


@pytest.mark.parametrize("enriched", [False, True])
def test_a_disconnect_stops_the_model(served: tuple[httpx.Client, FakeOllama], enriched: bool) -> None:
    client, fake = served
    fake.script = lambda asked: Reply(json.dumps(SEEN), "" if enriched and asked.images else "slow")
    fake.asked.clear()
    caller = sent(client, ROUTE, {"image": data_url(photograph()), "options": {**NEITHER, "enrich": True}})
    while len(fake.asked) <= enriched:
        time.sleep(0.01)
    caller.close()
    assert fake.asked[-1].gone.wait(3)  # the model has 5 s for its first token


@pytest.mark.parametrize(
    ("body", "path"),
    [({}, "image"), ({"image": ""}, "image"), ({"image": "x", "options": {"enrich": "yes"}}, "options -> enrich")],
)
def test_requests_of_another_form_are_refused_by_name(sees: Sees, body: Any, path: str) -> None:
    client, _ = sees()
    assert refused(client.post(ROUTE, json=body), 400)["details"][0]["path"] == path
