"""What a running server counts, as Prometheus reads it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics

from tests.app.metrics.five_tenants import ingest
from tests.app.metrics.scraping import Scrape

SHAPELESS = "zqx"
"""Stands in everything below that a caller chooses."""


def test_both_formats_can_be_read_by_their_parsers(client: httpx.Client) -> None:
    assert {"footnote_search_duration_seconds", "process_cpu_seconds"} <= {one.name for one in Scrape(client).families}
    answer = client.get("/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    assert "footnote_search_duration_seconds" in {one.name for one in open_metrics(answer.text)}


@pytest.mark.parametrize("accept", ["", "*/*", "text/html", "text/plain; version=1e;;", "application/json;;=", "é"])
def test_any_accept_header_gets_the_metrics(client: httpx.Client, accept: str) -> None:
    answer = client.get("/metrics", headers={"accept": accept.encode()})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")


@pytest.mark.parametrize("version", ["abc", "", "1..", "0.0.1", "99"])
def test_any_version_of_openmetrics_gets_the_metrics(client: httpx.Client, version: str) -> None:
    answer = client.get("/metrics", headers={"accept": f"application/openmetrics-text; version={version}"})
    assert answer.status_code == 200
    assert list(open_metrics(answer.text))


def test_requests_are_counted_by_tenant_interface_route_and_status(client: httpx.Client) -> None:
    before = Scrape(client)
    client.post("/tenants/plain/search", json={"query": "exercise"})
    client.post("/tenants/plain/search", json={"query": "exercise"})
    client.post("/cortx/v1/search", json={"query": "exercise"})
    client.get("/tenants/plain/documents/no%2Fsuch")
    asked = {"model": "plain", "messages": [{"role": "user", "content": "How much exercise?"}]}
    client.post("/openai/v1/chat/completions", json=asked)
    after = Scrape(client)

    def rise(**labels: str) -> float:
        name = "footnote_http_requests_total"
        return after.value(name, **labels) - before.value(name, **labels)

    assert rise(tenant="plain", api="native", method="POST", route="/{tenant}/search", status="200") == 2
    assert rise(tenant="cortx", api="cortx", route="/v1/search", status="200") == 1
    assert rise(tenant="plain", api="native", method="GET", status="404") == 1
    assert rise(tenant="plain", api="openai", route="/v1/chat/completions", status="200") == 1
    assert rise(api="server", route="/metrics") == 1
    seconds = "footnote_http_request_duration_seconds"
    assert after.value(f"{seconds}_count", tenant="plain", route="/{tenant}/search") == after.value(
        "footnote_http_requests_total", tenant="plain", route="/{tenant}/search"
    )
    assert after.value(f"{seconds}_sum", tenant="plain", route="/{tenant}/search") > 0


def test_searches_are_counted_with_their_stages_and_relevance(client: httpx.Client) -> None:
    before = Scrape(client)
    found = client.post("/tenants/plain/search", json={"query": "exercise of beagles"}).json()
    after = Scrape(client)

    def rise(name: str, **labels: str) -> float:
        return after.value(name, tenant="plain", **labels) - before.value(name, tenant="plain", **labels)

    assert rise("footnote_search_duration_seconds_count") == 1
    assert rise("footnote_search_duration_seconds_sum") == pytest.approx(found["took_ms"] / 1000, rel=0.01)
    embed, retrieve = (rise("footnote_stage_duration_seconds_sum", stage=one) for one in ("embed", "retrieve"))
    assert 0 < embed + retrieve <= rise("footnote_search_duration_seconds_sum")
    assert rise("footnote_search_relevance_sum") == pytest.approx(found["results"][0]["score"], abs=1e-6)
    assert rise("footnote_query_duration_seconds_count") == 0


def test_answers_are_counted_with_their_confidence(client: httpx.Client) -> None:
    before = Scrape(client)
    questions = ("How much exercise do beagles need?", "Who may approve a transfer of funds abroad?")
    got = [client.post("/tenants/plain/query", json={"question": one}).json() for one in questions]
    assert client.post("/tenants/plain/query", json={"question": "ok"}).json()["model"] == "small_talk"
    after = Scrape(client)

    def rise(name: str, **labels: str) -> float:
        return after.value(name, tenant="plain", **labels) - before.value(name, tenant="plain", **labels)

    low = sum(answer["confidence"] < 0.5 for answer in got)
    assert 0 < low < 2, "one of the questions can be answered, the other cannot"
    assert rise("footnote_answers_low_confidence_total") == low
    assert rise("footnote_query_duration_seconds_count") == 3
    assert rise("footnote_answer_confidence_count") == 2, "small talk says nothing of how sure answers are"
    assert rise("footnote_answer_confidence_sum") == pytest.approx(sum(one["confidence"] for one in got), abs=1e-6)
    assert rise("footnote_answer_confidence_bucket", le="0.5") == low
    for reason in ("no_hits", "filtered_out", "low_confidence"):
        assert rise("footnote_answers_abstained_total", reason=reason) == sum(one["reason"] == reason for one in got)


def test_streamed_answers_are_counted_when_they_are_over(client: httpx.Client) -> None:
    before = Scrape(client)
    asked = {"question": "How much exercise do beagles need?", "stream": True}
    assert "event: done" in client.post("/tenants/cortx/query", json=asked).text
    after = Scrape(client)
    name = "footnote_query_duration_seconds_count"
    assert after.value(name, tenant="cortx") - before.value(name, tenant="cortx") == 1


def test_calls_of_the_language_model_are_counted(client: httpx.Client) -> None:
    before = Scrape(client)
    client.post("/tenants/cortx/query", json={"question": "How much exercise do beagles need?"})
    after = Scrape(client)

    def rise(name: str, **labels: str) -> float:
        of_model = {"tenant": "cortx", "model": "llama3", **labels}
        return after.value(name, **of_model) - before.value(name, **of_model)

    assert rise("footnote_llm_requests_total", outcome="ok") == 1
    assert rise("footnote_llm_first_token_seconds_count") == rise("footnote_llm_queue_seconds_count") == 1
    assert rise("footnote_llm_tokens_total", kind="prompt") > rise("footnote_llm_tokens_total", kind="completion") > 0
    assert after.value("footnote_llm_calls", tenant="cortx") == 0


def test_an_unavailable_language_model_is_counted(client: httpx.Client) -> None:
    before = Scrape(client)
    asked = {"question": "How much exercise do beagles need?"}
    assert client.post("/tenants/deaf/query", json=asked).status_code == 503
    after = Scrape(client)
    for name in ("footnote_answers_failed_total", "footnote_query_duration_seconds_count"):
        assert after.value(name, tenant="deaf") - before.value(name, tenant="deaf") == 1
    assert after.value("footnote_llm_requests_total", tenant="deaf", outcome="llm_unavailable") >= 1


def test_documents_are_counted_by_their_result(client: httpx.Client) -> None:
    before = Scrape(client)
    text = "The papillon is a small dog with large ears."
    assert ingest(client, "plain", text, "papillon").status_code == 201
    assert ingest(client, "plain", text, "papillon").json()["state"] == "unchanged"
    assert ingest(client, "plain", text, "the-same-text").status_code == 201
    assert ingest(client, "plain", " ", "nothing").status_code == 422
    after = Scrape(client)

    def rise(name: str, **labels: str) -> float:
        return after.value(name, tenant="plain", **labels) - before.value(name, tenant="plain", **labels)

    for state, documents in (("ready", 2), ("unchanged", 1), ("failed", 1)):
        assert rise("footnote_ingested_documents_total", state=state) == documents
    assert rise("footnote_ingested_chunks_total") == rise("footnote_ingestion_duration_seconds_count") == 2
    assert rise("footnote_ingestion_failures_total", code="document_empty") == 1
    assert rise("footnote_cache_lookups_total", cache="embedding", result="hit") == 1
    assert rise("footnote_cache_lookups_total", cache="embedding", result="miss") == 1


def test_gauges_say_what_a_tenant_holds(client: httpx.Client) -> None:
    stats = client.get("/tenants/plain/stats").json()
    scrape = Scrape(client)
    assert scrape.value("footnote_documents", tenant="plain", state="current") == stats["documents"]
    assert scrape.value("footnote_documents", tenant="plain", state="failed") == stats["failed"]
    for name in ("chunks", "versions", "snapshot"):
        assert scrape.value(f"footnote_{name}", tenant="plain") == stats[name] > 0


def test_jobs_are_counted_by_their_states(client: httpx.Client) -> None:
    body = {"kind": "optimize"}
    assert client.post("/tenants/plain/jobs", json=body).status_code == 202
    waiting = Scrape(client).value("footnote_jobs", tenant="plain", state="queued")
    assert waiting == len(client.get("/tenants/plain/jobs", params={"state": "queued"}).json()["jobs"]) > 0


def test_an_unavailable_embedding_server_is_counted(client: httpx.Client) -> None:
    assert client.post("/tenants/away/search", json={"query": "exercise"}).status_code == 503
    assert Scrape(client).value("footnote_part_failures_total", tenant="away", part="embedding") >= 1


def test_a_broken_database_is_counted_and_spares_other_tenants(client: httpx.Client, folder: Path) -> None:
    assert Scrape(client).value("footnote_catalogue_up", tenant="torn") == 1
    with sqlite3.connect(folder / "data" / "torn" / "catalogue.sqlite") as database:
        database.execute("ALTER TABLE jobs RENAME TO elsewhere")
    Scrape(client)
    scrape = Scrape(client)
    assert scrape.value("footnote_catalogue_up", tenant="torn") == 0
    assert scrape.value("footnote_part_failures_total", tenant="torn", part="catalogue") >= 1
    assert ("footnote_snapshot", frozenset({("tenant", "torn")})) not in scrape.series()
    assert scrape.value("footnote_catalogue_up", tenant="plain") == 1


# ---------------------------------------------------------------------------------------------------------------------
# Nothing that a caller chooses becomes a series
METHODS = st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "BREW", "ZQX"])
STARTS = st.sampled_from(
    ["/", "/tenants/", "/tenants/plain/", "/tenants/plain/documents/", "/cortx/", "/cortx/v1/", "/openai/v1/", "/mcp/"]
)


@given(st.lists(st.tuples(METHODS, STARTS, st.text(max_size=12)), min_size=10, max_size=20))
@examples(max_examples=6)
def test_paths_methods_and_names_make_no_series(client: httpx.Client, asked: list[tuple[str, str, str]]) -> None:
    for method, start, name in asked:
        path = f"{start}{SHAPELESS}{quote(name, safe='/')}"
        body = {"query": SHAPELESS, "question": SHAPELESS, "model": SHAPELESS}
        client.request(method, path, json=body, headers={"x-request-id": SHAPELESS, "x-api-key": SHAPELESS})
    assert SHAPELESS not in client.get("/metrics").text.lower()


def test_texts_and_ids_make_no_series(client: httpx.Client) -> None:
    def ask(mark: str) -> None:
        ingest(client, "plain", f"The {mark} is a rare animal.", mark)
        ingest(client, "cortx", " ", mark)
        for tenant in ("plain", "cortx"):
            asked = {"question": f"What is a {mark}?", "conversation_id": mark, "llm": {"model": mark}}
            client.post(f"/tenants/{tenant}/query", json=asked)
            client.post(f"/tenants/{tenant}/query", json={"question": f"What is a {mark}?"})
            client.post(f"/tenants/{tenant}/search", json={"query": mark, "mode": mark})
            client.post(f"/tenants/{tenant}/search", json={"query": mark, "filters": {mark: mark}})
            client.get(f"/tenants/{tenant}/documents/{mark}/content", params={"version": mark})
        client.get(f"/tenants/{mark}/stats")
        client.delete(f"/tenants/plain/documents/{mark}")

    ask(SHAPELESS)
    once = Scrape(client)
    ask(f"{SHAPELESS}2")
    assert Scrape(client).series() == once.series()
    assert SHAPELESS not in once.text
