"""Forms that cannot be read: each is refused with a problem that says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.running import serving


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("forms"), ("tenant: t\nstore: {engine: memory}\n",)) as client:
        client.base_url = client.base_url.join("/tenants/t/")
        yield client


def refused(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["detail"]
    return problem


@pytest.mark.parametrize(
    ("content_type", "raw"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=", b"x"),
        ("multipart/form-data; boundary=b", b""),
        ("multipart/form-data; boundary=b", b"--c\r\n\r\n"),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n',
        ),
        ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"),
        (
            "multipart/form-data; boundary=b; charset=undefined",
            b'--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--b--\r\n',
        ),
        (
            "multipart/form-data; boundary=b; charset=utf-7",
            b'--b\r\nContent-Disposition: form-data; name="title"\r\n\r\n+2AA-\r\n--b--\r\n',
        ),
    ],
)
def test_a_broken_form_is_malformed(api: httpx.Client, content_type: str, raw: bytes) -> None:
    refused(api.post("documents", content=raw, headers={"Content-Type": content_type}), 400)


@pytest.mark.parametrize("raw", [b"", b"--b\r\n", b"\r\n--b"])
def test_a_form_that_ends_early_is_said_to(api: httpx.Client, raw: bytes) -> None:
    form = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHalf of a te' + raw
    answer = api.post("documents", content=form, headers={"Content-Type": "multipart/form-data; boundary=b"})
    problem = refused(answer, 400)
    assert (problem["code"], problem["errors"][0]["path"]) == ("request_malformed", "")
    assert "ends before its closing boundary" in problem["detail"]


def test_a_form_whose_last_field_is_cut_off_is_not_taken_without_it(api: httpx.Client) -> None:
    form = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nA whole text.\r\n'
        b'--b\r\nContent-Disposition: form-data; name="document_id"\r\n\r\ncut-o'
    )
    answer = api.post("documents", content=form, headers={"Content-Type": "multipart/form-data; boundary=b"})
    assert "ends before its closing boundary" in refused(answer, 400)["detail"]


TWO = [("file", ("a.txt", b"The first lamp.")), ("file", ("b.txt", b"The second lamp."))]


@pytest.mark.parametrize("wrong", [{"source": "one.txt"}, {"source": ["1.txt", "2.txt", "3.txt"]}])
def test_sources_are_given_for_all_files_or_none(api: httpx.Client, wrong: dict[str, Any]) -> None:
    problem = refused(api.post("documents", files=TWO, data=wrong), 400)
    expected = {"path": "source", "message": "must be given once for each file, or not at all", "suggestion": None}
    assert problem["errors"] == [expected]


@pytest.mark.parametrize("name", ["document_id", "title"])
def test_several_files_have_no_id_or_title_together(api: httpx.Client, name: str) -> None:
    problem = refused(api.post("documents", files=TWO, data={name: "lamps"}), 400)
    assert problem["errors"][0]["path"] == name


def test_a_form_of_too_many_files_is_malformed(api: httpx.Client) -> None:
    files = [("file", (f"{number}.txt", b"A lamp.")) for number in range(101)]
    assert "Too many files" in refused(api.post("documents", files=files), 400)["detail"]
