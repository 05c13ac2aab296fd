"""Who may read the metrics, and of which tenants."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.app.metrics.scraping import Scrape
from tests.app.running import serving

CATS = """
tenant: cats
jobs: {run: worker}
metadata:
  fields: {level: {type: keyword, values: [all, house]}, house: {type: keyword}}
  hierarchy: {level: level, path: [house]}
auth:
  keys:
    - {name: look, secret: "${CATS_READER}", role: reader}
    - {name: feed, secret: "${CATS_WRITER}", role: writer}
    - {name: rule, secret: "${CATS_ADMIN}", role: admin}
    - {name: one, secret: "${CATS_HOUSE}", role: admin, scope: {house: garden}}
"""
DOGS = 'tenant: dogs\njobs: {run: worker}\nauth: {keys: [{name: rule, secret: "${DOGS_ADMIN}", role: admin}]}'
FISH = "tenant: fish\njobs: {run: worker}"
TOKEN = "for-prometheus"


@pytest.fixture(scope="module", autouse=True)
def _secrets() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        for name in ("CATS_READER", "CATS_WRITER", "CATS_ADMIN", "CATS_HOUSE", "DOGS_ADMIN"):
            environment.setenv(name, name.lower())
        yield


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server that Prometheus has a token for; one of its tenants has no keys."""
    with serving(tmp_path_factory.mktemp("keyed"), (CATS, DOGS, FISH), metrics_token=TOKEN) as client:
        for tenant in ("cats", "dogs", "fish"):
            client.get(f"/tenants/{tenant}/stats", headers={"x-api-key": f"{tenant}_admin"})
        yield client


def _tenants(scrape: Scrape) -> set[str | None]:
    return {labels.get("tenant") for _, labels, _ in scrape}


def _refused(client: httpx.Client, headers: dict[str, str]) -> tuple[int, str]:
    answer = client.get("/metrics", headers=headers)
    assert "footnote_" not in answer.text
    return answer.status_code, answer.json()["code"]


def test_the_token_shows_every_tenant_and_the_server(client: httpx.Client) -> None:
    client.get("/healthz")
    assert _tenants(Scrape(client, TOKEN)) == {"cats", "dogs", "fish", "", None}


@pytest.mark.parametrize("tenant", ["cats", "dogs"])
def test_an_admins_key_shows_its_tenant_alone(client: httpx.Client, tenant: str) -> None:
    scrape = Scrape(client, f"{tenant}_admin")
    assert _tenants(scrape) == {tenant}
    assert scrape.value("footnote_http_requests_total", route="/{tenant}/stats", status="200") == 1
    assert scrape.value("footnote_catalogue_up") == 1
    others = {"cats", "dogs", "fish"} - {tenant}
    assert not any(other in scrape.text for other in others)


def test_a_key_is_accepted_in_either_header(client: httpx.Client) -> None:
    assert client.get("/metrics", headers={"x-api-key": TOKEN}).status_code == 200


@pytest.mark.parametrize("key", ["cats_reader", "cats_writer", "cats_house"])
def test_a_smaller_role_and_a_scoped_key_are_refused(client: httpx.Client, key: str) -> None:
    assert _refused(client, {"authorization": f"Bearer {key}"}) == (403, "forbidden")


@pytest.mark.parametrize(
    "headers", [{}, {"authorization": "Bearer x"}, {"authorization": f"Basic {TOKEN}"}, {"x-api-key": TOKEN[:-1]}]
)
def test_without_a_known_key_nothing_is_shown_not_even_of_tenants_without_keys(
    client: httpx.Client, headers: dict[str, str]
) -> None:
    assert _refused(client, headers) == (401, "unauthorized")


def test_the_token_opens_nothing_else(client: httpx.Client) -> None:
    assert client.get("/tenants/cats/stats", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 401


def test_refused_requests_are_counted_without_unknown_tenant_names(client: httpx.Client) -> None:
    before = Scrape(client, TOKEN)
    for tenant in ("cats", "nobody"):
        assert client.get(f"/tenants/{tenant}/stats").status_code == 401
    after = Scrape(client, TOKEN)
    for tenant in ("cats", ""):
        of = {"tenant": tenant, "route": "/{tenant}/stats", "status": "401"}
        name = "footnote_http_requests_total"
        assert after.value(name, **of) - before.value(name, **of) == 1
