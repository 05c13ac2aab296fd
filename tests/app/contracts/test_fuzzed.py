"""Whatever is sent to a published contract, it keeps what its OpenAPI document promises, over its shipped knowledge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.contracts.openpharma import library
from tests.app.contracts.published import CONFIGS, shipped
from tests.app.fuzzing import fuzz, served_with_key
from tests.fakes.ollama import Asked, ollama_server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
SEEN = {
    "breed": "Beagle",
    "species": "dog",
    "confidence": 0.9,
    "traits": {"size": "small", "coat": "short", "color": "brown", "temperament": ["friendly"]},
    "health_considerations": ["Epilepsy"],
}
CONFIG = "/api/rag/config"
QUICK = "verify: false, chooser: null"  # what the model says is always the same, and what answers does not matter


@pytest.mark.parametrize("tenant", ["cortx", "textbook"])
def test_without_a_language_model(tenant: str, tmp_path: Path) -> None:
    with served_with_key(tmp_path, shipped(tenant) + f"answer: {{{QUICK}}}\n") as client:
        fuzz(client, tmp_path, tenant)


def test_openpharma(tmp_path: Path) -> None:
    prompt = library.SHIPPED / "prompts" / "answer.md"
    with ollama_server() as fake:
        shipped = library.PROFILE.replace("UNSUPPORTED", "annotate")
        profile = shipped.replace(str(prompt), f"{prompt}, {QUICK}") + library.models_at(fake.url)
        with served_with_key(tmp_path, profile) as client:
            fuzz(client, tmp_path, "openpharma")


def test_smartbreeds(tmp_path: Path) -> None:
    def script(asked: Asked) -> str:
        return json.dumps(SEEN) if asked.images else "Beagles howl [1]."

    prompt = CONFIGS / "smartbreeds" / "prompts" / "answer.md"
    with ollama_server(script) as fake:
        limits = "limits: {images_per_minute: 100000}\n"  # a refusal for the rate would count as accepting bad data
        short = limits + "chunking: {size: 100, overlap: 20}\n"  # an answer looks at every sentence of what was found
        model = f"llm: {{base_url: {fake.url}}}\nanswer: {{prompt: {prompt}, {QUICK}}}\n"
        with served_with_key(tmp_path, shipped("smartbreeds") + short + model) as client:
            fuzz(client, tmp_path, "smartbreeds")


def test_pocketpal(tmp_path: Path) -> None:
    with served_with_key(tmp_path, shipped("pocketpal")) as client:
        fuzz(client, tmp_path, "pocketpal", "--exclude-path", CONFIG)
        fuzz(client, tmp_path, "pocketpal", "--include-path", CONFIG)
