"""OpenPharma over HTTP without a language model: quotes, filters, conversations, streams and errors."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.contracts.openpharma.library import library

DEATHS = "By how much did empagliflozin reduce cardiovascular death?"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with library(tmp_path_factory.mktemp("openpharma")) as client:
        yield client


def search(client: httpx.Client, query: str = DEATHS, **asked: Any) -> list[dict[str, Any]]:
    answer = client.post("/search", json={"query": query, **asked})
    assert answer.status_code == 200, answer.text
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def ask(client: httpx.Client, query: str = DEATHS, **asked: Any) -> dict[str, Any]:
    answer = client.post("/ask", json={"query": query, **asked})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def test_without_a_model_the_answer_is_extractive_and_says_so(client: httpx.Client) -> None:
    body = ask(client, llm_provider="ollama")
    assert "38 per cent" in body["answer"]
    assert (body["llm_provider"], body["model"], body["llm_generated"]) == ("ollama", "extractive", False)
    assert body["degraded"]
    assert all(f"[{citation['number']}]" in body["answer"] for citation in body["citations"])


def test_a_paper_comes_with_its_bibliographic_data(client: httpx.Client) -> None:
    [result] = search(client, filters={"source_id": "99999999", "section": "results"})
    assert result["section"] == "2. Results"
    assert "38 per cent" in result["content"]
    assert {name: result[name] for name in ("title", "source_id", "authors", "publication_date", "journal", "doi")} == {
        "title": "Sample: SGLT2 inhibitors",
        "source_id": "99999999",
        "authors": ["First A. Sample", "Second Example", "Third Test"],
        "publication_date": "2021-03-15",
        "journal": "Samples for Tests",
        "doi": "10.5555/sample.1",
    }


def test_a_citation_names_authors_and_year(client: httpx.Client) -> None:
    citation = ask(client, filters={"journal": "Samples for Tests"})["citations"][0]
    assert citation["title"] == 'Sample et al. 2021, "Sample: SGLT2 inhibitors"'
    assert (citation["source_id"], citation["publication_date"]) == ("99999999", "2021-03-15")
    assert citation["authors"][0] == "First A. Sample"
    assert "38 per cent" in citation["quote"]


@pytest.mark.parametrize(
    ("filters", "titles"),
    [
        ({"publication_date": {"gte": "2021-01-01", "lt": "2022-01-01"}}, {"Sample: SGLT2 inhibitors"}),
        ({"journal": "Samples for Tests"}, {"Sample: SGLT2 inhibitors"}),
        ({"journal": ["samples FOR tests"]}, {"Sample: SGLT2 inhibitors"}),
        ({"authors": {"contains": "second example"}}, {"Sample: SGLT2 inhibitors"}),
        ({"section": "mechanism", "topics": "sglt2"}, {"SGLT2 inhibitors"}),
        ({"authors": "Second Example", "section": ["Methods", "Results"]}, {"Sample: SGLT2 inhibitors"}),
        ({"source_id": "PMC99999999"}, {"Sample: SGLT2 inhibitors"}),
        ({"source_id": {"eq": "pmc99999999"}}, {"Sample: SGLT2 inhibitors"}),
        ({"source_id": {"prefix": "PMC9999"}}, {"Sample: SGLT2 inhibitors"}),
        ({"source_id": {"in": ["PMC99999999", "FN0000"], "ne": "PMC1"}}, {"Sample: SGLT2 inhibitors"}),
        ({"or": [{"source_id": ["PMC99999999"]}, {"source_id": "FN0000"}]}, {"Sample: SGLT2 inhibitors"}),
        ({"not": {"not": {"source_id": {"in": ["PMC99999999"]}}}}, {"Sample: SGLT2 inhibitors"}),
        ({"publication_date": {"lt": "1990-01-01"}}, set()),
    ],
)
def test_papers_are_filtered_by_date_journal_and_section(
    client: httpx.Client, filters: dict[str, Any], titles: set[str]
) -> None:
    assert {result["title"] for result in search(client, filters=filters)} == titles


def test_an_abstract_is_recognised(client: httpx.Client) -> None:
    [result] = search(client, filters={"source_id": "99999999", "section": "Abstract"})
    assert result["section"] == "Abstract"


def test_an_answer_says_if_filters_exclude_everything(client: httpx.Client) -> None:
    body = ask(client, filters={"journal": "none"})
    assert (body["abstained"], body["reason"], body["citations"]) == (True, "filtered_out", [])


def test_null_is_not_given(client: httpx.Client) -> None:
    assert search(client, top_k=None, filters=None) == search(client)
    nulls = ask(client, **dict.fromkeys(("top_k", "llm_provider", "conversation_id", "filters", "stream")))
    assert nulls["answer"] == ask(client)["answer"]
    assert client.post("/ask", json={"query": None}).status_code == 400


def test_a_conversation_gets_an_id_and_can_be_continued(client: httpx.Client) -> None:
    first = ask(client, "What is metformin?")
    assert uuid.UUID(first["conversation_id"])
    second = ask(client, "What about side effects?", conversation_id=first["conversation_id"])
    assert second["conversation_id"] == first["conversation_id"]
    assert second["query"] == "What about side effects?"
    assert "metformin" in second["rewritten_question"]
    assert "nausea, diarrhoea and abdominal discomfort" in second["answer"]


def test_a_conversation_keeps_to_its_subject(client: httpx.Client) -> None:
    """As the document's own example goes on."""
    said = ask(client, "What is metformin?")
    for query in ("What about side effects?", "And its dose?", "Is it safe in kidney disease?"):
        said = ask(client, query, conversation_id=said["conversation_id"])
        assert said["rewritten_question"] == f"{query} metformin"


def test_an_unknown_conversation_id_starts_a_conversation(client: httpx.Client) -> None:
    assert ask(client, conversation_id="my-own-1")["conversation_id"] == "my-own-1"


def test_every_question_without_an_id_starts_a_new_conversation(client: httpx.Client) -> None:
    assert ask(client)["conversation_id"] != ask(client)["conversation_id"]


@pytest.mark.parametrize(
    ("path", "asked", "status", "named"),
    [
        ("/ask", {"query": "x", "llm_provider": "opnai"}, 400, "llm_provider"),
        ("/ask", {"query": ""}, 422, "query"),
        ("/ask", {"query": "x", "top_k": 101}, 422, "top_k"),
        ("/ask", {}, 400, "query"),
        ("/ask", {"query": "  "}, 422, '"path": "query"'),
        ("/ask", {"query": "x" * 4001, "stream": True}, 422, '"path": "query"'),
        ("/search", {"query": "x" * 4001}, 422, '"path": "query"'),
        ("/ask", {"query": "x", "conversation_id": ""}, 400, "conversation_id"),
        ("/search", {"query": "x", "top_k": 0}, 422, "top_k"),
        ("/search", {"query": "x", "top_k": "10"}, 400, "top_k"),
        ("/search", {"query": "x", "filters": {"jurnal": "y"}}, 422, "filters -> jurnal"),
        ("/search", {"query": "x", "filters": {"publication_date": {"gte": "soon"}}}, 422, "publication_date"),
        ("/search", {"query": "x", "filters": []}, 400, "filters"),
    ],
)
def test_bad_requests_share_one_error_envelope(
    client: httpx.Client, path: str, asked: dict[str, Any], status: int, named: str
) -> None:
    answer = client.post(path, json=asked)
    assert answer.status_code == status
    body = answer.json()
    assert set(body) == {"detail", "code", "errors", "request_id"}
    assert named in json.dumps(body["errors"])


def test_a_misspelt_provider_gets_a_suggestion(client: httpx.Client) -> None:
    [error] = client.post("/ask", json={"query": "x", "llm_provider": "opnai"}).json()["errors"]
    assert error == {
        "path": "llm_provider",
        "message": '"opnai" is not one of ollama, openai',
        "suggestion": "openai",
    }


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/ask", 405), ("POST", "/nothing", 404)])
def test_unknown_routes_are_answered_in_the_error_envelope(
    client: httpx.Client, method: str, path: str, status: int
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert set(answer.json()) == {"detail", "code", "errors", "request_id"}


def test_malformed_bodies_are_answered_in_the_error_envelope(client: httpx.Client) -> None:
    answer = client.post("/ask", content=b"{", headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert set(answer.json()) == {"detail", "code", "errors", "request_id"}


@pytest.mark.parametrize(("wrong", "right"), [("filter", "filters"), ("topk", "top_k"), ("temperature", None)])
@pytest.mark.parametrize("path", ["/ask", "/search"])
def test_unknown_keys_are_refused_with_a_suggestion(
    client: httpx.Client, path: str, wrong: str, right: str | None
) -> None:
    answer = client.post(path, json={"query": DEATHS, wrong: {"journal": "Samples for Tests"}})
    assert answer.status_code == 400, answer.text
    [problem] = answer.json()["errors"]
    assert (problem["path"], problem["suggestion"]) == (wrong, right)


def test_an_answer_can_be_streamed(client: httpx.Client) -> None:
    events: list[tuple[str, dict[str, Any]]] = []
    with client.stream("POST", "/ask", json={"query": DEATHS, "stream": True, "conversation_id": "s-1"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("event: "):
                events.append((line.removeprefix("event: "), {}))
            if line.startswith("data: "):
                events[-1] = (events[-1][0], json.loads(line.removeprefix("data: ")))
    assert events[0][0] == "sources"
    name, whole = events[-1]
    assert name == "done"
    assert whole["conversation_id"] == "s-1"
    assert "".join(data["text"] for name, data in events if name == "token") == whole["answer"]
    assert [data for name, data in events if name == "citation"] == whole["citations"]
    assert events[0][1]["chunks_used"] == whole["chunks_used"]


def test_a_pmc_id_is_normalised_to_its_digits(client: httpx.Client) -> None:
    content = "---\nsource_id: PMC7654321\n---\n\nZebrafish pancreas regenerates within two weeks."
    sent = {"documents": [{"content": content, "source": "zebrafish.md", "media_type": "text/markdown"}]}
    assert client.post("/tenants/openpharma/documents", json=sent).is_success
    [result] = search(client, "zebrafish pancreas", top_k=1)
    assert result["source_id"] == "7654321"


def test_a_section_in_the_metadata_is_found(client: httpx.Client) -> None:
    asked = {"content": "Zebrafish fins regrow in a month.", "source": "fins.md", "metadata": {"section": "Results"}}
    assert client.post("/tenants/openpharma/documents", json=asked).is_success
    [result] = search(client, "zebrafish fins", top_k=1, filters={"section": "results"})
    assert (result["document_id"], result["section"]) == ("fins.md", "Results")
    wrong = {**asked, "metadata": {"section": 4}}
    assert client.post("/tenants/openpharma/documents", json=wrong).status_code == 422


def test_the_answer_time_includes_choosing_sentences(client: httpx.Client) -> None:
    answer = client.post("/tenants/openpharma/query", json={"question": "What is metformin?"}).json()
    assert answer["timings_ms"]["compose"] > 0


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("What are the side effects of Ozempic?", "glp-1-agonists.md"),
        ("Is Glucophage safe in kidney disease?", "metformin.md"),
        ("Can gliptins be combined with incretin mimetics?", "dpp-4-inhibitors.md"),
    ],
)
def test_a_brand_name_is_answered_from_texts_about_its_drug(client: httpx.Client, question: str, document: str) -> None:
    answer = client.post("/ask", json={"query": question}).json()
    assert not answer["abstained"]
    assert answer["citations"][0]["document_id"] == document


@pytest.mark.parametrize("question", ["How does Mounjaro work?", "What are the side effects of acarbose?"])
def test_an_unknown_drug_is_not_answered_from_another_drug(client: httpx.Client, question: str) -> None:
    assert client.post("/ask", json={"query": question}).json()["abstained"]


PARTS = "What are the side effects of metformin and of SGLT2 inhibitors?"


def test_a_question_of_several_parts_is_answered_in_steps(client: httpx.Client) -> None:
    body = ask(client, PARTS)
    assert [step["question"] for step in body["steps"]] == [
        "What are the side effects of metformin?",
        "What are the side effects of SGLT2 inhibitors?",
    ]
    for step, said in zip(body["steps"], ("nausea, diarrhoea", "yeast infections"), strict=True):
        assert said in step["answer"]
        assert said in body["answer"]
        assert step["chunks_used"]
        cited = {citation["chunk_id"] for citation in body["citations"] if citation["number"] in step["citations"]}
        assert cited & {chunk["chunk_id"] for chunk in body["chunks_used"]}
    assert ask(client, PARTS, multi_step=False)["steps"] == []


def test_a_stream_reports_each_step(client: httpx.Client) -> None:
    with client.stream("POST", "/ask", json={"query": PARTS, "stream": True}) as answer:
        lines = list(answer.iter_lines())
    names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    assert names[:3] == ["step", "step", "sources"]
    assert names[-1] == "done"


def test_trials_papers_and_summaries_take_turns(client: httpx.Client) -> None:
    study = {
        "identificationModule": {"nctId": "NCT00000001", "briefTitle": "Empagliflozin and the heart"},
        "descriptionModule": {"briefSummary": "Whether empagliflozin reduces cardiovascular death is studied."},
    }
    file = {"file": ("nct.json", json.dumps({"protocolSection": study}).encode(), "application/json")}
    made = client.post("/tenants/openpharma/documents", files=file)
    assert made.status_code == 201, made.text
    found = search(client, "Does empagliflozin reduce cardiovascular death?", top_k=3)
    assert {result["source_id"] for result in found} >= {"NCT00000001", "99999999"}
    [trial] = search(client, "empagliflozin", top_k=1, filters={"source_type": "trial"})
    assert trial["source_id"] == "NCT00000001"
    client.delete(f"/tenants/openpharma/documents/{made.json()['document_id']}")
