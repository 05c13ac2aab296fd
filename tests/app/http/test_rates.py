"""How often one caller may ask."""

from __future__ import annotations

import threading
import time

import httpx
import pytest
import time_machine
from limits import RateLimitItemPerMinute

from app.http.counts import Counts
from app.owner import new_token
from tests.app.running import Serve

PROFILE = "tenant: busy\nstore: {engine: memory}\nlimits: {requests_per_minute: 3}\n"
KEYS = "auth: {{keys: [{{name: a, secret: '{0}', role: reader}}, {{name: b, secret: '{1}', role: reader}}]}}\n"
SECRETS = ("a-secret-of-someone", "a-secret-of-another")


def ask(client: httpx.Client, key: str | None = None) -> httpx.Response:
    headers = {"X-API-Key": key} if key else {}
    return client.get("/tenants/busy/documents", headers=headers)


def test_a_rate_limited_client_gets_retry_after(serve: Serve) -> None:
    client = serve(PROFILE)
    assert [ask(client).status_code for _ in range(3)] == [200, 200, 200]
    answer = ask(client)
    assert answer.status_code == 429
    assert answer.json()["code"] == "too_many_requests"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


def test_every_key_has_its_own_count(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRST", SECRETS[0])
    monkeypatch.setenv("SECOND", SECRETS[1])
    client = serve(PROFILE + KEYS.format("${FIRST}", "${SECOND}"))
    assert [ask(client, SECRETS[0]).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert ask(client, SECRETS[1]).status_code == 200


def test_unauthenticated_requests_use_no_clients_quota(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRST", SECRETS[0])
    monkeypatch.setenv("SECOND", SECRETS[1])
    client = serve(PROFILE + KEYS.format("${FIRST}", "${SECOND}"))
    assert {ask(client, "wrong").status_code for _ in range(5)} == {401}
    assert ask(client, SECRETS[0]).status_code == 200


def test_a_contract_reports_rate_limits_in_its_own_shape(serve: Serve) -> None:
    fields = "metadata: {fields: {chapter: {type: integer}, page: {type: integer}}}\n"
    client = serve(PROFILE + "contract: textbook\n" + fields)
    answers = [client.get("/health") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1].json()["status_code"] == 429


@pytest.mark.parametrize("keys", ["", KEYS])
def test_the_command_line_of_this_machine_is_not_counted(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, keys: str
) -> None:
    monkeypatch.setenv("FIRST", SECRETS[0])
    monkeypatch.setenv("SECOND", SECRETS[1])
    token = new_token()
    client = serve(PROFILE + keys.format("${FIRST}", "${SECOND}"), local_token=token)
    assert {ask(client, token).status_code for _ in range(10)} == {200}
    assert [ask(client, SECRETS[0]).status_code for _ in range(4)] == [200, 200, 200, 429]


def test_a_made_up_key_of_a_command_line_is_counted(serve: Serve) -> None:
    client = serve(PROFILE, local_token=new_token())
    assert [ask(client, new_token()).status_code for _ in range(4)] == [200, 200, 200, 429]


def test_without_a_limit_nothing_is_counted(serve: Serve) -> None:
    client = serve(PROFILE.replace("limits: {requests_per_minute: 3}\n", ""))
    assert {ask(client).status_code for _ in range(10)} == {200}


def test_counting_starts_no_thread() -> None:
    counts = Counts()
    time.sleep(0.1)  # the library's storage begins with one
    before = threading.enumerate()
    assert counts.hit(RateLimitItemPerMinute(3), "a") is None
    assert threading.enumerate() == before


def test_counts_of_earlier_minutes_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = Counts()
    counts.hit(RateLimitItemPerMinute(3), "a")
    monkeypatch.setattr(counts._own.storage, "_EVERY_S", 0)
    with time_machine.travel(time.time() + 200):
        counts.hit(RateLimitItemPerMinute(3), "b")
    assert [key.split("/")[1] for key in counts._own.storage.storage] == ["b"]
