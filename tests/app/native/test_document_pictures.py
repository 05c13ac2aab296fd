"""Pictures of documents over HTTP: named by hits and footnotes, shown to those who may see the document, inert."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.running import serving
from tests.pipelines.reading.picture_files import image, word_file

TENANT = """
tenant: shelf
pictures: {keep: true}
chunking: {size: 64, overlap: 0}
jobs: {run: worker}
metadata:
  fields: {level: {type: keyword, values: [all, room]}, room: {type: keyword}}
  hierarchy: {level: level, path: [room]}
auth:
  keys:
    - {name: all, secret: "${SHELF_ALL}", role: admin}
    - {name: east, secret: "${SHELF_EAST}", role: reader, scope: {room: east}}
"""
ALL, EAST = {"X-API-Key": "shelf-admin-secret-7"}, {"X-API-Key": "shelf-east-secret-44"}
URL = "/tenants/shelf/documents"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SHELF_ALL", ALL["X-API-Key"])
        environment.setenv("SHELF_EAST", EAST["X-API-Key"])
        with serving(tmp_path_factory.mktemp("shelf"), (TENANT,)) as client:
            put(client, "guide/lamp #1.docx")
            yield client


def put(client: httpx.Client, name: str, colour: str = "orange", room: str = "west") -> None:
    content = word_file(["The lamp stands in the corner of the room.", (image(colour), "Circuit of the lamp")])
    form = {"metadata": f'{{"level": "room", "room": "{room}"}}', "document_id": name}
    answer = client.post(URL, files={"file": (name, content)}, data=form, headers=ALL)
    assert answer.status_code == 201, answer.text


def get(client: httpx.Client, path: str, headers: dict[str, str] = ALL, **asked: Any) -> httpx.Response:
    return client.get(f"{URL}/{path}", params=asked, headers=headers)


def test_a_footnote_and_a_hit_name_a_picture_that_can_be_fetched(shelf: httpx.Client) -> None:
    asked = {"question": "What does the circuit of the lamp look like?"}
    answer = shelf.post("/tenants/shelf/query", json=asked, headers=ALL).json()
    (cited,) = [citation["picture"] for citation in answer["citations"] if "Circuit" in citation["quote"]]
    (shown,) = answer["sources"][0]["pictures"]
    assert cited == shown
    assert shown["path"] == "documents/guide%2Flamp%20%231.docx/pictures/1?version=1"
    assert (shown["number"], shown["media_type"], shown["described_by"]) == (1, "image/png", None)
    fetched = shelf.get(f"/tenants/shelf/{shown['path']}", headers=ALL)
    assert fetched.content.startswith(b"\x89PNG")
    assert fetched.headers["content-type"] == "image/png"
    assert fetched.headers["x-content-type-options"] == "nosniff"
    assert fetched.headers["content-security-policy"] == "default-src 'none'; sandbox"


def test_an_older_version_shows_its_own_picture(shelf: httpx.Client) -> None:
    put(shelf, "two.docx", "orange")
    put(shelf, "two.docx", "purple")
    old, new = get(shelf, "two.docx/pictures/1", version=1), get(shelf, "two.docx/pictures/1")
    assert old.status_code == new.status_code == 200
    assert old.content != new.content
    assert get(shelf, "two.docx/pictures/1", version=3).status_code == 404


@pytest.mark.parametrize(("path", "status"), [
    ("guide%2Flamp%20%231.docx/pictures/2", 404),
    ("guide%2Flamp%20%231.docx/pictures/0", 400),
    ("nowhere.docx/pictures/1", 404),
])  # fmt: skip
def test_a_picture_that_is_not_there_is_an_error(shelf: httpx.Client, path: str, status: int) -> None:
    assert get(shelf, path).status_code == status


def test_a_key_sees_no_picture_of_another_scope_and_nobody_without_a_key(shelf: httpx.Client) -> None:
    put(shelf, "east.docx", room="east")
    assert get(shelf, "guide%2Flamp%20%231.docx/pictures/1", EAST).status_code == 404
    assert get(shelf, "east.docx/pictures/1", EAST).status_code == 200
    assert get(shelf, "east.docx/pictures/1", {}).status_code == 401


def test_a_purged_document_has_no_picture(shelf: httpx.Client) -> None:
    put(shelf, "gone.docx")
    purged = shelf.delete(f"{URL}/gone.docx", params={"purge": "true"}, headers=ALL)
    assert purged.json()["purge"]["removed"]["pictures"] == 1
    assert get(shelf, "gone.docx/pictures/1").status_code == 404
