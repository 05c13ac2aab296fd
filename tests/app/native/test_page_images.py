"""Pages of PDFs as pictures, with the cited passage marked."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.app.running import serving
from tests.pipelines.reading.reader_files import pdf

TENANT = """
tenant: shelf
jobs: {run: worker}
metadata:
  fields: {level: {type: keyword, values: [all, room]}, room: {type: keyword}}
  hierarchy: {level: level, path: [room]}
limits: {original_bytes: 100000}
auth:
  keys:
    - {name: all, secret: "${SHELF_ALL}", role: admin}
    - {name: east, secret: "${SHELF_EAST}", role: reader, scope: {room: east}}
"""
PAGES = [
    ["Opening hours", 30, "The library opens at nine in the morning.", "It closes at six in the even-", "ing."],
    ["Rules", 30, "Silence is kept in the reading room."],
]
ALL, EAST = {"X-API-Key": "shelf-admin-secret-7"}, {"X-API-Key": "shelf-east-secret-44"}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SHELF_ALL", ALL["X-API-Key"])
        environment.setenv("SHELF_EAST", EAST["X-API-Key"])
        with serving(tmp_path_factory.mktemp("shelf"), (TENANT,)) as client:
            put(client, "hours.pdf", pdf(PAGES))
            yield client


def put(client: httpx.Client, name: str, content: bytes, room: str = "west") -> None:
    form = {"metadata": f'{{"level": "room", "room": "{room}"}}'}
    answer = client.post("/tenants/shelf/documents", files={"file": (name, content)}, data=form, headers=ALL)
    assert answer.status_code == 201, answer.text


def text_of(client: httpx.Client, name: str = "hours.pdf") -> str:
    return client.get(f"/tenants/shelf/documents/{name}/content", headers=ALL).text


def page(client: httpx.Client, number: int, quote: str = "", **asked: Any) -> httpx.Response:
    text = text_of(client)
    span = {"start": text.index(quote), "end": text.index(quote) + len(quote)} if quote else {}
    return client.get(f"/tenants/shelf/documents/hours.pdf/pages/{number}", params=span | asked, headers=ALL)


def has_yellow(row: Image.Image) -> bool:
    return any(colour == (255, 232, 130) for _, colour in row.getcolors(row.width) or [])


def yellow(answer: httpx.Response) -> tuple[float, float] | None:
    """Where the marked part begins and ends, from the top (0) to the bottom (1) of the page."""
    picture = Image.open(BytesIO(answer.content)).convert("RGB")
    rows = [y for y in range(picture.height) if has_yellow(picture.crop((0, y, picture.width, y + 1)))]
    return (rows[0] / picture.height, rows[-1] / picture.height) if rows else None


def test_the_cited_passage_is_marked_where_it_stands(shelf: httpx.Client) -> None:
    answer = page(shelf, 1, "The library opens at nine in the morning.")
    assert answer.headers["content-type"] == "image/png"
    above = yellow(answer)
    below = yellow(page(shelf, 1, "It closes at six in the evening."))
    assert above is not None
    assert below is not None
    assert above[1] < below[1]
    assert float(answer.headers["footnote-marked-at"]) == pytest.approx(above[0], abs=0.002)
    assert below[1] - below[0] > 1.5 * (above[1] - above[0])  # two lines, joined over the hyphen


def test_a_page_without_the_passage_is_shown_unmarked(shelf: httpx.Client) -> None:
    for answer in (page(shelf, 2, "The library opens at nine in the morning."), page(shelf, 1)):
        assert answer.status_code == 200
        assert "footnote-marked-at" not in answer.headers
        assert yellow(answer) is None


def test_an_older_version_shows_its_own_page(shelf: httpx.Client) -> None:
    put(shelf, "notice.pdf", pdf([["Closed on Monday."]]))
    old = shelf.get("/tenants/shelf/documents/notice.pdf/pages/1", headers=ALL).content
    put(shelf, "notice.pdf", pdf([["Closed on Tuesday."]]))
    new = shelf.get("/tenants/shelf/documents/notice.pdf/pages/1", headers=ALL).content
    assert new != old
    again = shelf.get("/tenants/shelf/documents/notice.pdf/pages/1", params={"version": 1}, headers=ALL)
    assert again.content == old


@pytest.mark.parametrize(("path", "code"), [
    ("hours.pdf/pages/3", "page_not_found"),
    ("nowhere.pdf/pages/1", "document_not_found"),
    ("large.pdf/pages/1", "page_not_found"),
    ("plain.txt/pages/1", "page_not_found"),
])  # fmt: skip
def test_a_page_that_cannot_be_shown_is_not_found(shelf: httpx.Client, path: str, code: str) -> None:
    put(shelf, "large.pdf", pdf([["Large.", f"% {'x' * 100_000}".encode()]]))
    put(shelf, "plain.txt", b"Plain text.")
    answer = shelf.get(f"/tenants/shelf/documents/{path}", headers=ALL)
    assert (answer.status_code, answer.json()["code"]) == (404, code)


def test_a_key_sees_no_page_of_another_scope(shelf: httpx.Client) -> None:
    put(shelf, "east.pdf", pdf([["In the east."]]), "east")
    assert shelf.get("/tenants/shelf/documents/hours.pdf/pages/1", headers=EAST).status_code == 404
    assert shelf.get("/tenants/shelf/documents/east.pdf/pages/1", headers=EAST).status_code == 200


def test_a_purged_document_has_no_page_and_comes_back_without_the_old_one(shelf: httpx.Client) -> None:
    put(shelf, "gone.pdf", pdf([["Going."]]))
    purged = shelf.delete("/tenants/shelf/documents/gone.pdf", params={"purge": "true"}, headers=ALL)
    assert purged.json()["purge"]["state"] == "erased"
    assert shelf.get("/tenants/shelf/documents/gone.pdf/pages/1", headers=ALL).status_code == 404
