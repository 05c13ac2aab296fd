"""The native API from one document in to its deletion, over real HTTP and a real engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.running import serving
from tests.packing import packed

PROFILE = """
tenant: breeds
metadata:
  fields:
    species: {type: keyword, values: [dog, cat]}
    weight: {type: float}
limits: {question_chars: [1, 200], content_chars: [1, 20000], file_bytes: 50000, top_k: 20}
"""
COLLIE = (
    "# Border Collie\n\nThe Border Collie is a herding dog from the border of Scotland and England.\n\n"
    "## Exercise\n\nA Border Collie needs at least two hours of exercise every day.\n"
)
COLLIE_SHOWN = COLLIE.replace("# ", "").replace("#", "").strip()
PERSIAN = "The Persian is a cat with long fur. It must be brushed every day, and it likes to stay indoors.\n"
HIT = {
    "chunk_id", "document_id", "version", "title", "source", "content", "metadata", "score", "scores", "span", "page",
    "page_label",
    "headings",
    "pictures",
}  # fmt: skip


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("native"), (PROFILE,)) as client:
        client.base_url = client.base_url.join("/tenants/breeds/")
        yield client


@pytest.fixture
def api(shared: httpx.Client) -> Iterator[httpx.Client]:
    """A tenant that holds a dog and a cat, and afterwards nothing."""
    for name, content, species in (("dogs/collie.md", COLLIE, "dog"), ("cats/persian.txt", PERSIAN, "cat")):
        _ingest(shared, document_id=name, content=content, source=name, metadata={"species": species, "seen": [1]})
    yield shared
    for document in shared.get("documents?limit=1000").json()["documents"]:
        _delete(shared, document["document_id"])


def _ingest(api: httpx.Client, **body: Any) -> dict[str, Any]:
    answer = api.post("documents", json=body)
    assert answer.status_code == 201, answer.text
    document: dict[str, Any] = answer.json()
    return document


def _address(document_id: str, below: str = "") -> str:
    return f"documents/{_quoted(document_id)}{below}"


def _quoted(document_id: str) -> str:
    return "".join(
        f"%{byte:02X}" if not chr(byte).isalnum() or byte > 127 else chr(byte) for byte in document_id.encode()
    )


def _delete(api: httpx.Client, document_id: str) -> httpx.Response:
    return api.delete(_address(document_id))


def test_a_new_document_is_ready_and_the_same_again_is_unchanged(api: httpx.Client) -> None:
    body = {"document_id": "new", "content": "The Pug is a small dog.", "title": "Pug"}
    first = _ingest(api, **body)
    assert set(first) == {
        "document_id", "version", "chunks_created", "embeddings_generated", "state", "snapshot",
    }  # fmt: skip
    assert (first["document_id"], first["version"], first["state"]) == ("new", 1, "ready")
    assert first["chunks_created"] >= 1
    assert first["embeddings_generated"] >= 1
    again = _ingest(api, **body)
    assert (again["state"], again["version"], again["chunks_created"]) == ("unchanged", 1, 0)


def test_new_content_is_a_new_version_and_the_old_text_can_still_be_read(api: httpx.Client) -> None:
    _ingest(api, document_id="changing", content="The Pug is a small dog.")
    assert _ingest(api, document_id="changing", content="The Pug is a small, old dog.")["version"] == 2
    assert api.get("documents/changing/content").text == "The Pug is a small, old dog."
    assert api.get("documents/changing/content?version=1").text == "The Pug is a small dog."
    assert api.get("documents/changing/content?version=3").status_code == 404


def test_waiting_may_be_asked_for_in_so_many_words(api: httpx.Client) -> None:
    assert _ingest(api, document_id="pug", content="The Pug is small.", wait=True)["state"] == "ready"
    answer = api.post("documents?wait=true", json={"document_id": "pug", "content": "The Pug is small."})
    assert answer.json()["state"] == "unchanged"


def test_several_documents_are_answered_one_by_one_in_their_order(api: httpx.Client) -> None:
    answer = api.post(
        "documents",
        json={
            "documents": [
                {"document_id": "pug", "content": "The Pug is small."},
                {"document_id": "empty", "content": " \n "},
                {"document_id": "manx", "content": "The Manx has no tail."},
            ]
        },
    )
    assert answer.status_code == 201
    documents = answer.json()["documents"]
    assert [(one["document_id"], one["state"]) for one in documents] == [
        ("pug", "ready"), ("empty", "failed"), ("manx", "ready"),
    ]  # fmt: skip
    assert "reason" not in documents[0]
    assert "no text" in documents[1]["reason"]


def test_a_file_is_ingested_with_its_fields(api: httpx.Client) -> None:
    answer = api.post(
        "documents",
        files={"file": ("C:\\docs\\pug.md", b"# Pug\n\nThe Pug snores.\n", "application/octet-stream")},
        data={"metadata": json.dumps({"species": "dog"}), "document_id": "pug", "title": "The Pug", "wait": "true"},
    )
    assert (answer.status_code, answer.json()["document_id"]) == (201, "pug")
    document = api.get("documents/pug").json()
    assert (document["title"], document["source"], document["metadata"]["species"]) == ("The Pug", "pug.md", "dog")


def test_a_file_without_an_id_is_known_by_its_name(api: httpx.Client) -> None:
    answer = api.post("documents", files={"file": ("Ärger & Spaß.txt", "Fröhlich.".encode())}, data={"title": ""})
    assert answer.json()["document_id"] == "Ärger & Spaß.txt"
    assert api.get(_address("Ärger & Spaß.txt", "/content")).text == "Fröhlich."


def test_a_file_without_an_id_is_known_by_its_source(api: httpx.Client) -> None:
    answer = api.post("documents", files={"file": ("pug.md", b"The Pug snores.")}, data={"source": "dogs/pug.md"})
    assert (answer.status_code, answer.json()["document_id"]) == (201, "dogs/pug.md")
    document = api.get("documents/dogs/pug.md").json()
    assert (document["source"], document["media_type"]) == ("dogs/pug.md", "text/markdown")


def test_an_archive_ingests_its_files(api: httpx.Client) -> None:
    content = packed(dogs__pug_md="# Pug\n\nThe Pug snores.", blank_txt=" ", inner_zip=packed(a_md="a"))
    answer = api.post("documents", files={"file": ("pets.zip", content)}, data={"metadata": '{"species": "dog"}'})
    assert answer.status_code == 201
    became = {one["document_id"]: one for one in answer.json()["documents"]}
    assert {name: one["state"] for name, one in became.items()} == {
        "pets.zip/blank.txt": "failed", "pets.zip/dogs/pug.md": "ready", "pets.zip/inner.zip": "failed",
    }  # fmt: skip
    assert "unpack it" in became["pets.zip/inner.zip"]["reason"]
    document = api.get("documents/pets.zip/dogs/pug.md").json()
    assert (document["title"], document["source"]) == ("Pug", "pets.zip/dogs/pug.md")
    assert document["metadata"]["species"] == "dog"


def test_a_form_ingests_several_files(api: httpx.Client) -> None:
    packed_pug = packed(pug_md="The Pug snores.")
    files = [("file", ("a.txt", b"The Boxer leaps.")), ("file", ("b.zip", packed_pug)), ("file", ("c.txt", b" "))]
    answer = api.post("documents", files=files, data={"metadata": '{"species": "dog"}'})
    assert answer.status_code == 201, answer.text
    became = {one["document_id"]: one["state"] for one in answer.json()["documents"]}
    assert became == {"a.txt": "ready", "b.zip/pug.md": "ready", "c.txt": "failed"}
    assert api.get("documents/a.txt").json()["metadata"]["species"] == "dog"


def test_the_archives_of_a_form_are_unpacked_up_to_a_size_together(api: httpx.Client) -> None:
    large = packed(a_txt="a" * (2**26 + 1))  # half of what is allowed, and a byte
    answer = api.post("documents", files=[("file", (f"{number}.zip", large)) for number in range(2)])
    assert answer.status_code == 400, answer.text
    assert answer.json()["errors"][0]["path"] == "file"
    assert "together; send them one by one" in answer.json()["detail"]


def test_the_files_of_a_form_are_one_job(api: httpx.Client) -> None:
    files = [("file", ("d.txt", b"The Setter points.")), ("file", ("d.txt", b"The Corgi herds."))]
    answer = api.post("documents", files=files, data={"source": ["in/d.txt", "out/d.txt"], "wait": "false"})
    assert answer.status_code == 202, answer.text
    job = api.get(f"jobs/{answer.json()['job_id']}").json()
    assert (job["kind"], job["progress"]["files_total"]) == ("ingest", 2)
    assert [file["path"] for file in job["files"]] == ["in/d.txt", "out/d.txt"]


def test_an_archive_s_id_and_source_stand_before_those_of_its_files(api: httpx.Client) -> None:
    fields = {"source": "in/pets.zip", "document_id": "pets"}
    answer = api.post("documents", files={"file": ("x.zip", packed(pug_md="The Pug snores."))}, data=fields)
    assert [one["document_id"] for one in answer.json()["documents"]] == ["pets/pug.md"]
    assert api.get("documents/pets/pug.md").json()["source"] == "in/pets.zip/pug.md"


def test_a_mailbox_ingests_its_messages(api: httpx.Client) -> None:
    content = b"From - \nFrom: Ann\nSubject: Pug\n\nThe Pug snores.\n\nFrom - \nFrom: Ann\nSubject: Manx\n\nNo tail.\n"
    answer = api.post("documents", files={"file": ("inbox.mbox", content)})
    assert [one["document_id"] for one in answer.json()["documents"]] == ["inbox.mbox/Pug.eml", "inbox.mbox/Manx.eml"]
    assert api.get("documents/inbox.mbox/Pug.eml").json()["title"] == "Pug"


def test_an_archive_that_cannot_be_read_is_a_problem(api: httpx.Client) -> None:
    for content in (packed(a_md="a" * 1000)[:60], packed(), packed(__etc__passwd="x")):
        answer = api.post("documents", files={"file": ("pets.zip", content)})
        assert (answer.status_code, answer.json()["code"]) == (422, "document_corrupt")
    answer = api.post("documents", files={"file": ("pets.zip", packed(a_md="a"))}, data={"title": "Pets"})
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (400, "title")


def test_a_file_that_cannot_be_read_is_a_problem(api: httpx.Client) -> None:
    answer = api.post("documents", files={"file": ("a.pdf", b"%PDF-1.7 broken")})
    assert (answer.status_code, answer.json()["code"]) == (422, "document_corrupt")


@pytest.mark.parametrize("size", [20_001, 50_001])
def test_a_document_that_is_too_large_for_the_profile_is_a_problem(api: httpx.Client, size: int) -> None:
    answer = api.post("documents", json={"document_id": "large", "content": "a " * (size // 2 + 1)})
    assert (answer.status_code, answer.json()["code"]) == (413, "document_too_large")


def test_documents_are_listed_page_by_page(api: httpx.Client) -> None:
    for number in range(5):
        _ingest(api, document_id=f"n{number}", content=f"Number {number}.")
    seen: list[str] = []
    page: dict[str, Any] = {"next_cursor": None}
    while not seen or page["next_cursor"] is not None:
        cursor = {"cursor": page["next_cursor"]} if page["next_cursor"] else {}
        page = api.get("documents", params={"limit": 2, **cursor}).json()
        assert page["total"] == 7
        assert len(page["documents"]) <= 2
        seen += [document["document_id"] for document in page["documents"]]
    assert sorted(seen) == sorted({"dogs/collie.md", "cats/persian.txt", "n0", "n1", "n2", "n3", "n4"})


def test_a_document_is_shown_as_it_is_listed(api: httpx.Client) -> None:
    document = api.get("documents/dogs/collie.md").json()
    assert set(document) == {
        "document_id", "title", "source", "media_type", "state", "reason", "version", "chunks", "bytes", "metadata",
        "created_at", "updated_at",
    }  # fmt: skip
    assert document in api.get("documents").json()["documents"]
    assert (document["state"], document["reason"]) == ("ready", None)
    assert document["version"] >= 1  # numbers go on after a deletion
    assert document["metadata"]["species"] == "dog"
    assert document["metadata"]["seen"] == [1]


@pytest.mark.parametrize(
    "document_id",
    ["a/b", "a/content", "chunks", "a/b/chunks", "100%", "a%2Fb", "a b", "ü/ß?x=1#y", "../x", "a//b", "..."],
)
def test_every_id_can_be_addressed(api: httpx.Client, document_id: str) -> None:
    _ingest(api, document_id=document_id, content=f"This is {document_id}.")
    assert api.get(_address(document_id)).json()["document_id"] == document_id
    assert api.get(_address(document_id, "/content")).text == f"This is {document_id}."
    assert api.get(_address(document_id, "/chunks")).json()["chunks"][0]["document_id"] == document_id
    assert _delete(api, document_id).json()["document_id"] == document_id
    assert api.get(_address(document_id)).status_code == 404


def test_a_slash_in_an_id_may_stand_as_it_is(api: httpx.Client) -> None:
    assert api.get("documents/dogs/collie.md").status_code == 200
    assert api.get("documents/dogs/collie.md/content").text == COLLIE_SHOWN


def test_content_is_plain_text_that_no_browser_takes_for_a_page(api: httpx.Client) -> None:
    _ingest(api, document_id="page", content="<script>alert(1)</script> Größe")
    answer = api.get("documents/page/content")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_chunks_are_the_stretches_of_the_text_that_their_spans_say(api: httpx.Client) -> None:
    text = api.get("documents/dogs/collie.md/content").text
    chunks = api.get("documents/dogs/collie.md/chunks").json()["chunks"]
    assert chunks
    for chunk in chunks:
        assert set(chunk) == HIT - {"score", "scores"}
        assert text[chunk["span"]["start"] : chunk["span"]["end"]] == chunk["content"]


@pytest.mark.parametrize("mode", [None, "hybrid", "dense", "sparse"])
def test_a_search_finds_the_chunk_that_answers(api: httpx.Client, mode: str | None) -> None:
    body = {"query": "How much exercise does a Border Collie need?", "top_k": 3, "mode": mode}
    answer = api.post("search", json=body)
    assert answer.status_code == 200
    assert set(answer.json()) == {"results", "snapshot", "took_ms", "rewritten_question"}
    results = answer.json()["results"]
    assert (results[0]["document_id"], set(results[0])) == ("dogs/collie.md", HIT)
    assert results[0]["scores"]["fused"]["rank"] == 1
    scores = [hit["score"] for hit in results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_a_search_may_be_filtered_and_cut_short(api: httpx.Client) -> None:
    body = {"query": "every day", "filters": {"species": "cat"}}
    assert {hit["document_id"] for hit in api.post("search", json=body).json()["results"]} == {"cats/persian.txt"}
    assert len(api.post("search", json={"query": "every day", "top_k": 1}).json()["results"]) == 1
    assert api.post("search", json={"query": "zebra", "mode": "sparse", "min_score": 1.0}).json()["results"] == []


def test_an_answer_has_every_member_and_quotes_verbatim(api: httpx.Client) -> None:
    answer = api.post("query", json={"question": "How much exercise does a Border Collie need?"})
    assert answer.status_code == 200
    body = answer.json()
    assert set(body) == {
        "answer", "answer_id", "abstained", "reason", "confidence", "citations", "claims", "sources", "model",
        "llm_generated", "degraded", "conversation_id", "rewritten_question", "snapshot", "timings_ms", "truncated",
        "removed_citations", "variant", "tools", "cached", "steps",
    }  # fmt: skip
    assert (body["model"], body["llm_generated"], body["abstained"]) == ("extractive", False, False)
    assert body["conversation_id"]
    assert body["rewritten_question"] is None
    assert "two hours" in body["answer"]
    assert set(body["sources"][0]) == HIT
    for citation in body["citations"]:
        assert set(citation) == {
            "number", "document_id", "version", "chunk_id", "title", "source", "quote", "span", "line", "page",
            "page_label", "headings", "picture",
        }  # fmt: skip
        text = api.get(_address(citation["document_id"], f"/content?version={citation['version']}")).text
        assert text[citation["span"]["start"] : citation["span"]["end"]] == citation["quote"]
    assert {"text", "citations", "verdict", "checks", "evidence", "withheld"} == set(body["claims"][0])


def test_a_deletion_is_answered_with_its_receipt(api: httpx.Client) -> None:
    receipt = _delete(api, "dogs/collie.md")
    assert receipt.status_code == 200
    assert set(receipt.json()) == {
        "document_id", "versions_removed", "chunks_removed", "cache_entries_removed", "versions_left", "chunks_left",
        "turns_erased", "comments_erased", "snapshot", "purge",
    }  # fmt: skip
    assert receipt.json()["versions_removed"] == 1
    for below in ("", "/content", "/chunks"):
        answer = api.get(_address("dogs/collie.md", below))
        assert (answer.status_code, answer.json()["code"]) == (404, "document_not_found")
    found = api.post("search", json={"query": "Border Collie exercise"}).json()["results"]
    assert "dogs/collie.md" not in {hit["document_id"] for hit in found}
    assert _delete(api, "dogs/collie.md").status_code == 404


def test_stats_count_documents_and_chunks(api: httpx.Client) -> None:
    stats = api.get("stats").json()
    assert (stats["tenant"], stats["documents"], stats["failed"]) == ("breeds", 2, 0)
    assert stats["chunks"] >= 2
    assert stats["bytes"] > 0


def test_knowledge_files_are_loaded_when_the_server_is_ready(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge" / "dogs"
    folder.mkdir(parents=True)
    (folder / "collie.md").write_text(COLLIE)
    with serving(
        tmp_path, ("tenant: synced\njobs: {run: worker}\nknowledge: {path: knowledge, sync: startup}",)
    ) as client:
        assert client.get("/tenants/synced/documents/dogs/collie.md/content").text == COLLIE_SHOWN
