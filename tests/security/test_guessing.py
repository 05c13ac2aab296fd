"""Callers that guess keys, or make keys up, are slowed down."""

from __future__ import annotations

import pytest

from tests.app.running import Serve

PROFILE = "tenant: pets\nstore: {engine: memory}\nlimits: {requests_per_minute: 3}\n"
DOCUMENTS = "/tenants/pets/documents"


def test_made_up_tokens_do_not_pass_the_limit_of_a_tenant_without_keys(serve: Serve) -> None:
    client = serve(PROFILE)
    codes = [client.get(DOCUMENTS, headers={"X-API-Key": f"made-up-{number}"}).status_code for number in range(5)]
    assert codes == [200, 200, 200, 429, 429]


def test_an_address_in_a_header_does_not_pass_the_limit_either(serve: Serve) -> None:
    client = serve(PROFILE)
    codes = [client.get(DOCUMENTS, headers={"X-Forwarded-For": f"10.0.0.{number}"}).status_code for number in range(5)]
    assert codes == [200, 200, 200, 429, 429]


def test_a_proxy_that_the_settings_name_is_believed(serve: Serve) -> None:
    client = serve(PROFILE, trusted_proxies=("127.0.0.1",))
    codes = [client.get(DOCUMENTS, headers={"X-Forwarded-For": f"10.0.0.{number}"}).status_code for number in range(5)]
    assert codes == [200] * 5


@pytest.mark.parametrize("path", [DOCUMENTS, "/tenants", "/openai/v1/models", "/metrics"])
def test_guessing_keys_is_rate_limited(serve: Serve, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("SECRET", "a-secret-of-someone-0123456789abcdef")
    client = serve(PROFILE + "auth: {keys: [{name: a, secret: '${SECRET}', role: reader}]}\n")
    codes = [client.get(path, headers={"X-API-Key": str(number)}).status_code for number in range(400)]
    # The window slides: what was counted a moment before it weighs a little less, so some more may pass.
    assert set(codes[:300]) == {401}
    assert 429 in codes[300:]
