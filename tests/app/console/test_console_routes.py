"""How the console is served: where browsers are led, and what its pages may do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.running import Serve, serving

CATS = "tenant: cats\ntitle: All cats\njobs: {run: worker}\nstore: {engine: memory}\n"
KEYED = """
tenant: dogs
jobs: {run: worker}
store: {engine: memory}
metadata:
  fields: {level: {type: keyword, values: [all, breed]}, breed: {type: keyword}}
  hierarchy: {level: level, path: [breed]}
auth:
  keys:
    - {name: walk, secret: "${DOGS_WRITER}", role: writer}
    - {name: look, secret: "${DOGS_READER}", role: reader, scope: {breed: collie}}
"""
CONTRACT = """
tenant: smart
contract: textbook
jobs: {run: worker}
store: {engine: memory}
metadata:
  fields:
    chapter: {type: integer}
    page: {type: integer}
"""
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
STATIC = Path(__file__).parents[3] / "app" / "console" / "static"


@pytest.fixture(scope="module", autouse=True)
def _secrets() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DOGS_WRITER", "walk-the-dog-at-night")
        environment.setenv("DOGS_READER", "look-at-the-dogs-here")
        yield


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("served"), (CATS, KEYED)) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/console"])
def test_a_browser_is_redirected_to_the_console(served: httpx.Client, path: str) -> None:
    page = served.get(path, headers=BROWSER, follow_redirects=True)
    assert page.url.path == "/console/"
    assert "<title>Footnote</title>" in page.text


def test_a_contract_at_the_root_is_not_redirected(serve: Serve) -> None:
    client = serve(CONTRACT)
    assert client.get("/", headers=BROWSER).headers["location"] == "console/"
    assert client.get("/").status_code == 404
    assert client.get("/console/").status_code == 200


def test_pages_run_only_scripts_of_the_server(served: httpx.Client) -> None:
    for path in ("/console/", "/console/js/main.js", "/console/css/base.css"):
        answer = served.get(path)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self';" in policy, path
        assert "unsafe" not in policy, path
        assert answer.headers["x-frame-options"] == "DENY"
    assert served.get("/console/js/main.js").headers["content-type"].startswith("text/javascript")


def test_unchanged_files_are_revalidated_and_not_resent(served: httpx.Client) -> None:
    first = served.get("/console/js/main.js")
    again = served.get("/console/js/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert (first.headers["cache-control"], again.status_code, again.content) == ("no-cache", 304, b"")


@pytest.mark.parametrize("path", ["../routes.py", "%2e%2e/routes.py", "js/../../routes.py", "js/"])
def test_only_console_files_are_served(served: httpx.Client, path: str) -> None:
    assert served.get(f"/console/{path}").status_code == 404


def test_no_console_file_loads_anything_from_another_origin() -> None:
    for file in STATIC.rglob("*"):
        if file.is_file() and "vendor" not in file.parts:
            found = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "http://" not in found, file
            assert "https://" not in found, file


def test_the_console_inserts_no_text_as_html() -> None:
    for file in (STATIC / "js").glob("*.js"):
        source = file.read_text(encoding="utf-8")
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "unsafeHTML", "document.write", "eval("):
            assert forbidden not in source, file


def _listed(client: httpx.Client, path: str, key: str = "") -> list[dict[str, object]]:
    found: list[dict[str, object]] = client.get(path, headers={"X-API-Key": key} if key else {}).json()["tenants"]
    return found


@pytest.mark.parametrize("path", ["/tenants", "/tenants/"])
def test_the_list_of_tenants_names_those_that_the_key_may_read(served: httpx.Client, path: str) -> None:
    cats = {
        "tenant": "cats",
        "title": "All cats",
        "role": "admin",
        "scope": {},
        "contract": None,
        "docs": None,
        "problem": None,
    }
    assert _listed(served, path) == [cats]
    by_reader = _listed(served, path, "look-at-the-dogs-here")
    assert [(one["tenant"], one["role"], one["scope"]) for one in by_reader] == [
        ("cats", "admin", {}),
        ("dogs", "reader", {"breed": "collie"}),
    ]


def test_the_list_of_tenants_asks_for_a_key_where_all_have_keys(serve: Serve) -> None:
    client = serve(KEYED)
    assert client.get("/tenants").status_code == 401
    assert client.get("/tenants", headers={"X-API-Key": "wrong"}).json()["code"] == "unauthorized"
    assert [one["tenant"] for one in _listed(client, "/tenants", "walk-the-dog-at-night")] == ["dogs"]


def test_the_list_of_tenants_says_where_their_published_apis_are_documented(serve: Serve) -> None:
    alone, beside = serve(CONTRACT), serve(CONTRACT, CATS)
    assert [one["docs"] for one in _listed(alone, "/tenants")] == ["docs"]
    assert [one["docs"] for one in _listed(beside, "/tenants")] == [None, "smart/docs"]
    assert beside.get("/smart/docs").status_code == 200
