"""OpenAI's embeddings over real HTTP, asked by the official client."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import numpy as np
import openai
import pytest

from tests.app.openai.test_chat_completions import client_of
from tests.app.running import serving

KENNEL = "tenant: kennel\nstore: {engine: memory}\njobs: {run: worker}\n"
TEXTS = ["Beagles need an hour of exercise a day.", "A contract ends with the month.", "Hounds have to run a lot."]


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("embeddings"), (KENNEL,)) as http:
        yield http


@pytest.fixture(scope="module")
def client(http: httpx.Client) -> Iterator[openai.OpenAI]:
    with client_of(http) as client:
        yield client


def test_near_texts_have_near_vectors_of_length_one(client: openai.OpenAI) -> None:
    answer = client.embeddings.create(model="kennel", input=TEXTS)  # the client asks for base64
    beagles, contract, hounds = (np.array(one.embedding) for one in answer.data)
    assert [one.index for one in answer.data] == [0, 1, 2]
    assert (answer.model, answer.object) == ("kennel", "list")
    assert np.linalg.norm(beagles) == pytest.approx(1, abs=1e-5)
    assert beagles @ hounds > beagles @ contract + 0.2
    assert answer.usage.total_tokens == answer.usage.prompt_tokens > 20


def test_both_encodings_hold_the_same_vector(client: openai.OpenAI) -> None:
    packed = client.embeddings.create(model="kennel", input=TEXTS[0]).data[0].embedding
    plain = client.embeddings.create(model="kennel", input=TEXTS[0], encoding_format="float").data[0].embedding
    assert plain == pytest.approx(packed, abs=1e-7)


def test_the_model_length_may_be_named(client: openai.OpenAI) -> None:
    (one,) = client.embeddings.create(model="kennel", input=TEXTS[0], dimensions=384).data
    assert len(one.embedding) == 384


@pytest.mark.parametrize(
    ("body", "param", "said"),
    [
        ({"input": []}, "input", "must not be empty"),
        ({"input": ["ok", ""]}, "input[1]", "must not be empty"),
        ({"input": ["x"] * 2049}, "input", "at most 2048"),
        ({"input": [[1, 2, 3]]}, "input", "tokens mean something only to the model"),
        ({"input": [1, 2, 3]}, "input", "tokens mean something only to the model"),
        ({"input": "x", "dimensions": 256}, "dimensions", "must be 384"),
        ({"input": "x", "encoding_format": "int8"}, "encoding_format", "base64"),
    ],
)
def test_invalid_input_for_embedding_is_refused_by_name(
    http: httpx.Client, body: dict[str, object], param: str, said: str
) -> None:
    answer = http.post("/openai/v1/embeddings", json={"model": "kennel", **body})
    error = answer.json()["error"]
    assert (answer.status_code, error["param"]) == (400, param)
    assert said in error["message"]


def test_an_unknown_tenant_is_not_a_model(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="a model here is a tenant"):
        client.embeddings.create(model="kennels", input="x")


def test_questions_may_be_embedded_as_such(http: httpx.Client) -> None:
    body = {"model": "kennel", "input": "How far?"}
    as_query = http.post("/openai/v1/embeddings", json={**body, "input_type": "query"})
    assert as_query.status_code == 200  # the bundled model has no prefix for questions
    assert as_query.json()["data"] == http.post("/openai/v1/embeddings", json=body).json()["data"]
