"""Which role each route asks for, on every surface."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts

from app import openai
from app.contracts import CONTRACTS
from app.http.routing import AnyTenantRoute
from app.main import native_app
from app.mcp.routes import mcp_app
from pipelines.profile.schema import Profile
from tests.app.running import Serve

# What is not listed here is a reader's.
ROLES = {
    ("native", "POST", "/{tenant}/documents"): "writer",
    ("native", "DELETE", "/{tenant}/documents/{document_id:path}"): "writer",
    ("native", "GET", "/{tenant}/feedback"): "writer",
    ("native", "GET", "/{tenant}/feedback/next"): "writer",
    ("native", "GET", "/{tenant}/experiments"): "writer",
    ("native", "POST", "/{tenant}/jobs"): "writer",
    ("native", "GET", "/{tenant}/jobs"): "writer",
    ("native", "GET", "/{tenant}/jobs/{job_id}"): "writer",
    ("native", "POST", "/{tenant}/jobs/{job_id}/cancel"): "writer",
    ("native", "POST", "/{tenant}/sync"): "writer",
    ("native", "POST", "/{tenant}/doctor"): "admin",
    ("native", "GET", "/{tenant}/keys"): "admin",
    ("native", "POST", "/{tenant}/keys"): "admin",
    ("native", "POST", "/{tenant}/keys/{name}/rotate"): "admin",
    ("native", "DELETE", "/{tenant}/keys/{name}"): "admin",
    ("native", "GET", "/{tenant}/audit"): "admin",
    ("native", "GET", "/{tenant}/backup"): "admin",
    ("cortx", "POST", "/v1/ingest"): "writer",
    ("pocketpal", "POST", "/api/rag/documents/ingest"): "writer",
    ("pocketpal", "DELETE", "/api/rag/documents/{documentId:path}"): "writer",
    ("pocketpal", "POST", "/api/rag/batch/ingest"): "writer",
    ("pocketpal", "GET", "/api/rag/batch/{batchId}"): "writer",
    ("pocketpal", "GET", "/api/rag/tasks/{taskId}"): "writer",
    ("pocketpal", "PUT", "/api/rag/config"): "admin",
    ("pocketpal", "POST", "/api/rag/index/optimize"): "admin",
    ("smartbreeds", "POST", "/api/v1/rag/ingest"): "writer",
    ("textbook", "POST", "/ingest"): "writer",
}
DOCUMENTATION = ("/docs", "/docs/oauth2-redirect")
KEYS = "".join(
    f"    - {{name: {role}, secret: '${{KEY_{role.upper()}}}', role: {role}}}\n"
    for role in ("reader", "writer", "admin")
)
PROFILE = f"tenant: phone\ncontract: pocketpal\nstore: {{engine: memory}}\nauth:\n  keys:\n{KEYS}"


def surfaces() -> Iterator[tuple[str, FastAPI]]:
    yield from (("native", native_app()), ("openai", openai.build()), ("mcp", mcp_app()))
    for name, build in CONTRACTS.items():
        yield name, build(Profile.model_validate({"tenant": "x", "contract": name}))


def routes() -> Iterator[tuple[tuple[str, str, str], APIRoute]]:
    for surface, app in surfaces():
        for context in iter_route_contexts(app.routes):
            route = getattr(context, "original_route", context)
            if isinstance(route, APIRoute) and context.path not in DOCUMENTATION:
                for method in context.methods or ():
                    yield (surface, method, str(context.path)), route


def key(role: str) -> str:
    return f"a-secret-of-the-{role}-0123456789abcdef"


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for role in ("reader", "writer", "admin"):
        monkeypatch.setenv(f"KEY_{role.upper()}", key(role))


def test_every_route_asks_for_the_role_of_the_table() -> None:
    asked = {
        which: "reader" if isinstance(route, AnyTenantRoute) else getattr(route, "needed_role", "nobody's")
        for which, route in routes()
    }
    assert {which: role for which, role in asked.items() if role != "reader"} == ROLES


def test_a_smaller_role_is_refused_by_every_route_of_the_table(serve: Serve) -> None:
    client = serve(PROFILE)
    roots = {"native": "/tenants", "pocketpal": ""}
    for (surface, method, path), role in ROLES.items():
        if surface in roots:
            smaller = "reader" if role == "writer" else "writer"
            address = roots[surface] + path.replace("{tenant}", "phone").replace(":path", "")
            answer = client.request(method, address, headers={"X-API-Key": key(smaller)})
            assert answer.status_code == 403, (surface, method, path)


def test_a_writer_of_pocketpal_erases_no_history(serve: Serve) -> None:
    client = serve(PROFILE)
    writer, admin = {"X-API-Key": key("writer")}, {"X-API-Key": key("admin")}
    body = {"document_id": "a", "content": "The canary sings at dawn."}
    assert client.post("/tenants/phone/documents", json=body, headers=writer).status_code == 201
    history = "/tenants/phone/documents/a/versions"

    assert client.delete("/api/rag/documents/a", headers=writer).json()["success"]
    assert client.get(history, headers=admin).json()["versions"]

    assert client.post("/tenants/phone/documents", json=body, headers=writer).status_code == 201
    assert client.delete("/api/rag/documents/a", headers=admin).json()["success"]
    assert client.get(history, headers=admin).status_code == 404
