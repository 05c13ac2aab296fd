"""Whatever is sent to the routes of documents, versions, jobs and upkeep, the answer is never a 5xx."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.app.running import serving

PROFILE = """
tenant: t
jobs: {run: worker}
metadata: {fields: {species: {type: keyword, values: [dog, cat]}, year: {type: integer}}}
"""
WORDS = (
    "", "0", "1", "-1", "1e9", "true", "null", "{}", "[]", '{"year": {"gte": 99999999999999999999}}', '{"or": [{}]}',
    "9223372036854775807", "9223372036854775808", "\x00", "'", "%", "/", "..", "\ud7ff", "\U0010ffff",
)  # fmt: skip
SENSE: dict[str, tuple[Any, ...]] = {
    "wait": (True, False), "limit": (1, 1000), "cursor": ("0", "ready"), "filters": ({"year": 1}, '{"species": "dog"}'),
    "state": ("ready", "stale", "queued"), "version": (1, 2), "as_of": (0, 1, 2, 3), "purge": (True, False),
    "kind": ("ingest", "sync", "reembed", "optimize", "purge"), "documents": ([{"content": "A text."}],),
    "priority": (0, -1000, 1000), "allow_empty": (True, False), "repair": (True, False), "content": ("A text.",),
    "document_id": ("0", "a/b"), "metadata": ({"year": 1},), "query": ("text",), "question": ("text",), "top_k": (1,),
}  # fmt: skip
ROUTES: dict[tuple[str, str], tuple[str, ...]] = {
    ("GET", "documents"): ("limit", "cursor", "filters", "state"),
    ("GET", "documents/{}"): (),
    ("GET", "documents/{}/content"): ("version", "as_of"),
    ("GET", "documents/{}/chunks"): ("version", "as_of"),
    ("GET", "documents/{}/versions"): (),
    ("DELETE", "documents/{}"): ("purge",),
    ("POST", "documents"): ("content", "document_id", "metadata", "documents", "wait"),
    ("GET", "jobs"): ("limit", "cursor", "state"),
    ("GET", "jobs/{}"): (),
    ("POST", "jobs/{}/cancel"): (),
    ("POST", "jobs"): ("kind", "documents", "priority"),
    ("POST", "sync"): ("wait", "allow_empty"),
    ("POST", "doctor"): ("repair",),
    ("POST", "search"): ("query", "filters", "as_of", "top_k"),
    ("POST", "query"): ("question", "filters", "as_of", "top_k"),
    ("GET", "stats"): (),
}
texts = st.sampled_from(WORDS) | st.text(st.characters(codec="utf-8"), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
keys = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=250)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, dict[str, Any]]:
    """A request that is half sense, half rubbish: its method, its address, and httpx's parts."""
    (method, path), known = draw(st.sampled_from(sorted(ROUTES.items())))
    said = {name: draw(st.sampled_from(SENSE[name]) | values) for name in known if draw(st.booleans())}
    said |= draw(st.just({}) | st.just({}) | st.dictionaries(texts, values, max_size=2))
    key = draw(st.none() | keys)
    headers = {} if key is None else {"Idempotency-Key": key}
    address = path.format(quote(draw(st.sampled_from(["0", "ready"]) | texts), safe=""))
    if method == "POST" and draw(st.booleans()):
        return method, address, {"json": draw(st.just(said) | values), "headers": headers}
    shown = {name: value if isinstance(value, str) else json.dumps(value) for name, value in said.items()}
    return method, address, {"params": shown, "headers": headers}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("rubbish"), (PROFILE,)) as client:
        client.base_url = client.base_url.join("/tenants/t/")
        for name in ("0", "ready"):
            assert client.post("documents", json={"document_id": name, "content": "A text."}).status_code == 201
        yield client


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=requests())
def test_malformed_input_is_never_a_server_error(api: httpx.Client, asked: tuple[str, str, dict[str, Any]]) -> None:
    method, address, parts = asked
    answer = api.request(method, address, **parts)
    assert answer.status_code < 500, answer.text
