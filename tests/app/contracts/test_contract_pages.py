"""The pages on the contracts: there is one for each, and its requests are such as the contract takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.contracts import CONTRACTS
from tests.app.running import serving

ROOT = Path(__file__).parents[3]
CURL = re.compile(
    r"curl -s localhost:8000(?P<path>/\S+) -H 'content-type: application/json' \\\n\s*-d '(?P<body>.+)'$", re.MULTILINE
)
PROFILE = """
extends: {folder}/profile.yaml
knowledge: {{path: {folder}/knowledge, sync: off}}
answer: {{prompt: null}}
retrieval: {{expansion: {{synonyms: null, names: null}}}}
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server of all contracts, without their knowledge."""
    profiles = tuple(PROFILE.format(folder=ROOT / "configs" / name) for name in CONTRACTS)
    with serving(tmp_path_factory.mktemp("pages"), profiles) as client:
        yield client


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_requests_of_a_page_are_taken(client: httpx.Client, name: str) -> None:
    requests = list(CURL.finditer((ROOT / "docs" / "contracts" / f"{name}.md").read_text(encoding="utf-8")))
    assert requests
    for found in requests:
        answer = client.post(f"/{name}{found['path']}", json=json.loads(found["body"]))
        about_documents = answer.status_code == 422 and '"value_unknown"' in answer.text  # there are none of any breed
        assert answer.is_success or about_documents, f"{found['path']}: {answer.text}"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/cortx/v1/search"),
        ("POST", "/openpharma/search"),
        ("GET", "/pocketpal/api/rag/status"),
        ("GET", "/smartbreeds/api/v1/rag/status"),
        ("GET", "/textbook/health"),
    ],
)
def test_a_query_parameter_is_refused_in_the_contracts_error_shape(
    client: httpx.Client, method: str, path: str
) -> None:
    body = {"json": {"query": "a"}} if method == "POST" else {}
    refused = client.request(method, path, params={"limit": 3}, **body)
    assert refused.status_code == 400
    assert "limit: unknown key, none is taken here" in refused.text
    contract = path.split("/")[1]
    assert refused.json().keys() == client.get(f"/{contract}/nothing").json().keys()
