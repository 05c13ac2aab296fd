"""What CORTX makes of front matter in the content that it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.contracts.cortx.test_cortx_routes import PROFILE
from tests.app.running import serving


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("cortx"), (PROFILE,)) as client:
        yield client


def put(client: httpx.Client, content: str, **metadata: Any) -> dict[str, Any]:
    answer = client.post("/v1/ingest", json={"content": content, "metadata": metadata})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_a_source_in_front_matter_tells_documents_apart_like_a_given_one(client: httpx.Client) -> None:
    text = "---\nsource: FM-1\nmodule: dataflow\n---\n\nThe zebra rule has {} parts."
    first, second = (put(client, text.format(number), level="platform") for number in ("one", "two"))
    assert (second["document_id"], second["version"]) == (first["document_id"], 2)
    given = put(client, "The zebra rule has three parts.", level="platform", module="dataflow", source="FM-1")
    assert (given["document_id"], given["version"]) == (first["document_id"], 3)
    other = put(client, text.format("no"), level="platform", source="FM-2")
    assert (other["version"], other["document_id"] != first["document_id"]) == (1, True), "what is given wins"
    plain = "---\nmodule: dataflow\n---\n\nThe zebra has no rule."
    assert put(client, plain, level="platform")["version"] == 1
    assert put(client, plain, level="platform")["state"] == "unchanged"


@pytest.mark.parametrize(
    "head", ["---\nNote: this part is about: okapis\n---\n", "---\nOne: 1\n- two\n---\n", "+++\nOne\n+++\n"]
)
def test_text_between_rules_is_text(client: httpx.Client, head: str) -> None:
    put(client, f"{head}\nOkapis are counted in May.", level="platform", source="okapis")
    [found] = client.post("/v1/search", json={"query": "When are okapis counted?", "top_k": 1}).json()["results"]
    assert found["content"].endswith("Okapis are counted in May.")
    assert head.split("\n")[1].removeprefix("- ") in found["content"]
