"""Where contracts are found: alone at the root, together under their tenants' names."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.main import create_app
from app.settings import Settings
from pipelines.errors import ProfileError
from tests.app.running import Serve

TEXTBOOK = """
tenant: {}
title: Robotics <textbook>
contract: textbook
metadata: {{fields: {{chapter: {{type: integer}}, page: {{type: integer}}}}}}
store: {{engine: memory}}
"""
BOOK = TEXTBOOK.format("book")
PLAIN = "tenant: plain\nstore: {engine: memory}\n"


def test_one_tenant_has_its_contract_at_the_root(serve: Serve) -> None:
    client = serve(TEXTBOOK.format("book"))
    assert client.get("/health").status_code == 200
    assert "/query" in client.get("/openapi.json").json()["paths"]
    assert client.get("/docs").status_code == 200


def test_the_servers_own_routes_stay_before_a_contract_at_the_root(serve: Serve) -> None:
    client = serve(TEXTBOOK.format("book"))
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/tenants/book/stats").status_code == 200


def test_several_tenants_have_their_contracts_under_their_names(serve: Serve) -> None:
    client = serve(TEXTBOOK.format("book"), TEXTBOOK.format("other"), PLAIN)
    assert client.get("/book/health").json()["status"] == "ok"
    assert client.get("/other/docs").status_code == 200
    assert client.get("/health").status_code == 404


def test_several_tenants_are_listed_at_the_root(serve: Serve) -> None:
    client = serve(TEXTBOOK.format("book"), PLAIN)
    listed = client.get("/tenants").json()["tenants"]
    assert [(one["tenant"], one["title"], one["docs"]) for one in listed] == [
        ("book", "Robotics <textbook>", "book/docs"),
        ("plain", "Footnote", None),
    ]
    root = client.get("/")
    assert (root.status_code, root.headers["location"]) == (307, "console/")


@pytest.mark.parametrize(("profiles", "path"), [((BOOK,), "/health"), ((BOOK, PLAIN), "/book/nothing")])
def test_a_foreign_origin_is_refused_in_the_contracts_error_shape(
    serve: Serve, profiles: tuple[str, ...], path: str
) -> None:
    client, elsewhere = serve(*profiles), {"Host": "evil.example"}
    answer = client.get(path, headers=elsewhere)
    assert (answer.status_code, answer.headers["content-type"]) == (421, "application/json")
    assert answer.json().keys() == {"error", "detail", "status_code"}
    for own in ("/tenants/book/stats", "/healthz", "/mcp/book"):
        answer = client.get(own, headers=elsewhere)
        assert (answer.status_code, answer.json()["code"]) == (421, "misdirected_request")
    assert client.get("/openai/v1/models", headers=elsewhere).json()["error"]["code"] == "misdirected_request"


def test_a_tenant_cannot_take_a_path_of_the_server(tmp_path: Path) -> None:
    files = [tmp_path / "first.yaml", tmp_path / "second.yaml"]
    files[0].write_text(TEXTBOOK.format("tenants"))
    files[1].write_text(PLAIN)
    with pytest.raises(ProfileError, match="path of the server"):
        create_app(files, Settings(data=tmp_path))
