"""Pages in a browser: which may call, and what they may read."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.app.running import RunCli, serving

PROFILE = """
tenant: kennel
contract: smartbreeds
jobs: {run: worker}
metadata: {fields: {doc_type: {type: keyword}, breed: {type: keyword}}}
"""
ELSEWHERE = "https://pets.example.org"
QUERY = "/api/v1/rag/query"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("pages"), (PROFILE,), origins=(ELSEWHERE,)) as client:
        yield client


def may_call(client: httpx.Client, origin: str) -> bool:
    """Whether a browser lets a page of ``origin`` send JSON with a key, and read the answer."""
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,authorization"}
    before = client.options(QUERY, headers={"Origin": origin, **asks})
    answer = client.post(QUERY, json={"question": "What do beagles eat?"}, headers={"Origin": origin})
    reported = {one.headers.get("Access-Control-Allow-Origin") for one in (before, answer)}
    allowed = before.status_code == 200 and "authorization" in before.headers.get("Access-Control-Allow-Headers", "")
    assert reported in ({origin}, {None})
    assert (reported == {origin}) == allowed == (answer.status_code == 200)
    return allowed


@pytest.mark.parametrize(
    "origin", ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443", "capacitor://localhost", ELSEWHERE]
)
def test_pages_of_this_machine_and_named_ones_may_call(client: httpx.Client, origin: str) -> None:
    assert may_call(client, origin)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", f"{ELSEWHERE}.evil.example", "http://localhost.evil.example", "null"]
)
def test_other_pages_may_not(client: httpx.Client, origin: str) -> None:
    assert not may_call(client, origin)


def test_a_page_may_read_errors_and_their_ids_and_is_sent_no_cookies(client: httpx.Client) -> None:
    answer = client.post(QUERY, json={}, headers={"Origin": ELSEWHERE})
    assert answer.status_code == 400
    assert answer.headers["Access-Control-Allow-Origin"] == ELSEWHERE
    assert "X-Request-ID" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("origin", ["*", "pets.example.org", "https://pets.example.org/app", "https://*.example.org"])
def test_an_invalid_origin_is_refused(run_cli: RunCli, origin: str) -> None:
    done = run_cli("serve", "textbook", "--origin", origin)
    assert done.code == 2
    assert "is not an origin" in " ".join(done.err.split())


@pytest.mark.parametrize("proxy", ["proxy.example.org", "10.0.0.300", "10.0.0.1/8"])
def test_a_proxy_that_no_address_could_match_is_refused(run_cli: RunCli, proxy: str) -> None:
    done = run_cli("serve", "textbook", "--trusted-proxy", proxy)
    assert done.code == 2
    assert "name an address, a network such as 10.0.0.0/8, or *" in " ".join(done.err.split())
