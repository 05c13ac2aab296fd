"""Requests about pets that take a server of their own: one with a language model, one with a limit."""

from __future__ import annotations

from pathlib import Path

from tests.app.contracts.smartbreeds.kennel import PROFILE, WITH_MODEL, body_of, data_url, kennel, photograph
from tests.fakes.ollama import ollama_server

QUERY, VISION = "/api/v1/rag/query", "/api/v1/vision/analyze"
REX = {"name": "Rex", "breed": "Golden Retriever", "age": 7, "weight": 32.5, "conditions": ["Arthritis"]}
TOLD = "The question is about Rex, a Golden Retriever, 7 years old, weighing 32.5 kg, with Arthritis."


def test_a_model_reads_all_of_the_pet(tmp_path: Path) -> None:
    with ollama_server(lambda asked: "Golden Retrievers need daily exercise [1].") as fake:
        profile = WITH_MODEL.replace("MODEL", "m").replace("URL", fake.url)
        with kennel(tmp_path, profile) as client:
            data = body_of(
                client.post(QUERY, json={"question": "How much exercise does he need?", "pet": REX}), "query"
            )
            assert data["pet"]["told"] == TOLD
            assert TOLD in fake.asked[-1].last


def test_photographs_have_a_limit_of_their_own(tmp_path: Path) -> None:
    with kennel(tmp_path, PROFILE + "limits: {images_per_minute: 2}\n") as client:
        shown = {"image": data_url(photograph())}
        assert [client.post(VISION, json=shown).status_code for _ in range(3)] == [503, 503, 429]
        assert client.post(QUERY, json={"question": "What are beagles prone to?"}).status_code == 200
