"""Keys that are held to a scope: no route of the native API lets on what a sibling holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from app.main import native_app
from tests.app.native.calls import accepted, ended
from tests.app.running import serving

PROFILE = """
tenant: cortx
metadata:
  fields:
    level:     {type: keyword, values: [platform, suite, entity], required: true}
    suite:     {type: keyword}
    entity_id: {type: keyword}
    source:    {type: keyword}
  hierarchy: {level: level, path: [suite, entity_id]}
auth:
  keys:
    - {name: ops, secret: "${OPS_KEY}", role: admin}
    - {name: fed, secret: "${FED_KEY}", role: admin, scope: {suite: fed}}
    - {name: fed reader, secret: "${FED_READER_KEY}", role: reader, scope: {suite: fed}}
    - {name: corp, secret: "${CORP_KEY}", role: writer, scope: {suite: corp}}
"""
SECRETS = {"OPS_KEY": "ops", "FED_KEY": "fed", "FED_READER_KEY": "fed-reader", "CORP_KEY": "corp-writer"}
FED, CORP = {"level": "suite", "suite": "fed"}, {"level": "suite", "suite": "corp"}
# What a sibling holds, in every form in which it could be told.
TEXT, TITLE, SOURCE, VALUE, FILE, ID = (f"CANARY-{name}" for name in ("text", "title", "source", "value", "file", "id"))
CANARIES = (TEXT, TITLE, SOURCE, VALUE, FILE, ID, "corp")
SIBLINGS = f"{ID}/ledger.md"
QUESTION = "When is the ledger reconciled?"

# What each route that takes a body is asked, with an id that is a sibling's, or nobody's; a new one has to be put here.
BODIES: dict[str, Any] = {
    "search": {"query": f"{TEXT} ledger", "top_k": 50, "filters": {"not": {"suite": "fed"}}, "conversation_id": "ID"},
    "query": {"question": f"Why {TEXT}?", "top_k": 50, "scope": {"suite": "corp"}},
    "give_feedback": {"answer_id": "ANSWER", "helpful": False, "comment": f"Not {TEXT}.", "user": "ID"},
    "explain": {"query": f"{TEXT} ledger", "document_id": "ID", "filters": {"not": {"suite": "fed"}}},
    "ingest": {"content": "Ledgers of fed.", "document_id": "ID", "metadata": FED},
    "start_job": {"kind": "sync"},
    "cancel_job": None,
    "create_key": {"name": "ID", "role": "reader", "scope": {"suite": "corp"}},
    "rotate_key": {},
    "sync": {},
    "doctor": {"repair": True},
}
OPERATIONS = sorted(
    (operation["operationId"], method, path)
    for path, methods in native_app().openapi()["paths"].items()
    for method, operation in methods.items()
)


@pytest.fixture(scope="module", autouse=True)
def secrets() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SECRETS.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, secrets: None) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("scopes"), (PROFILE,)) as client:
        yield client


def caller(server: httpx.Client, key: str) -> httpx.Client:
    return httpx.Client(
        base_url=server.base_url.join("/tenants/cortx/"),
        headers={"X-API-Key": SECRETS[key]},
        trust_env=False,
        timeout=60,
    )


@pytest.fixture(scope="module")
def ops(server: httpx.Client) -> Iterator[httpx.Client]:
    with caller(server, "OPS_KEY") as client:
        yield client


@pytest.fixture(scope="module")
def fed(server: httpx.Client) -> Iterator[httpx.Client]:
    with caller(server, "FED_KEY") as client:
        yield client


@pytest.fixture(scope="module")
def siblings_job(server: httpx.Client, ops: httpx.Client) -> str:
    """Fills the tenant; gives the id of a job of the sibling's."""
    for name, metadata, text in (
        ("policy", {"level": "platform"}, "Every ledger is reconciled daily."),
        ("fed", FED, "The ledger of fed is reconciled on Fridays."),
        (SIBLINGS, CORP, f"{TEXT}: this ledger is reconciled on Mondays."),
        (SIBLINGS, {**CORP, "source": VALUE}, f"{TEXT}: this ledger is reconciled on Tuesdays."),
    ):
        said = {"title": TITLE, "source": f"{SOURCE}.md"} if metadata.get("suite") == "corp" else {}
        brought = ops.post("documents", json={"content": text, "document_id": name, "metadata": metadata, **said})
        assert brought.status_code == 201, brought.text
    with caller(server, "CORP_KEY") as corp:
        asked = {"question": f"What is {TEXT} {VALUE} reconciled by?", "conversation_id": SIBLINGS}
        assert corp.post("query", json=asked).json()["citations"]
        documents = [{"content": f"{TEXT} again.", "source": f"{FILE}.md", "metadata": CORP}]
        job_id = accepted(corp.post("jobs", json={"kind": "ingest", "documents": documents}))
        assert ended(corp, job_id)["files"][0]["state"] == "ready"
    assert (
        ops.post("documents", json={"content": "", "document_id": f"{ID}/broken", "metadata": CORP}).status_code == 422
    )
    return job_id


@pytest.fixture(scope="module")
def siblings_answer(server: httpx.Client, siblings_job: str) -> str:
    """The id of an answer that a sibling was given, and of which it said something."""
    with caller(server, "CORP_KEY") as corp:
        answer_id: str = corp.post("query", json={"question": f"What is {TEXT} reconciled by?"}).json()["answer_id"]
        said = {"answer_id": answer_id, "helpful": False, "comment": f"{TEXT} is {VALUE}.", "user": SIBLINGS}
        assert corp.post("feedback", json=said).status_code == 201
    return answer_id


def ask(
    client: httpx.Client, operation: tuple[str, str, str], document_id: str, job_id: str, answer_id: str
) -> httpx.Response:
    """The answer of a route to an id."""
    name, method, path = operation
    route = path.removeprefix("/{tenant}/").replace("{document_id}", quote(document_id, safe=""))
    route = route.replace("{job_id}", quote(job_id, safe=""))
    route = route.replace("{conversation_id}", quote(document_id, safe=""))
    route = route.replace("{name}", quote(document_id, safe=""))
    route = route.replace("{answer_id}", quote(answer_id, safe="")).replace("{page}", "1").replace("{number}", "1")
    if method == "post":
        body = json.loads(
            json.dumps(BODIES[name]).replace('"ID"', json.dumps(document_id)).replace('"ANSWER"', json.dumps(answer_id))
        )
        return client.post(route) if body is None else client.post(route, json=body)
    return client.request(method, route)


def reported(answer: httpx.Response, *sent: str) -> tuple[int, str]:
    """What an answer lets on: its status and its text, without what was sent and what differs every time."""
    text = answer.text
    for one in sent:
        text = text.replace(json.dumps(one)[1:-1], "SENT").replace(one, "SENT")
    return answer.status_code, re.sub(r'"(request_id|took_ms|answer_id|search)":\s*("[^"]*"|[\d.]+)', "", text)


def test_every_route_that_takes_a_body_is_asked_here() -> None:
    assert {name for name, method, _ in OPERATIONS if method in ("post", "put", "patch")} == set(BODIES)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation[0])
def test_no_route_reveals_documents_of_a_sibling(
    ops: httpx.Client, fed: httpx.Client, siblings_job: str, siblings_answer: str, operation: tuple[str, str, str]
) -> None:
    before = ops.get(f"documents/{quote(SIBLINGS, safe='')}").json(), ops.get("stats").json()["documents"]
    answer = ask(fed, operation, SIBLINGS, siblings_job, siblings_answer)
    sent = (SIBLINGS, siblings_job, siblings_answer, BODIES["search"]["query"], BODIES["query"]["question"])
    assert answer.status_code < 500
    assert not [canary for canary in CANARIES if canary in reported(answer, *sent)[1]]
    if "{" in operation[2].removeprefix("/{tenant}/"):
        nobodys = ask(fed, operation, "nobody/s", "no-job", "no-answer")
        assert reported(answer, *sent) == reported(nobodys, "nobody/s", "no-job", "no-answer")
        assert answer.status_code in (403, 404)
    after = ops.get(f"documents/{quote(SIBLINGS, safe='')}").json(), ops.get("stats").json()["documents"]
    assert after == before


@pytest.mark.parametrize("past", ["?version=1", "?version=2", "?as_of=3", "?as_of=4"])
def test_no_snapshot_reveals_documents_of_a_sibling(fed: httpx.Client, siblings_job: str, past: str) -> None:
    for below in ("content", "chunks"):
        answer = fed.get(f"documents/{quote(SIBLINGS, safe='')}/{below}{past}")
        assert (answer.status_code, answer.json()["code"]) == (404, "document_not_found")
    as_of = {"as_of": int(past[-1])} if "as_of" in past else {}
    found = fed.post("search", json={"query": "ledger", "top_k": 50, **as_of}).json()["results"]
    assert {hit["document_id"] for hit in found} == {"policy", "fed"} - ({"fed"} if past == "?as_of=1" else set())


@pytest.mark.parametrize(
    "said",
    [
        {"filters": {"suite": "corp"}},
        {"filters": {"or": [{"suite": "corp"}, {"level": ["suite", "entity"]}]}},
        {"filters": {"not": {"not": {"suite": "corp"}}}},
        {"filters": {"suite": {"ne": "fed"}}},
        {"filters": {"source": {"prefix": "CANARY"}}},
        {"scope": {"suite": "corp"}},
        {"scope": {"suite": "corp"}, "inherit": False},
        {"scope": {"suite": "corp", "entity_id": "acme"}},
        {"scope": {}},
    ],
)
def test_no_request_parameter_widens_a_key(fed: httpx.Client, siblings_job: str, said: dict[str, Any]) -> None:
    for mode in ("hybrid", "dense", "sparse"):
        found = fed.post("search", json={"query": "ledger", "top_k": 50, "mode": mode, **said}).json()
        assert {hit["document_id"] for hit in found["results"]} <= {"policy", "fed"}
    answered = fed.post("query", json={"question": QUESTION, "top_k": 50, **said}).json()
    assert {hit["document_id"] for hit in answered["sources"]} <= {"policy", "fed"}
    spelt = {name: json.dumps(value) for name, value in said.items()}
    assert {one["document_id"] for one in fed.get("documents", params=spelt).json()["documents"]} <= {"policy", "fed"}
    assert not [canary for canary in CANARIES if canary in fed.get("facets", params=spelt).text]


def test_lists_and_figures_cover_only_what_the_key_sees(fed: httpx.Client, siblings_job: str) -> None:
    documents = fed.get("documents").json()
    assert ([one["document_id"] for one in documents["documents"]], documents["total"]) == (["fed", "policy"], 2)
    assert fed.get("documents?state=failed").json() == {"documents": [], "next_cursor": None, "total": 0}
    stats = fed.get("stats").json()
    assert (stats["documents"], stats["chunks"], stats["versions"], stats["failed"]) == (2, 2, 2, 0)
    facets = fed.get("facets").json()
    assert facets["documents"] == 2
    assert [place["value"] for place in facets["hierarchy"]["below"]] == ["fed"]


def test_a_reader_of_a_scope_reads_what_it_inherits_and_writes_nothing(
    server: httpx.Client, ops: httpx.Client, siblings_job: str
) -> None:
    with caller(server, "FED_READER_KEY") as reader:
        assert reader.get("documents/policy/content").text == "Every ledger is reconciled daily."
        assert reader.get("documents?scope=%7B%22suite%22%3A%22fed%22%7D&inherit=false").json()["total"] == 1
        assert reader.post("documents", json={"content": "x", "metadata": FED}).status_code == 403
        assert reader.delete("documents/fed").status_code == 403
        assert reader.get("jobs").status_code == 403


def test_a_conversation_is_seen_by_its_own_key_and_the_admins(
    server: httpx.Client, fed: httpx.Client, ops: httpx.Client, siblings_job: str
) -> None:
    began = fed.post("query", json={"question": QUESTION, "conversation_id": "fed's"}).json()
    assert began["conversation_id"] == "fed's"
    assert ops.get("conversations/fed's").json()["turns"][0]["question"] == QUESTION
    with caller(server, "FED_READER_KEY") as reader, caller(server, "CORP_KEY") as corp:
        for other in (corp, reader):
            assert "fed's" not in other.get("conversations").text
            for method in ("get", "delete"):
                refused = other.request(method, "conversations/fed's")
                assert (refused.status_code, refused.json()["code"]) == (404, "conversation_not_found")
        own = corp.post("query", json={"question": "And on Fridays?", "conversation_id": "fed's"}).json()
        assert own["rewritten_question"] is None, "it is another conversation of the same name"
        assert corp.get(f"conversations/{quote(SIBLINGS, safe='')}").json()["length"] == 1
    assert fed.delete("conversations/fed's").json() == {"conversation_id": "fed's", "turns_removed": 1}


def test_a_document_outside_of_the_scope_is_refused(fed: httpx.Client, ops: httpx.Client, siblings_job: str) -> None:
    for metadata in (CORP, {"level": "platform"}, {"level": "entity", "suite": "fed", "entity_id": "acme"}):
        answer = fed.post("documents", json={"content": "Ledgers.", "document_id": "new", "metadata": metadata})
        assert (answer.status_code, answer.json()["code"]) == (403, "outside_scope")
    incomplete = fed.post("documents", json={"content": "Ledgers.", "metadata": {"level": "suite"}})
    assert incomplete.status_code == 422
    assert incomplete.json()["errors"][0]["path"] == "metadata -> suite"
    form = {"metadata": json.dumps(CORP), "document_id": "new"}
    assert fed.post("documents", data=form, files={"file": ("a.txt", b"Ledgers.")}).status_code == 403
    assert ops.get("documents/new").status_code == 404


def test_an_id_that_is_taken_elsewhere_is_refused_like_any_document_outside(
    fed: httpx.Client, ops: httpx.Client, siblings_job: str
) -> None:
    taken = {"content": "Ledgers.", "document_id": SIBLINGS, "metadata": FED}
    outside = {"content": "Ledgers.", "document_id": "free", "metadata": CORP}
    same = {"content": f"{TEXT}: this ledger is reconciled on Tuesdays.", "document_id": SIBLINGS, "title": TITLE}
    same |= {"source": f"{SOURCE}.md", "metadata": {**CORP, "source": VALUE}}
    answers = [reported(fed.post("documents", json=body)) for body in (taken, outside, same)]
    assert answers[0][0] == 403
    assert len(set(answers)) == 1
    several = fed.post("documents", json={"documents": [taken, outside, same]}).json()["documents"]
    assert {(one["state"], one["reason"], one["version"]) for one in several} == {("failed", several[0]["reason"], 0)}
    assert "Tuesdays" in ops.get(f"documents/{quote(SIBLINGS, safe='')}/content").text


def test_a_scoped_job_writes_and_is_visible_only_in_its_scope(
    server: httpx.Client, fed: httpx.Client, ops: httpx.Client, siblings_job: str
) -> None:
    documents = [
        {"content": "Ledgers of fed, two.", "document_id": "two", "metadata": FED},
        {"content": "Ledgers.", "document_id": SIBLINGS, "metadata": FED},
    ]
    job_id = accepted(fed.post("jobs", json={"kind": "ingest", "documents": documents}))
    assert [file["state"] for file in ended(fed, job_id)["files"]] == ["ready", "failed"]
    assert [job["job_id"] for job in fed.get("jobs").json()["jobs"]] == [job_id]
    with caller(server, "CORP_KEY") as corp:
        assert corp.get(f"jobs/{job_id}").status_code == 404
        assert [job["job_id"] for job in corp.get("jobs").json()["jobs"]] == [siblings_job]
    assert {job["job_id"] for job in ops.get("jobs").json()["jobs"]} == {job_id, siblings_job}
    queued = fed.post("documents", json={**documents[0], "document_id": "three", "wait": False})
    assert ended(fed, accepted(queued))["state"] == "done"
    for name in ("two", "three"):
        assert fed.delete(f"documents/{name}").status_code == 200


def test_operations_on_the_whole_tenant_need_an_unscoped_key(
    fed: httpx.Client, ops: httpx.Client, siblings_job: str
) -> None:
    asked = [("jobs", {"kind": kind}) for kind in ("sync", "reembed", "optimize", "purge")]
    for route, body in [*asked, ("sync", {}), ("sync", {"wait": False}), ("doctor", {})]:
        answer = fed.post(route, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "held_to_scope"), route
    assert fed.delete("documents/fed?purge=true").status_code == 403
    assert fed.delete("documents/policy").json()["code"] == "outside_scope"
    assert ops.get("documents/policy").status_code == ops.get("documents/fed").status_code == 200


def test_a_scoped_key_rates_and_sees_only_its_own_answers(
    ops: httpx.Client, fed: httpx.Client, siblings_answer: str
) -> None:
    refused = fed.post("feedback", json={"answer_id": siblings_answer, "helpful": True})
    assert (refused.status_code, refused.json()["code"]) == (404, "answer_not_found")
    mine = fed.post("query", json={"question": QUESTION}).json()["answer_id"]
    before = fed.get("stats").json()["feedback"]
    assert fed.post("feedback", json={"answer_id": mine, "helpful": True}).json()["scope"] == {"suite": "fed"}
    assert [one["answer_id"] for one in fed.get("feedback").json()["feedback"]] == [mine]
    assert fed.get("stats").json()["feedback"] == {**before, "helpful": before["helpful"] + 1}
    assert {siblings_answer, mine} <= {one["answer_id"] for one in ops.get("feedback").json()["feedback"]}
