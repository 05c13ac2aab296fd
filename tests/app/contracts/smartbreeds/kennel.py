"""A small tenant with SmartBreeds' contract, and the photographs that are sent to it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

from tests.app.contracts.published import require
from tests.app.running import serving

PROFILE = """
tenant: smartbreeds
title: SmartBreeds
contract: smartbreeds
metadata:
  fields:
    doc_type: {type: keyword, values: [breed, health, care_guide], required: true}
    species: {type: keyword, values: [dog, cat]}
    breed: {type: keyword}
    topics: {type: keywords}
chunking: {splitter: markdown, size: 500, overlap: 50}
store: {engine: memory}
"""
WITH_MODEL = (
    PROFILE
    + """
llm: {provider: ollama, model: "MODEL", base_url: "URL", timeouts: {call_s: 20, token_s: 5}}
"""
)
GOLDEN = """---
doc_type: breed
species: dog
breed: golden_retriever
topics: [health, care]
---

# Golden Retriever

## Overview
Golden Retrievers are friendly dogs from Scotland. They weigh 55 to 75 pounds.

## Health Considerations
Golden Retrievers are prone to hip dysplasia and cancer. Stiff joints trouble many of them.

## Care Requirements
Golden Retrievers need daily exercise, and brushing of their coat two or three times a week.
"""
BEAGLE = """---
doc_type: breed
species: dog
breed: beagle
---

# Beagle

Beagles howl when they are bored. Beagles are prone to epilepsy.
"""
SIAMESE = """---
doc_type: breed
species: cat
breed: siamese
topics: [temperament]
---

# Siamese

Siamese cats talk a lot and like company.
"""
_SCHEMAS = json.loads((Path(__file__).parent / "schemas.json").read_text(encoding="utf-8"))


@contextmanager
def kennel(folder: Path, profile: str = PROFILE) -> Iterator[httpx.Client]:
    """The tenant, served, with a document on each of three breeds."""
    with serving(folder, (profile,)) as client:
        for content, name in ((GOLDEN, "golden_retriever.md"), (BEAGLE, "beagle.md"), (SIAMESE, "siamese.md")):
            ingest(client, content, name)
        yield client


def ingest(client: httpx.Client, content: str, name: str, **metadata: Any) -> dict[str, Any]:
    asked = {"content": content, "metadata": metadata, "source_name": name}
    return body_of(client.post("/api/v1/rag/ingest", json=asked), "ingest")


def body_of(answer: httpx.Response, shape: str) -> dict[str, Any]:
    """The data of an answer that went well, and is of the shape."""
    assert answer.status_code == 200, answer.text
    require({"$defs": _SCHEMAS, "$ref": f"#/$defs/{shape}"}, answer.json())
    data: dict[str, Any] = answer.json()["data"]
    return data


def refused(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The error of an answer that did not go well."""
    assert answer.status_code == status, answer.text
    require({"$defs": _SCHEMAS, "$ref": "#/$defs/error"}, answer.json())
    error: dict[str, Any] = answer.json()["error"]
    return error


def photograph(kind: str = "PNG", size: tuple[int, int] = (64, 48)) -> bytes:
    written = BytesIO()
    Image.new("RGB", size, "goldenrod").save(written, kind)
    return written.getvalue()


def data_url(image: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"
