"""Asks every route of a running server for canaries, with keys that may not see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from app.isolation.canaries import Canary, Intruder, Target
from app.remote.server import Server

_WHOLE_TENANT = frozenset(
    {"sync", "doctor", "start_job", "create_key", "delete_conversations"}  # they would change what is not a canary
)
_QUESTIONS = ("query", "question", "userQuery", "prompt")
_MCP = {"Accept": "application/json, text/event-stream"}


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """An intruder's request for a canary; ``leak`` is what the response revealed, None if nothing."""

    intruder: Intruder
    canary: Canary
    request: Request
    status: int
    leak: str | None


def attack(targets: Sequence[Target], canaries: Sequence[Canary], intruders: Sequence[Intruder]) -> Iterator[Attempt]:
    """Try every route with every key that may not see a canary, and look after it at last.

    Raises:
        ServerGone: The server does not answer any more.
    """
    by_name = {target.name: target for target in targets}
    for canary in canaries:
        target = by_name[canary.tenant]
        requests = [*_native(target, canary), *_contract(target, canary), *_others(canary)]
        for intruder in intruders:
            if _may_see(intruder, canary):
                continue
            own = [_search(intruder.tenant, canary)] if intruder.secret else []
            for request in sorted((*own, *requests), key=_harm):
                yield _tried(target.server, intruder, canary, request)
        yield from _unharmed(target, canary)


def _harm(request: Request) -> int:
    """Reads come before writes, and deletions last: what is gone cannot leak."""
    return 2 if request.method == "DELETE" else int(request.body is not None and "content" in request.body)


def _may_see(intruder: Intruder, canary: Canary) -> bool:
    return intruder.tenant == canary.tenant and (not intruder.place or intruder.place == canary.place)


def _tried(server: Server, intruder: Intruder, canary: Canary, request: Request) -> Attempt:
    headers = {**intruder.headers, **(_MCP if request.path.startswith("/mcp/") else {})}
    answer = server.ask_as(headers, request.method, request.path, request.body)
    return Attempt(intruder, canary, request, answer.status_code, _leak(intruder, canary, answer))


def _leak(intruder: Intruder, canary: Canary, answer: httpx.Response) -> str | None:
    if canary.secret in answer.text:
        return "the canary's text"
    if not intruder.secret and answer.is_success:
        return "an answer without a key"
    if intruder.tenant != canary.tenant and f'"{canary.tenant}"' in answer.text and answer.is_success:
        return "the tenant's name"
    return None


def _unharmed(target: Target, canary: Canary) -> Iterator[Attempt]:
    """Yield attempts of those who may read the canary and its conversation, to see that nothing has changed them."""
    document = Request("GET", f"{target.root}/documents/{canary.document_id}/content")
    conversation = Request("GET", f"{target.root}/conversations/{canary.conversation_id}")
    for request, headers in ((document, target.server.credentials), (conversation, canary.owner.headers)):
        answer = target.server.ask_as(headers, request.method, request.path)
        gone = None if canary.secret in answer.text else "nothing: the canary was changed or deleted"
        yield Attempt(Intruder(canary.tenant), canary, request, answer.status_code, gone)


def _native(target: Target, canary: Canary) -> Iterator[Request]:
    for method, path, operation in _operations(target.server, "/tenants/openapi.json"):
        name = operation["operationId"]
        if name in _WHOLE_TENANT:
            continue
        filled = _filled(path.replace("{tenant}", target.name), canary)
        yield Request(method, f"/tenants{filled}", _body(name, operation, canary))


def _contract(target: Target, canary: Canary) -> Iterator[Request]:
    if target.profile.contract is None:
        return
    for root in (f"/{target.name}", ""):  # a tenant that is served alone has the root
        for method, path, operation in _operations(target.server, f"{root}/openapi.json"):
            body = _body(operation["operationId"], operation, canary)
            if method == "GET" or (body and set(_QUESTIONS) & set(body)):
                yield Request(method, root + _filled(path, canary), body)


def _others(canary: Canary) -> Iterator[Request]:
    yield Request("GET", "/metrics")
    yield Request("GET", f"/openai/v1/models/{canary.tenant}")
    messages = [{"role": "user", "content": f"What does the {canary.public} guard?"}]
    yield Request("POST", "/openai/v1/chat/completions", {"model": canary.tenant, "messages": messages})
    call = {"name": "search", "arguments": {"query": canary.public}}
    yield Request("POST", f"/mcp/{canary.tenant}", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})


def _search(tenant: str, canary: Canary) -> Request:
    return Request("POST", f"/tenants/{tenant}/search", {"query": canary.public, "top_k": 50})


def _operations(server: Server, path: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    answer = server.ask_as({}, "GET", path)
    if not answer.is_success or "json" not in answer.headers.get("content-type", ""):
        return
    document = answer.json()
    schemas = document.get("components", {}).get("schemas", {})
    for route, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), route, {**operation, "schemas": schemas}


def _filled(path: str, canary: Canary) -> str:
    ids = {"conversation_id": canary.conversation_id, "answer_id": canary.answer_id, "name": "isolation"}
    for part in _parameters(path):
        path = path.replace("{" + part + "}", quote(ids.get(part, canary.document_id), safe=""))
    return path


def _parameters(path: str) -> Iterable[str]:
    return (part.strip("{}") for part in path.split("/") if part.startswith("{"))


def _body(name: str, operation: Mapping[str, Any], canary: Canary) -> Mapping[str, Any] | None:
    """Return a body that asks for the canary; None if the route takes none."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if not content:
        return None
    if name == "ingest":
        return {"document_id": canary.document_id, "content": "An intruder was here."}
    schema = content.get("schema", {})
    schema = operation["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    known = {
        **dict.fromkeys(_QUESTIONS, canary.public),
        "document_id": canary.document_id,
        "documentId": canary.document_id,
        "conversation_id": canary.conversation_id,
        "answer_id": canary.answer_id,
        "top_k": 20,
    }
    named = schema.get("properties", {})
    return {key: value for key, value in known.items() if key in named}
