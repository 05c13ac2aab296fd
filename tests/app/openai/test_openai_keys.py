"""Keys over OpenAI's protocol: which tenants are models for whom, and what a key with a scope reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from tests.app.openai.test_chat_completions import client_of
from tests.app.running import Serve, serving

CORTX = """
tenant: cortx
jobs: {run: worker}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite], required: true}
    suite: {type: keyword}
  hierarchy: {level: level, path: [suite]}
auth:
  keys:
    - {name: ops, secret: "${OPS_KEY}", role: admin}
    - {name: fed, secret: "${FED_KEY}", role: reader, scope: {suite: fed}}
"""
CATS = """
tenant: cats
jobs: {run: worker}
auth: {keys: [{name: look, secret: "${CATS_KEY}", role: reader}]}
"""
OPEN = "tenant: open\njobs: {run: worker}"
USER: list[Any] = [{"role": "user", "content": "When is the ledger reconciled?"}]


@pytest.fixture(scope="module", autouse=True)
def _secrets() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        for name in ("OPS_KEY", "FED_KEY", "CATS_KEY"):
            environment.setenv(name, name.lower())
        yield


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("keys"), (CORTX, CATS)) as http:
        for suite in ("fed", "corp"):
            document = {
                "content": f"The ledger of {suite} is reconciled daily.",
                "document_id": suite,
                "metadata": {"level": "suite", "suite": suite},
            }
            answer = http.post("/tenants/cortx/documents", json=document, headers={"Authorization": "Bearer ops_key"})
            assert answer.status_code == 201
        yield http


def _models(http: httpx.Client, key: str) -> list[str]:
    with client_of(http, key) as client:
        return [model.id for model in client.models.list().data]


def _cited(http: httpx.Client, key: str, **footnote: Any) -> set[str]:
    with client_of(http, key) as client:
        done = client.chat.completions.create(
            model="cortx", messages=USER, extra_body={"footnote": footnote} if footnote else None
        )
    reported: Any = (done.choices[0].message.model_extra or {})["footnote"]
    return {hit["document_id"] for hit in reported["sources"]}


def test_a_key_decides_which_tenants_are_models(http: httpx.Client) -> None:
    assert (_models(http, "ops_key"), _models(http, "cats_key")) == (["cortx"], ["cats"])


def test_an_unknown_key_is_refused_before_the_body_is_read(http: httpx.Client) -> None:
    with pytest.raises(openai.AuthenticationError) as refused:
        _models(http, "wrong")
    assert (refused.value.code, refused.value.type) == ("invalid_api_key", "authentication_error")
    answer = http.post("/openai/v1/chat/completions", content="{", headers={"Content-Type": "application/json"})
    assert answer.status_code == 401


def test_another_tenant_is_not_a_model(http: httpx.Client) -> None:
    with client_of(http, "cats_key") as client:
        for model in ("cortx", "nobody"):
            with pytest.raises(openai.NotFoundError) as refused:
                client.chat.completions.create(model=model, messages=USER)
            assert "cortx" not in refused.value.message.replace(f'"{model}"', "")


def test_a_scoped_key_stays_in_its_scope(http: httpx.Client) -> None:
    assert _cited(http, "ops_key") == {"fed", "corp"}
    assert _cited(http, "ops_key", scope={"suite": "corp"}) == {"corp"}
    assert _cited(http, "fed_key") == {"fed"}
    assert _cited(http, "fed_key", scope={"suite": "corp"}) == set()


def test_too_many_requests_get_retry_after(serve: Serve) -> None:
    http = serve(f"{OPEN}\nlimits: {{requests_per_minute: 1}}")
    with client_of(http) as client:
        client.chat.completions.create(model="open", messages=USER)
        with pytest.raises(openai.RateLimitError) as refused:
            client.chat.completions.create(model="open", messages=USER)
    assert refused.value.type == "rate_limit_error"
    assert int(refused.value.response.headers["retry-after"]) > 0


def test_tenants_without_keys_are_models_on_this_machine_only(serve: Serve) -> None:
    http = serve(OPEN, CATS)
    assert (_models(http, "anything"), _models(http, "cats_key")) == (["open"], ["cats", "open"])
    assert http.get("/openai/v1/models", headers={"Host": "example.org"}).status_code == 421
    operations = [
        one for methods in http.get("/openai/openapi.json").json()["paths"].values() for one in methods.values()
    ]
    assert all("421" in operation["responses"] for operation in operations)
